#pragma once
// Where submissions are: STUDENT/01-reduce/5-sequential.cu below the paths given.
#include <string>
#include <vector>

#include "core/lab.hpp"
#include "grade/course.hpp"

namespace dojo::grade {

struct Submission {
  std::string student;  ///< as exports show it; no two folders share a name
  fs::path folder;      ///< holds 01-reduce/... or labs/01-reduce/...; or is a single file
};

/// A path is a student's folder, a folder of students' folders, or one .cu file whose name is a step's.
/// Symbolic links that lead outside the path given are not followed. Throws Error when nothing is found.
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

}  // namespace dojo::grade
