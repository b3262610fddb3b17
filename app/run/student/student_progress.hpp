#pragma once
// How far a student has come: progress.json in the data folder, shared by the command line and the app, which
// may run at the same time. Saving merges into what is there, keeps fields it doesn't know, and replaces the
// file in one step.
#include <map>
#include <set>
#include <string>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo::run {

enum class StepState { fresh, failed, passed };
/// "new", "failed", "passed".
const char* to_string(StepState);

/// What a student has done in a step.
struct StepProgress {
  StepState state = StepState::fresh;
  int hints = 0;           ///< shown so far
  std::string prediction;  ///< as typed; empty: not yet
  bool prediction_skipped = false;
  int runs = 0;
};

class StudentProgress {
 public:
  /// From the data folder. A missing or broken file is an empty start (a broken one is kept as FILE.broken).
  static StudentProgress load();
  /// From a file; an empty path keeps nothing. `problem` says that the file was broken.
  static StudentProgress load(const fs::path& file, std::string* problem = nullptr);
  explicit StudentProgress(fs::path file = {}) : file_(std::move(file)) {}

  const StepProgress& of(const std::string& step_id) const;
  /// To change it; save() writes the steps that were asked for here.
  StepProgress& edit(const std::string& step_id);
  /// A passed step stays passed, whatever is tried later.
  void count_run(const std::string& step_id, Status);
  /// Empty on success, else what went wrong. Runs are added to those that another program counted meanwhile;
  /// of hints shown and of states the further one stays.
  std::string save();

 private:
  fs::path file_;
  std::map<std::string, StepProgress> steps_;
  std::map<std::string, int>
      counted_;  ///< steps to write, with the runs of them that are in the file already
};

}  // namespace dojo::run
