#pragma once
// Where submissions are: STUDENT/01-reduce/5-sequential.cu below the paths given.
#include <string>
#include <vector>

#include "core/lab.hpp"
#include "grade/course.hpp"

namespace dojo::grade {

struct Submission {
  std::string student;
  fs::path folder;  ///< holds 01-reduce/... or labs/01-reduce/...; or is a single file
};

/// A path is a student's folder, a folder of students' folders, or one .cu file whose name is a step's.
/// Symbolic links that lead outside the path given are not followed. Throws Error when nothing is found.
std::vector<Submission> find_submissions(const std::vector<std::string>& paths, const Catalog&);

/// The student's file for a step, or empty when there is none. Refuses links out of the submission.
fs::path file_of(const Submission&, const Step&, const Lab&);

}  // namespace dojo::grade
