#pragma once
// `warpdojo submit`: a student's files of the course as one zip that the grader takes.
#include <string>
#include <vector>

#include "grade/course/course.hpp"

namespace dojo::grade {

struct Packed {
  std::string zip;
  int files = 0;
  std::vector<std::string> notes;  ///< files that are missing, or as they were handed out
};
/// Throws Error when there is no file at all.
Packed pack_submission(const Catalog&, const Course&);

}  // namespace dojo::grade
