// The one file watcher: every way of saving, on disks that tell and on disks that don't.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "fixture_labs.hpp"
#include "run/student/file_watch.hpp"

using namespace dojo;
using dojo::test::TempFolder;
namespace fs = std::filesystem;

TEST_CASE("the watch sees every way of saving, once, and only .cu files of a folder") {
  for (bool inotify : {true, false}) {
    CAPTURE(inotify);
    TempFolder t;
    t.write("a.cu", "one");
    run::FileWatch w({}, inotify);
    w.watch(t.path);
    CHECK((w.descriptor() >= 0) == inotify);
    CHECK(w.changed().empty());
    t.write("a.cu", "two");  // in place
    CHECK(w.changed() == std::vector<fs::path>{t.path / "a.cu"});
    CHECK(w.changed().empty());
    t.write("a.cu.new", "three");
    fs::rename(t.path / "a.cu.new", t.path / "a.cu");  // replaced
    CHECK(w.changed().size() == 1);
    fs::remove(t.path / "a.cu");
    CHECK(w.changed().empty());
    t.write("a.cu", "three");  // deleted and written again with the same text
    CHECK(w.changed().empty());
    t.write("a.cu", "four");
    w.accept(t.path / "a.cu");
    CHECK(w.changed().empty());
    t.write("notes.txt", "x");
    CHECK(w.changed().empty());
    // The same size and the same time stamp: only the content tells.
    struct stat s {};
    REQUIRE(stat((t.path / "a.cu").c_str(), &s) == 0);
    t.write("a.cu", "fife");
    const timespec times[2] = {s.st_atim, s.st_mtim};
    REQUIRE(utimensat(AT_FDCWD, (t.path / "a.cu").c_str(), times, 0) == 0);
    CHECK(w.changed().size() == 1);
  }
}

TEST_CASE("the watch follows one file through backups and a replaced folder") {
  TempFolder t;
  t.write("lab/a.cu", "one");
  t.write("lab/b.cu", "one");
  run::FileWatch w;
  w.watch(t.path / "lab/a.cu");
  t.write("lab/b.cu", "two");
  CHECK(w.changed().empty());
  // As vim saves: the old file becomes the backup, a new one is written.
  fs::rename(t.path / "lab/a.cu", t.path / "lab/a.cu~");
  CHECK(w.changed().empty());
  t.write("lab/a.cu", "two");
  CHECK(w.changed().size() == 1);
  // As git does on a checkout: another folder in its place.
  fs::rename(t.path / "lab", t.path / "old");
  t.write("lab/a.cu", "three");
  CHECK(w.changed().size() == 1);
  t.write("lab/a.cu", "four");
  CHECK(w.changed().size() == 1);
  w.watch({});
  t.write("lab/a.cu", "five");
  CHECK(w.changed().empty());
}

TEST_CASE("with a thread of its own the watch wakes its waiters, with and without inotify") {
  for (bool inotify : {true, false}) {
    CAPTURE(inotify);
    TempFolder t;
    t.write("a.cu", "one");
    int fds[2];
    REQUIRE(pipe(fds) == 0);
    run::FileWatch w([&] { (void)!write(fds[1], "w", 1); }, inotify);
    w.watch(t.path / "a.cu");
    CHECK(w.changed().empty());
    t.write("new", "two");
    fs::rename(t.path / "new", t.path / "a.cu");
    pollfd p{fds[0], POLLIN, 0};
    REQUIRE(poll(&p, 1, 60000) == 1);
    CHECK(w.changed() == std::vector<fs::path>{t.path / "a.cu"});
    CHECK(w.changed().empty());
    close(fds[0]);
    close(fds[1]);
  }
}
