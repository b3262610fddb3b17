#pragma once
// Text that was typed in the window and is not saved yet, one small file per step in the data folder. It is
// what a crash, a power cut or a close without saving leaves behind, and what the next start restores.
// Several windows may have the same step open: each has files of its own, and restores only what a window
// that is gone has left.
#include <filesystem>
#include <optional>
#include <string>

#include "run/student/draft_files.hpp"

namespace dojo::gui {

using run::Draft;

/// A process as it stands in a draft: its number and its start, as numbers are used again. Empty: none runs.
std::string window_of(int pid);

class Drafts {
 public:
  /// An empty folder keeps nothing. `window` is the writer; empty: this process.
  explicit Drafts(std::filesystem::path folder = {}, std::string window = {});
  /// The newest draft of a step's file that this window or one that is gone has written, or nothing.
  /// A broken one is kept as FILE.broken, and `problem` says so.
  std::optional<Draft> load(const std::string& step, const std::filesystem::path& file,
                            std::string* problem = nullptr) const;
  /// Empty on success, else what went wrong.
  std::string keep(const std::string& step, const Draft&) const;
  /// Removes this window's draft of the step's file.
  void drop(const std::string& step, const std::filesystem::path& file) const;

 private:
  std::filesystem::path own(const std::string& step, const std::string& file) const;
  std::filesystem::path folder_;
  std::string window_;
};

}  // namespace dojo::gui
