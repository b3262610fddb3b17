#pragma once
// The repository that students get: labs without the reference sources. References go along as PTX, so that
// the comparison and the gates still run.
#include <string>
#include <vector>

#include "core/lab.hpp"

namespace dojo::grade {

struct Handout {
  int labs = 0, steps = 0;
  std::vector<std::string> notes;  ///< what could not go along, and why
};

/// Makes `folder`, which must not exist yet or be empty: labs, references as PTX, the program's sources to
/// build it from, a workflow for GitHub Classroom, and what Gradescope wants (folder gradescope). `course`: a
/// course.toml to go along, or empty. Throws Error.
Handout make_handout(const Catalog&, const std::string& folder, const std::string& course);

}  // namespace dojo::grade
