#pragma once
// Notices new content of a folder's files, however an editor writes them (in place, or a new file renamed
// over the old one): inotify where there is one, and a look at the content besides, for network disks.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dojo::cli {

class FileWatch {
 public:
  explicit FileWatch(std::filesystem::path folder);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// Readable when inotify has news; -1 without inotify.
  int descriptor() const { return inotify_; }
  /// How long to wait at most before looking again, in milliseconds.
  int poll_ms() const { return inotify_ >= 0 ? 1000 : 300; }
  /// The .cu files whose content has changed since the last call. A file that is gone is no news (editors
  /// delete before they rename); one that is empty is looked at again after a moment.
  std::vector<std::filesystem::path> changed();
  /// The file's content as it is now is no news.
  void accept(const std::filesystem::path&);

 private:
  struct Seen {
    std::filesystem::file_time_type time;
    uintmax_t bytes = 0;
    size_t hash = 0;
  };
  std::filesystem::path folder_;
  int inotify_ = -1;
  std::map<std::string, Seen> seen_;
};

}  // namespace dojo::cli
