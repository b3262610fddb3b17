#pragma once
// Grades submissions: each step of each student is run in a worker child on hidden inputs, and becomes a row.
#include <functional>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "core/report.hpp"
#include "grade/course/course.hpp"
#include "grade/course/starter.hpp"
#include "grade/row.hpp"
#include "grade/submission.hpp"
#include "run/sandbox/sandbox.hpp"

namespace dojo::grade {

class SharedWork;

struct GradeOptions {
  Course course;
  std::string secret;
  int seeds = 0;                  ///< 0: the course's
  int jobs = 1;                   ///< worker children at a time
  int threads = 0;                ///< of each; 0: one when there are several children, else all cores
  std::function<bool()> stopped;  ///< Ctrl+C
  std::function<void(const Row&, int done, int all)>
      row;  ///< as each row is there; called from one thread at a time
  std::function<bool(const std::string& key)> skip;  ///< rows that are there already (--resume)
  run::Sandbox sandbox;                              ///< of the workers
  std::function<void(const std::string&)> note;      ///< for the instructor: an input left out, and why
  const SharedWork* shared = nullptr;                ///< other tasks grade the same submissions
};

/// The keys of the rows that a grading makes, in the order students, steps.
std::vector<std::string> row_keys(const Catalog&, const std::vector<Submission>&, const Course&);

/// Runs all rows; each submission gets one for every step of the course. A crash, a hang or a broken file
/// costs its own row only. With `shared`, the rows that no other task takes. Rows come back in the order
/// students, steps.
std::vector<Row> grade_all(const Catalog&, const std::vector<Submission>&, const GradeOptions&);

/// How a message goes on when a stored wrong version fails alike; its words follow.
inline constexpr const char* mistake_words = " This looks like a known mistake: ";

/// The row that reports of the runs on several inputs make. `reports[0]` was run with gates, on the input
/// that students may know; messages about the others tell no sizes. `references`: the reference's runs on
/// the same inputs, for the default bounds (run/verdict/default_bounds.hpp); fewer or none: not looked at.
/// `starter`: what the unsolved file has already, which earns nothing.
Row judge(const CourseStep&, const Course&, const Step&, const std::vector<Report>& reports,
          const std::vector<RunReport>& references = {}, const Starter& starter = {});

}  // namespace dojo::grade
