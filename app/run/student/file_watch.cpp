#include "run/student/file_watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/files/whole_file.hpp"

namespace dojo::run {
namespace fs = std::filesystem;

namespace {

constexpr uint32_t wanted = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MODIFY | IN_DELETE_SELF |
                            IN_MOVE_SELF | IN_DELETE | IN_MOVED_FROM | IN_ATTRIB;
constexpr auto replace_time =
    std::chrono::milliseconds(250);  ///< an editor has put the new file there by then

/// File systems on which another machine may write without this kernel hearing of it.
bool tells_nothing(const fs::path& folder) {
  struct statfs s {};
  if (statfs(folder.c_str(), &s) != 0) return false;
  for (uint32_t magic :
       {0x6969u /* NFS */, 0x517Bu /* SMB */, 0xFF534D42u /* CIFS */, 0xFE534D42u /* SMB2 */,
        0x65735546u /* FUSE: sshfs and others */, 0x01021997u /* 9P */, 0x00C36400u /* Ceph */,
        0x0BD00BD0u /* Lustre */, 0x47504653u /* GPFS */, 0x5346414Fu /* AFS */})
    if (uint32_t(s.f_type) == magic) return true;
  return false;
}

/// The content once two looks agree; nothing when it can't be read.
std::optional<std::string> settled(const fs::path& p) {
  std::error_code ec;
  if (!fs::is_regular_file(p, ec)) return std::nullopt;  // opening a pipe would wait for who writes to it
  auto text = read_file(p);
  for (int k = 0; k < 20 && text; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
    auto again = read_file(p);
    // Truncated first, written next: an empty file gets a few more looks.
    if (again == text && (!text->empty() || k >= 5)) break;
    text = std::move(again);
  }
  return text;
}

}  // namespace

FileWatch::FileWatch(std::function<void()> wake, bool inotify) : wake_(std::move(wake)) {
  if (inotify) inotify_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);  // -1 is fine: looking again remains
  if (!wake_) return;
  if (pipe2(pipe_, O_NONBLOCK | O_CLOEXEC) != 0) pipe_[0] = pipe_[1] = -1;
  thread_ = std::thread([this] { listen(); });
}

FileWatch::~FileWatch() {
  stop_ = true;
  if (pipe_[1] >= 0) (void)!write(pipe_[1], "q", 1);
  if (thread_.joinable()) thread_.join();
  for (int fd : {inotify_, pipe_[0], pipe_[1]})
    if (fd >= 0) close(fd);
}

void FileWatch::follow() {
  if (watch_ >= 0) inotify_rm_watch(inotify_, watch_);
  watch_ = -1;
  // The folder is followed, not the file: editors put a new file in the old one's place.
  if (!folder_.empty() && inotify_ >= 0) watch_ = inotify_add_watch(inotify_, folder_.c_str(), wanted);
  quiet_disk_ = watch_ < 0 || tells_nothing(folder_);
}

void FileWatch::watch(const fs::path& target) {
  std::lock_guard lock(mutex_);
  std::error_code ec;
  target_ = target;
  folder_ = target.empty() ? fs::path{} : fs::is_directory(target, ec) ? target : target.parent_path();
  seen_.clear();
  missing_since_.reset();
  gone_ = flipped_ = false;
  follow();
  look();
  news_.clear();
  any_ = false;
}

void FileWatch::look_at(const fs::path& p) {
  std::error_code ec;
  const auto time = fs::last_write_time(p, ec);
  if (ec) return;
  const auto bytes = fs::file_size(p, ec);
  if (ec) return;
  const std::string name = p.filename().string();
  auto it = seen_.find(name);
  // A coarse clock may hide a second write of the same size, and a network disk's attributes may be old: then
  // the content is read anyway (opening a file asks the server).
  const bool recent = fs::file_time_type::clock::now() - time < std::chrono::seconds(3);
  if (it != seen_.end() && it->second.time == time && it->second.bytes == bytes && !recent && !quiet_disk_)
    return;
  auto text = read_file(p);
  if (!text) return;
  if (it == seen_.end()) {
    seen_[name] = {time, bytes, std::hash<std::string>{}(*text)};
    return;
  }
  if (std::hash<std::string>{}(*text) != it->second.hash) {
    text = settled(p);
    if (!text) return;
  }
  const size_t hash = std::hash<std::string>{}(*text);
  if (hash != it->second.hash && std::find(news_.begin(), news_.end(), p) == news_.end()) news_.push_back(p);
  it->second = {time, bytes, hash};
}

void FileWatch::look() {
  if (target_.empty()) return;
  if (target_ != folder_) {
    look_at(target_);
    std::error_code ec;
    const bool missing = !fs::is_regular_file(target_, ec) || ::access(target_.c_str(), R_OK) != 0;
    const auto now = std::chrono::steady_clock::now();
    if (!missing)
      missing_since_.reset();
    else if (!missing_since_)
      missing_since_ = now;
    const bool gone = missing && now - *missing_since_ >= replace_time;
    flipped_ |= gone != gone_;
    gone_ = gone;
    return;
  }
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(folder_, ec))
    if (e.path().extension() == ".cu") look_at(e.path());
}

bool FileWatch::drain() {
  bool any = false;
  alignas(inotify_event) char buffer[4096];
  ssize_t got;
  while (inotify_ >= 0 && (got = read(inotify_, buffer, sizeof buffer)) > 0) {
    any = true;
    for (char* p = buffer; p < buffer + got;) {
      auto* e = reinterpret_cast<inotify_event*>(p);
      if ((e->mask & (IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF)) && e->wd == watch_) watch_ = -1;
      p += sizeof(inotify_event) + e->len;
    }
  }
  return any;
}

std::vector<fs::path> FileWatch::changed() {
  if (thread_.joinable()) {
    if (!any_.exchange(false)) return {};
    std::lock_guard lock(mutex_);
    return std::exchange(news_, {});
  }
  std::lock_guard lock(mutex_);
  drain();
  if (watch_ < 0) follow();
  look();
  return std::exchange(news_, {});
}

void FileWatch::accept(const fs::path& p) {
  std::lock_guard lock(mutex_);
  std::error_code ec;
  missing_since_.reset();
  gone_ = false;
  if (const auto text = read_file(p))
    seen_[p.filename().string()] = {fs::last_write_time(p, ec), text->size(),
                                    std::hash<std::string>{}(*text)};
  std::erase(news_, p);
  if (news_.empty()) any_ = false;
}

void FileWatch::listen() {
  int wait_ms = poll_ms();
  while (!stop_) {
    pollfd fds[2] = {{pipe_[0], POLLIN, 0}, {inotify_, POLLIN, 0}};
    poll(fds, 2, wait_ms);
    if (stop_) return;
    std::lock_guard lock(mutex_);
    drain();
    if (watch_ < 0 && !folder_.empty()) follow();
    look();
    // A file that has just gone is looked for again soon.
    wait_ms = missing_since_ && !gone_ ? 100 : poll_ms();
    const bool flipped = std::exchange(flipped_, false);
    if (!flipped && (news_.empty() || any_)) continue;
    if (!news_.empty()) any_ = true;
    wake_();
  }
}

}  // namespace dojo::run
