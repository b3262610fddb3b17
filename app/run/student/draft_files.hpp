#pragma once
// Where drafts stand in the data folder and what is in them: text that was typed in the window and is not
// saved yet. The window writes and reads them (gui/model/session/drafts.hpp), the terminal reads them
// (unsaved.hpp).
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dojo::run {

struct Draft {
  std::string file;  ///< the student's file that it belongs to: another checkout has other drafts
  std::string when;  ///< "2026-03-14 15:09:26"
  std::string base;  ///< the file's text when the editing began
  std::string text;
  int line = 0, column = 0;  ///< of the caret
};

/// A draft as it is kept, and the process that wrote it ("4711:98765").
struct KeptDraft {
  Draft draft;
  std::string window;
};

/// "reduce/5-sequential" as a part of a file's name: "reduce+5-sequential".
std::string step_in_names(const std::string& step);

/// "drafts/reduce+5-sequential.json" below the data folder; `mark` tells a further window's from it:
/// "drafts/reduce+5-sequential@4711-1.json".
std::filesystem::path draft_file(const std::filesystem::path& data, const std::string& step,
                                 const std::string& mark = {});
/// All files of a step's drafts that are there, by name.
std::vector<std::filesystem::path> draft_files(const std::filesystem::path& data, const std::string& step);

/// Nothing where the file is not there or holds no draft.
std::optional<KeptDraft> read_draft(const std::filesystem::path&);
/// Empty on success, else what went wrong.
std::string write_draft(const std::filesystem::path&, const KeptDraft&);

}  // namespace dojo::run
