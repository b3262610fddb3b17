// Processes take turns at a GPU.
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "cuda/gpu_turn.hpp"

using dojo::cuda::GpuTurn;

TEST_CASE("a process waits for another's turn at a GPU, and not for its own") {
  const std::string name = "test-" + std::to_string(getpid());
  auto* left = static_cast<std::atomic<int>*>(
      mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  REQUIRE(left != MAP_FAILED);
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t other = fork();
  REQUIRE(other >= 0);
  if (other == 0) {
    auto turn = GpuTurn::take(name);
    [[maybe_unused]] const ssize_t told = write(ready[1], "x", 1);
    usleep(50000);  // the test holds however long this is
    left->store(1);
    _exit(0);  // the system ends the turn of a process that is gone
  }
  char c;
  REQUIRE(read(ready[0], &c, 1) == 1);
  auto mine = GpuTurn::take(name);
  REQUIRE(mine);
  CHECK(left->load() == 1);
  CHECK(GpuTurn::take(name) == mine);
  waitpid(other, nullptr, 0);
  close(ready[0]), close(ready[1]);
  munmap(left, sizeof *left);
  unlink(("/tmp/warpdojo-" + name + ".turn").c_str());
}
