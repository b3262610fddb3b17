// A student's file compiles and fails until it is solved; the solved one, put in its place, passes.
#include <doctest/doctest.h>

#include "../whole_suite.hpp"
#include "grade/grader.hpp"
#include "lab_runs.hpp"

using namespace dojo;

namespace {

/// What the grader gives for the file as it was handed out, from its one run.
double untouched_points(const Step& step, const RunReport& run) {
  grade::CourseStep graded;
  graded.step = step.id();
  Report report;
  report.runs = {run};
  report.runs[0].who = "student";
  return grade::judge(graded, grade::Course{}, step, {report}, {}, grade::starter_of(run)).points;
}

}  // namespace

TEST_CASE("every student file compiles, fails at least one gate or check, and earns nothing untouched") {
  test::Part part("student files");
  double points = 0;
  for (const auto& lab : test::catalog().labs)
    for (const auto& s : lab.steps) {
      if (!test::wanted(s) || !part.takes(s.id())) continue;
      try {
        const RunReport r = test::run(s, run::Who::student).runs.at(0);
        CHECK_MESSAGE(r.status != Status::pass, s.id() << " passes before it is solved");
        CHECK_MESSAGE(r.status != Status::compile_error, s.id() << "\n" << test::why(r));
        CHECK_MESSAGE(r.status != Status::crash, s.id() << "\n" << test::why(r));
        CHECK_MESSAGE(r.status != Status::timeout, s.id() << "\n" << test::why(r));
        points += untouched_points(s, r);
        CHECK_MESSAGE(untouched_points(s, r) == 0, s.id() << " pays for handing in nothing new");
      } catch (const std::exception& e) {
        FAIL_CHECK(s.id() << ": " << std::string(e.what()));
      }
    }
  CHECK(points == 0);
}

TEST_CASE("every reference in the student's place passes, the unoptimised check at a small size included") {
  test::Part part("steps");
  for (const auto& lab : test::catalog().labs)
    for (const auto& s : lab.steps) {
      if (!test::wanted(s) || s.check_size.empty() || !part.takes(s.id())) continue;
      try {
        const RunReport r =
            test::run(s, run::Who::student, test::catalog().reference_file(s).string()).runs.at(0);
        CHECK_MESSAGE(r.status == Status::pass, s.id() << "\n" << test::why(r));
      } catch (const std::exception& e) {
        FAIL_CHECK(s.id() << ": " << std::string(e.what()));
      }
    }
}
