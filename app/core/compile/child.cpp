#include "core/compile/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

namespace dojo {
namespace fs = std::filesystem;

namespace {
constexpr size_t most_output = size_t(64) << 20;
constexpr int busy_factor = 10;  ///< a busy machine gives a child a tenth of a processor at least
}  // namespace

int run_child(const std::vector<std::string>& args, const std::string& folder, int time_limit_s,
              std::string* output) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return -1;
  std::vector<char*> argv;
  for (const std::string& a : args) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const std::string tmp = "TMPDIR=" + folder;
  char* env[] = {const_cast<char*>("PATH=/usr/bin:/bin"), const_cast<char*>(tmp.c_str()), nullptr};
  const pid_t pid = fork();
  if (pid < 0) {
    close(fds[0]), close(fds[1]);
    return -1;
  }
  if (pid == 0) {
    setpgid(0, 0);
    dup2(fds[1], 1), dup2(fds[1], 2);
    const int null = open("/dev/null", O_RDONLY);
    if (null >= 0) dup2(null, 0);
    const rlimit cpu{rlim_t(time_limit_s) + 1, rlim_t(time_limit_s) + 2},
        size{rlim_t(256) << 20, rlim_t(256) << 20};
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_FSIZE, &size);
    execve(argv[0], argv.data(), env);
    _exit(127);
  }
  close(fds[1]);
  const auto end = std::chrono::steady_clock::now() + busy_factor * std::chrono::seconds(time_limit_s);
  bool late = false;
  char buffer[4096];
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      late = true;
      break;
    }
    pollfd p{fds[0], POLLIN, 0};
    const int n = poll(&p, 1, int(left.count()));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      late = true;
      break;
    }
    const ssize_t got = read(fds[0], buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (output->size() < most_output) output->append(buffer, size_t(got));
  }
  close(fds[0]);
  if (late && kill(-pid, SIGKILL) != 0) kill(pid, SIGKILL);  // in a sandbox it got no group of its own
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) return -2;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace dojo
