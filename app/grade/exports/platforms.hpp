#pragma once
// Results of one student's submission for platforms that run a grader in a container.
#include <string>
#include <vector>

#include "grade/course/course.hpp"
#include "grade/row.hpp"

namespace dojo::grade {

/// PrairieLearn's external grader: /grade/results/results.json (docs/externalGrading of PrairieLearn). Score
/// from 0 to 1, a test per check, a picture with a bar per step.
std::string prairielearn(const Course&, const std::vector<Row>&);

/// Classroom 50's result.json, schema classroom50/result/v1 ("Advanced Autograding" in
/// foundation50/classroom50's wiki). Its runner gives the names of classroom, assignment and submission as
/// variables of the environment. Its points are whole numbers: each step's are rounded. Throws Error where a
/// variable is missing.
std::string classroom50(const Course&, const std::vector<Row>&);

/// The bars of the picture, as SVG.
std::string points_picture(const std::vector<Row>&);

}  // namespace dojo::grade
