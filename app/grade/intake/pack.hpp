#pragma once
// `warpdojo submit`: a student's files of the course as one zip that the grader takes.
#include <filesystem>
#include <string>
#include <vector>

#include "grade/course/course.hpp"

namespace dojo::grade {

struct Packed {
  std::string zip;
  int files = 0;
  std::vector<std::string>
      notes;  ///< files that are missing, as handed out, or with unsaved text in the window
};
/// `data`: the data folder, whose drafts are text that the window has and the zip has not. Throws Error when
/// there is no file at all.
Packed pack_submission(const Catalog&, const Course&, const std::filesystem::path& data = {});

}  // namespace dojo::grade
