#pragma once
// The repository that students get: the course's steps without the reference sources. References go along as
// PTX, so that the comparison and the gates still run. Later stages are handed out into the same repository.
#include <string>
#include <vector>

#include "core/labs/lab.hpp"

namespace dojo::grade {

struct HandoutOptions {
  std::string course;   ///< a course.toml; empty: all steps of the catalog
  int stage = 0;        ///< steps up to this stage of the course; 0: all
  bool update = false;  ///< into an earlier handout: adds what is new, changes no student's file
};

struct Handout {
  int labs = 0, steps = 0;
  std::vector<std::string> notes;  ///< what could not go along, and why
};

/// A starter that holds the solution of another step: `starter` has most of what `solved`'s reference adds.
struct Leak {
  std::string solved, starter;
};
std::vector<Leak> leaks(const Catalog&, const std::vector<std::string>& steps);

/// Makes `folder`, which must not exist yet or be empty: labs, references as PTX, the program's sources to
/// build it from, what Gradescope, PrairieLearn and Classroom 50 want. Throws Error; then nothing is made. It
/// refuses a course that `grade` refuses, and one in which a step's starter holds another step's solution,
/// unless course.toml says solved_starters = true.
Handout make_handout(const Catalog&, const std::string& folder, const HandoutOptions&);

}  // namespace dojo::grade
