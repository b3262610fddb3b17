// Temporary folders: gone with their object, and after a kill with the next one.
#include "core/files/scratch_folder.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace dojo;
namespace fs = std::filesystem;

namespace {

/// Nothing has changed in it for an hour.
void make_old(const fs::path& folder) {
  const utimbuf hour_ago{time(nullptr) - 3600, time(nullptr) - 3600};
  REQUIRE(utime(folder.c_str(), &hour_ago) == 0);
}

}  // namespace

TEST_CASE("a temporary folder is removed with what is in it, by its object or by the next one after a kill") {
  std::string inside;
  {
    const ScratchFolder t("ends");
    inside = t.path;
    std::ofstream(fs::path(inside) / "a") << "text";
    fs::create_directories(fs::path(inside) / "b" / "c");
    t.clear();
    CHECK(fs::is_directory(inside));
    CHECK(fs::is_empty(inside));
  }
  CHECK_FALSE(fs::exists(inside));

  // A child that is killed while it has a folder.
  int told[2];
  REQUIRE(pipe(told) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const ScratchFolder t("kills");
    std::ofstream(fs::path(t.path) / "headers") << "large";
    if (write(told[1], t.path.data(), t.path.size()) < 0) _exit(1);
    pause();
    _exit(0);
  }
  char name[512];
  const ssize_t n = read(told[0], name, sizeof name);
  REQUIRE(n > 0);
  const std::string left(name, size_t(n));
  const fs::path where = fs::path(left).parent_path();
  make_old(left);
  remove_left_folders(where, "kills");
  CHECK(fs::exists(left));  // its process lives
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  std::ofstream(fs::path(left) / "headers") << "just now";
  fs::create_directories(fs::path(left) / "new");
  remove_left_folders(where, "kills");
  CHECK(fs::exists(left));  // it changed a moment ago
  make_old(left);
  remove_left_folders(where, "other");
  CHECK(fs::exists(left));
  const ScratchFolder next("kills");  // the first of its kind in this process
  REQUIRE(!next.path.empty());
  CHECK_FALSE(fs::exists(left));
  make_old(next.path);
  remove_left_folders(where, "kills");
  CHECK(fs::exists(next.path));  // old, but in use
  close(told[0]), close(told[1]);
}
