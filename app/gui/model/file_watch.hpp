#pragma once
// Notices that a file has a new content, however an editor wrote it (in place, or a new file renamed over
// it), on local disks by inotify on its folder and everywhere by polling.
#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace dojo::gui {

/// A file's content by its hash; 0 when it can't be read.
uint64_t content_hash(const std::filesystem::path&);

class FileWatch {
 public:
  /// `wake` is called from the watching thread when there is news (to end a wait for events). The file is
  /// looked at when inotify says so and every `poll_ms` besides.
  explicit FileWatch(std::function<void()> wake = {}, int poll_ms = 1000);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// Watches one file from now on; empty: none. What it holds now is not news.
  void watch(const std::filesystem::path&);
  /// True once after the content changed (and stayed the same for some 30 ms, so that a half-written file is
  /// not run). A deleted file is no change.
  bool changed();
  /// The content as it is now is known: our own save is no news.
  void accept();

 private:
  void loop();
  std::function<void()> wake_;
  int poll_ms_;
  std::mutex mutex_;
  std::filesystem::path file_;
  uint64_t seen_ = 0;
  std::atomic<bool> stop_ = false, news_ = false;
  int inotify_ = -1, watch_ = -1, pipe_[2] = {-1, -1};
  std::thread thread_;
};

}  // namespace dojo::gui
