#pragma once
// Private temporary folders, which a killed process leaves behind and a later one removes.
#include <filesystem>
#include <string>

namespace dojo {

/// A folder named warpdojo-KIND-XXXXXX where the system keeps temporary files, removed with what is in it at
/// the end. A process that is killed removes nothing, and a folder of precompiled headers holds hundreds of
/// MB: the first folder of a kind in a process removes those that no process has locked. The lock (flock)
/// ends with its process.
struct ScratchFolder {
  /// `kind`: letters, no hyphen.
  explicit ScratchFolder(const std::string& kind = "scratch");
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  /// Removes what is in it.
  void clear() const;

  std::string path;  ///< empty when it can't be made

 private:
  int lock_ = -1;
};

/// Removes the folders of this kind in `where` that no process uses and nothing has changed for a minute (a
/// new one is locked a moment after it is made); only those of this user.
void remove_left_folders(const std::filesystem::path& where, const std::string& kind);

}  // namespace dojo
