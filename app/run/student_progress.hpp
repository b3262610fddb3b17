#pragma once
// How far a student has come: progress.json in the data folder, shared by the command line and the app.
// Saving merges into what is there, keeps fields it doesn't know, and replaces the file in one step.
#include <map>
#include <string>

#include "core/lab.hpp"
#include "core/report.hpp"

namespace dojo::run {

class StudentProgress {
 public:
  /// From the data folder. A missing or broken file is an empty start (a broken one is kept as FILE.broken).
  static StudentProgress load();
  explicit StudentProgress(fs::path file = {}) : file_(std::move(file)) {}
  static StudentProgress load(const fs::path& file);

  /// "new", "failed" or "passed".
  std::string state(const std::string& step_id) const;
  int hints(const std::string& step_id) const;
  /// A passed step stays passed, whatever is tried later. False when the file can't be written.
  bool note_run(const std::string& step_id, Status);
  bool note_hints(const std::string& step_id, int shown);

 private:
  struct Entry {
    std::string state = "new";
    int hints = 0, runs = 0;
  };
  bool save(const std::string& step_id);
  fs::path file_;
  std::map<std::string, Entry> steps_;
};

}  // namespace dojo::run
