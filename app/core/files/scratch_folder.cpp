#include "core/files/scratch_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <mutex>
#include <set>

namespace dojo {
namespace {

namespace fs = std::filesystem;

constexpr time_t least_age_s = 60;

/// An open, locked folder, or -1.
int locked(const char* path) {
  const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  close(fd);
  return -1;
}

bool old_and_own(int fd) {
  struct stat s {};
  return fstat(fd, &s) == 0 && s.st_uid == geteuid() && s.st_mtime + least_age_s < time(nullptr);
}

/// The first folder of this kind in this process? Each run of ptxas makes one, and the system's folder may be
/// long to list.
bool is_first(const std::string& kind) {
  static std::mutex mutex;
  static std::set<std::string>& kinds = *new std::set<std::string>;  // used until the process has ended
  const std::lock_guard lock(mutex);
  return kinds.insert(kind).second;
}

}  // namespace

void remove_left_folders(const fs::path& where, const std::string& kind) {
  const std::string prefix = "warpdojo-" + kind + "-";
  std::error_code ec;
  for (fs::directory_iterator at(where, ec), end; !ec && at != end; at.increment(ec)) {
    const std::string name = at->path().filename().string();
    if (name.size() != prefix.size() + 6 || !name.starts_with(prefix)) continue;
    const int fd = locked(at->path().c_str());
    if (fd < 0) continue;
    std::error_code ignored;
    if (old_and_own(fd)) fs::remove_all(at->path(), ignored);
    close(fd);
  }
}

ScratchFolder::ScratchFolder(const std::string& kind) {
  std::error_code ec;
  const fs::path where = fs::temp_directory_path(ec);
  if (ec) return;
  if (is_first(kind)) remove_left_folders(where, kind);
  std::string name = (where / ("warpdojo-" + kind + "-XXXXXX")).string();
  if (!mkdtemp(name.data())) return;
  path = name;
  lock_ = locked(path.c_str());
}

ScratchFolder::~ScratchFolder() {
  std::error_code ec;
  if (!path.empty()) fs::remove_all(path, ec);
  if (lock_ >= 0) close(lock_);
}

void ScratchFolder::clear() const {
  std::error_code ec;
  if (path.empty()) return;
  for (fs::directory_iterator at(path, ec), end; !ec && at != end; at.increment(ec)) {
    std::error_code ignored;
    fs::remove_all(at->path(), ignored);
  }
}

}  // namespace dojo
