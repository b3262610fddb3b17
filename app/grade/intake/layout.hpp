#pragma once
// Names that systems and students give to what is handed in.
#include <optional>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"

namespace dojo::grade {

/// Whose it is, from a name that a course system made.
struct NamedBySystem {
  std::string student;  ///< "doejane", "Jane Doe"
  std::string id;       ///< the system's own number of the student or the submission
  std::string rest;     ///< what follows: a file's own name, or empty
  bool late = false;    ///< Canvas says so, but not by how much
};
/// Canvas's "Download submissions": doejane_12345_678901_5-sequential.cu, doejane_LATE_12345_678901_hw.zip.
std::optional<NamedBySystem> by_canvas(const std::string& name);
/// Moodle's "Download all submissions": "Jane Doe_12345_assignsubmission_file_", a folder or before a file's
/// name.
std::optional<NamedBySystem> by_moodle(const std::string& name);
/// A folder of Gradescope's export: submission_12345.
std::optional<std::string> by_gradescope(const std::string& name);

/// One submission of Gradescope's submission_metadata.yml.
struct GradescopeEntry {
  std::string folder;  ///< submission_12345
  struct Submitter {
    std::string name, id, email;
  };
  std::vector<Submitter> submitters;
  std::string created_at;
};
std::vector<GradescopeEntry> read_gradescope(const std::string& yaml);

/// "attempt-2", "Try 3", "v2", "submission_1": its number. Nothing for other names.
std::optional<int> attempt_number(const std::string& name);

/// Lower case without accents, words joined by one '-', leading zeros of numbers dropped: "05_Sequential (1)"
/// -> "5-sequential-1". Both normal forms of Unicode give one text.
std::string plain_name(const std::string&);

/// The lab that a folder's name means: "01-Reduce", "1-reduce", "reduce", "lab1", "01". Null: none.
const Lab* lab_named(const Catalog&, const std::string& folder);

/// The name without ".cu", as students and their systems save it: ".CU", a blank behind it, ".cu.txt".
/// Nothing for what is no source by its name.
std::optional<std::string> source_stem(const std::string& file);

/// How well a file's name says a step.
enum class NameMatch {
  none,
  similar,   ///< with what systems and copies add ("5-sequential-1", "Copy of 5-sequential", "5-sequential
             ///< (2)"), or without its number
  spelling,  ///< but for case, separators and zeros
  exact,
};
NameMatch match_name(const std::string& file, const Step&);

/// Folders that no submission's files are looked for in: .git, __MACOSX, build, starters, reference, tests.
bool skipped_folder(const std::string& name);

}  // namespace dojo::grade
