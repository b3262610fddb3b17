#pragma once
// What a student handed in, and the file of it that stands for a step.
#include <map>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "grade/course/course.hpp"

namespace dojo::grade {

struct Submission {
  std::string student;  ///< as exports show it; no two submissions share a name
  fs::path folder;      ///< holds 01-reduce/... or labs/01-reduce/...; or is a single file; or empty
  /// By step: the file that stands for it, where it doesn't lie under the step's own name
  /// (intake/intake.hpp).
  std::map<std::string, fs::path> files;
  std::vector<std::string> unknown;  ///< .cu files that stand for no step, as they were called
  std::vector<std::string> unread;   ///< "work.zip: holds more than 256 MiB; the rest is not read"
  std::string submitted;             ///< when, by the course's wall clock; empty: not known
  /// By step, where attempts of different times count.
  std::map<std::string, std::string> submitted_by_step;
  bool marked_late = false;  ///< by the system that it comes from, which doesn't say by how much
  bool single = false;       ///< one file, graded for its own step only
  const std::string& submitted_of(const std::string& step) const {
    const auto it = submitted_by_step.find(step);
    return it == submitted_by_step.end() ? submitted : it->second;
  }
};

/// intake() for callers that want the submissions alone. Throws Error when nothing is found.
std::vector<Submission> find_submissions(const std::vector<std::string>& paths, const Catalog&);

/// The student's file for a step, or empty when there is none. Refuses links out of the submission.
fs::path file_of(const Submission&, const Step&, const Lab&);

/// What was handed in for a step.
struct HandedIn {
  bool found = false;  ///< a readable regular file of the submission
  std::string name;    ///< as messages name it: "01-reduce/5-sequential.cu"
  std::string text;
  std::string why_not;  ///< for the row, when it wasn't found
};
/// Reads it in this process, so that no worker needs to see the folders of submissions: a regular file of at
/// most 4 MiB, not through a link out of the submission.
HandedIn read_handed_in(const Submission&, const Step&, const Lab&);
/// The same of a file that stands for no step, by its path in the student's folder: "hw1.cu".
HandedIn read_handed_in(const Submission&, const std::string& path);

}  // namespace dojo::grade
