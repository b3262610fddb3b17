#pragma once
// Totals of a class as CSV for the gradebooks of Canvas and Moodle. Names, e-mail addresses and sections come
// from the roster; without one the student's name stands for all.
#include <string>
#include <vector>

#include "grade/course/course.hpp"
#include "grade/row.hpp"

namespace dojo::grade {

/// Canvas's "Import grades": Student, ID, SIS User ID, SIS Login ID, Section, and a column named after the
/// course, with a line "Points Possible" below the head.
std::string canvas(const Course&, const std::vector<Row>&);

/// Moodle's "Import grades, CSV file": ID number, Full name, Email address, a column named after the course,
/// and feedback with a line per step.
std::string moodle(const Course&, const std::vector<Row>&);

}  // namespace dojo::grade
