#pragma once
// What an instructor decides about single students, in one file beside course.toml: extensions, excuses,
// times of submission, and points changed by hand with a comment.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grade/course/course.hpp"

namespace dojo::grade {

struct StudentOverride {
  std::string extension;             ///< "2d", "36h", or a time
  std::string submitted;             ///< instead of what the system says
  std::vector<std::string> excused;  ///< steps that are in no total
};

/// One change of points by hand. Applied after lateness, in the file's order.
struct Adjustment {
  std::string student, step;
  std::optional<double> points;  ///< added; may be below 0
  std::optional<double> set;     ///< instead
  std::string comment;
};

struct Overrides {
  std::map<std::string, StudentOverride> students;
  std::vector<Adjustment> adjustments;
};

/// Throws Error with file and line: an unknown step or key, a time that is none, an adjustment without a
/// comment.
Overrides load_overrides(const fs::path&, const Catalog&, const Course&);

}  // namespace dojo::grade
