#include "gui/model/file_watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "gui/model/store.hpp"

namespace dojo::gui {

uint64_t content_hash(const std::filesystem::path& file) {
  std::string text;
  if (!read_file(file, text)) return 0;
  uint64_t h = 1469598103934665603ull;  // FNV-1a
  for (unsigned char c : text) h = (h ^ c) * 1099511628211ull;
  return h ? h : 1;
}

FileWatch::FileWatch(std::function<void()> wake, int poll_ms) : wake_(std::move(wake)), poll_ms_(poll_ms) {
  inotify_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);  // -1 is fine: polling remains
  if (::pipe2(pipe_, O_NONBLOCK | O_CLOEXEC) != 0) pipe_[0] = pipe_[1] = -1;
  thread_ = std::thread([this] { loop(); });
}

FileWatch::~FileWatch() {
  stop_ = true;
  if (pipe_[1] >= 0) (void)!::write(pipe_[1], "q", 1);
  thread_.join();
  for (int fd : {inotify_, pipe_[0], pipe_[1]})
    if (fd >= 0) ::close(fd);
}

void FileWatch::watch(const std::filesystem::path& file) {
  std::lock_guard lock(mutex_);
  if (watch_ >= 0) ::inotify_rm_watch(inotify_, watch_);
  watch_ = -1;
  file_ = file;
  news_ = false;
  seen_ = file.empty() ? 0 : content_hash(file);
  // The folder is watched, not the file: editors put a new file in the old one's place.
  if (!file.empty() && inotify_ >= 0)
    watch_ = ::inotify_add_watch(inotify_, file.parent_path().c_str(),
                                 IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MODIFY);
}

bool FileWatch::changed() { return news_.exchange(false); }

void FileWatch::accept() {
  std::lock_guard lock(mutex_);
  seen_ = content_hash(file_);
  news_ = false;
}

void FileWatch::loop() {
  struct stat last = {};
  while (!stop_) {
    pollfd fds[2] = {{pipe_[0], POLLIN, 0}, {inotify_, POLLIN, 0}};
    int n = ::poll(fds, inotify_ >= 0 ? 2 : 1, poll_ms_);
    if (stop_) return;
    bool told = false;
    if (n > 0 && inotify_ >= 0 && (fds[1].revents & POLLIN)) {
      alignas(inotify_event) char buffer[4096];
      ssize_t got;
      while ((got = ::read(inotify_, buffer, sizeof buffer)) > 0) {
        std::lock_guard lock(mutex_);
        for (char* p = buffer; p < buffer + got;) {
          auto* e = reinterpret_cast<inotify_event*>(p);
          if (e->len && file_.filename() == e->name) told = true;
          p += sizeof(inotify_event) + e->len;
        }
      }
      if (!told) continue;
    }
    std::filesystem::path file;
    {
      std::lock_guard lock(mutex_);
      file = file_;
    }
    if (file.empty()) continue;
    struct stat now = {};
    if (::stat(file.c_str(), &now) != 0) continue;
    bool same = now.st_ino == last.st_ino && now.st_size == last.st_size &&
                now.st_mtim.tv_sec == last.st_mtim.tv_sec && now.st_mtim.tv_nsec == last.st_mtim.tv_nsec;
    if (same && !told) continue;
    last = now;
    // Wait until two looks agree: a large or slow save is then complete.
    uint64_t h = content_hash(file);
    for (int k = 0; k < 20 && !stop_; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(15));
      uint64_t again = content_hash(file);
      if (again == h && h != 0) break;
      h = again;
    }
    std::lock_guard lock(mutex_);
    if (file == file_ && h != 0 && h != seen_) {
      seen_ = h;
      news_ = true;
      if (wake_) wake_();
    }
  }
}

}  // namespace dojo::gui
