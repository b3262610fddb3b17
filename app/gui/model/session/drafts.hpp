#pragma once
// Text that was typed in the window and is not saved yet, one small file per step in the data folder. It is
// what a crash, a power cut or a close without saving leaves behind, and what the next start restores.
#include <filesystem>
#include <optional>
#include <string>

namespace dojo::gui {

struct Draft {
  std::string file;  ///< the student's file that it belongs to: another checkout has other drafts
  std::string when;  ///< as PastRun::when
  std::string base;  ///< the file's text when the editing began
  std::string text;
  int line = 0, column = 0;  ///< of the caret
};

class Drafts {
 public:
  /// An empty folder keeps nothing.
  explicit Drafts(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}
  /// The draft of a step's file, or nothing.
  std::optional<Draft> load(const std::string& step, const std::filesystem::path& file) const;
  /// Empty on success, else what went wrong.
  std::string keep(const std::string& step, const Draft&) const;
  void drop(const std::string& step) const;

 private:
  std::filesystem::path path(const std::string& step) const;
  std::filesystem::path folder_;
};

}  // namespace dojo::gui
