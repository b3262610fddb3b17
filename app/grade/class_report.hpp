#pragma once
#include <string>
#include <vector>

#include "grade/course.hpp"
#include "grade/row.hpp"

namespace dojo::grade {

/// Two submissions of a step whose sources are alike.
struct Pair {
  std::string step, a, b;
  double share = 0;  ///< of common fingerprints, 0..1
};

/// One offline HTML page for the instructor: distribution per step, commonest messages, pairs that look
/// alike.
std::string class_report(const Course&, const std::vector<Row>&, const std::vector<Pair>&);

}  // namespace dojo::grade
