#include "run/worker/process_group.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>

namespace dojo::run {
namespace {

struct Stat {
  int group = 0, threads = 0;
  long pages = 0;
};

/// Calls with each process's folder in /proc, opened.
void each_process(const std::function<void(int folder)>& see) {
  DIR* all = opendir("/proc");
  if (!all) return;
  while (const dirent* e = readdir(all)) {
    if (e->d_name[0] < '1' || e->d_name[0] > '9') continue;
    const int folder = openat(dirfd(all), e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) continue;  // it has ended
    see(folder);
    close(folder);
  }
  closedir(all);
}

bool read_stat(int folder, Stat* s) {
  const int fd = openat(folder, "stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[1024];
  const ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  if (n <= 0) return false;
  text[n] = 0;
  // The name, in parentheses, may hold anything: the last one ends it. Then, as proc(5) numbers them from 3:
  // state, parent, group (5) ... threads (20) ... resident pages (24).
  const char* at = std::strrchr(text, ')');
  return at &&
         std::sscanf(at + 1,
                     " %*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d %*d %*u %*u %ld",
                     &s->group, &s->threads, &s->pages) == 3;
}

}  // namespace

GroupUse use_of_group(pid_t group) {
  GroupUse use;
  const uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
  each_process([&](int folder) {
    Stat s;
    if (!read_stat(folder, &s) || s.group != group) return;
    use.tasks += s.threads;
    use.resident += uint64_t(s.pages) * page;
  });
  return use;
}

int tasks_of_user() {
  int tasks = 0;
  each_process([&](int folder) {
    struct stat owner {};
    Stat s;
    if (fstat(folder, &owner) == 0 && owner.st_uid == getuid() && read_stat(folder, &s)) tasks += s.threads;
  });
  return tasks;
}

int most_tasks() { return 128 + 2 * int(std::thread::hardware_concurrency()); }

}  // namespace dojo::run
