#pragma once
// The outcome of one student's step: a row of every export.
#include <string>
#include <vector>

#include "core/report.hpp"

namespace dojo::grade {

/// One thing that was checked: a result, a gate.
struct Check {
  std::string name;  ///< "right results", "shared_conflicts == 0"
  bool passed = false;
  double points = 0, max_points = 0;
  std::string message;  ///< for the student
};

enum class RowStatus {
  none,  ///< not graded yet
  pass,
  gate_failed,
  wrong,
  compile_error,
  finding,
  timeout,
  crash,
  missing,     ///< no file was found
  flagged,     ///< less work than the problem needs
  not_graded,  ///< the machine failed
};
/// The word of exports and journals: "gate_failed"; of `none` an empty one.
const char* to_string(RowStatus);
/// Throws Error for a word that is none.
RowStatus row_status(const std::string& word);
/// The status of a row whose run ended so.
RowStatus row_status(Status);

struct Row {
  std::string student, lab, step;  ///< step: "5-sequential"
  RowStatus status = RowStatus::none;
  double points = 0, max_points = 0;
  double time_us = 0;  ///< modelled
  std::string model_version, message;
  std::vector<Check> checks;
  std::string deadline;
  bool hidden = false;
  std::string visibility = "visible";  ///< on Gradescope
  std::string submitted;               ///< by the course's wall clock; empty: not known
  bool marked_late = false;            ///< by the system that it was handed in to
  /// Before lateness and adjustments (book/rules.hpp); below 0: they were not looked at.
  double raw_points = -1, raw_max_points = -1;
  int late_days = 0;
  bool counts = true;    ///< false: excused or dropped, so that it is in no total
  bool excused = false;  ///< the student need not do the step; a dropped row is not excused: it was graded
  std::string comment;   ///< what the rules and the instructor did to the points, for the student
  /// What went wrong, in few words that don't depend on lines and figures: "race in reduce_kernel", "gate
  /// shared_conflicts == 0", "known mistake: ...". For counting; empty: nothing.
  std::string problem;
  std::string key() const { return student + "/" + lab + "/" + step; }
};

/// Valid UTF-8 in one line of at most about `most` bytes: what may go into any export.
std::string clean_text(const std::string&, size_t most);

/// What the student may read of a row beside its points: its message, and what was done to the points.
/// Empty for a hidden step.
std::string words_for_student(const Row&);

/// One JSON object in a line, and back. row_from_json throws Error.
std::string to_json(const Row&);
Row row_from_json(const std::string&);

}  // namespace dojo::grade
