#pragma once
// Notices new content of a file, or of a folder's .cu files, however an editor writes them (in place, or a
// new file renamed over the old one): by inotify on the folder, and everywhere by looking again, network
// disks included.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace dojo::run {

class FileWatch {
 public:
  /// With `wake` a thread of its own looks, and calls it when there is news (to end a wait for events);
  /// changed() then never touches the disk. Without, changed() looks. `inotify` false: only by looking again.
  explicit FileWatch(std::function<void()> wake = {}, bool inotify = true);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// Watches this file, or this folder's .cu files, from now on; empty: nothing. What they hold now is no
  /// news.
  void watch(const std::filesystem::path&);
  /// Files whose content changed since the last call, once each. A file that is gone is no news (editors
  /// delete before they rename); one that is empty or still being written is looked at again after a moment.
  std::vector<std::filesystem::path> changed();
  /// The watched file has been missing, or unreadable, for a moment: longer than an editor needs to put a new
  /// one in its place. A change of this wakes, too.
  bool gone() const { return gone_; }
  /// The file's content as it is now is known: our own save is no news.
  void accept(const std::filesystem::path&);

  /// Readable when the kernel has something to tell; -1 without inotify. For callers that have no thread
  /// here.
  int descriptor() const { return inotify_; }
  /// After how long to look again at most, in milliseconds: less where the kernel tells nothing (a network
  /// disk).
  int poll_ms() const { return quiet_disk_ ? 300 : 1000; }

 private:
  struct Seen {
    std::filesystem::file_time_type time;
    uintmax_t bytes = 0;
    size_t hash = 0;
  };
  void listen();
  void look();  ///< adds to news_
  void look_at(const std::filesystem::path&);
  void follow();  ///< (again) the folder, which may have been replaced
  bool drain();   ///< the kernel's notices; true when there were any

  std::function<void()> wake_;
  std::mutex mutex_;  ///< of what follows
  std::filesystem::path target_, folder_;
  std::map<std::string, Seen> seen_;
  std::vector<std::filesystem::path> news_;
  int inotify_ = -1, watch_ = -1, pipe_[2] = {-1, -1};
  std::atomic<bool> stop_ = false, quiet_disk_ = false, any_ = false, gone_ = false;
  bool flipped_ = false;  ///< gone_ changed and no wake-up was sent yet
  std::optional<std::chrono::steady_clock::time_point> missing_since_;
  std::thread thread_;
};

}  // namespace dojo::run
