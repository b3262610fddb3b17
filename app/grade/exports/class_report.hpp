#pragma once
#include <string>
#include <vector>

#include "grade/course/course.hpp"
#include "grade/row.hpp"
#include "grade/similarity.hpp"

namespace dojo::grade {

/// One offline HTML page for the instructor: distribution per step, commonest messages, pairs that look
/// alike.
std::string class_report(const Course&, const std::vector<Row>&, const std::vector<Pair>&);

}  // namespace dojo::grade
