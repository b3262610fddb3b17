// A student's file compiles and fails until it is solved; the solved one, put in its place, passes.
#include <doctest/doctest.h>

#include "lab_runs.hpp"

using namespace dojo;

TEST_CASE("every student file compiles and fails at least one gate or check") {
  for (const auto& lab : test::catalog().labs)
    for (const auto& s : lab.steps) {
      if (!test::wanted(s)) continue;
      try {
        const RunReport r = test::run(s, run::Who::student).runs.at(0);
        CHECK_MESSAGE(r.status != Status::pass, s.id() << " passes before it is solved");
        CHECK_MESSAGE(r.status != Status::compile_error, s.id() << "\n" << test::why(r));
        CHECK_MESSAGE(r.status != Status::crash, s.id() << "\n" << test::why(r));
        CHECK_MESSAGE(r.status != Status::timeout, s.id() << "\n" << test::why(r));
      } catch (const std::exception& e) {
        FAIL_CHECK(s.id() << ": " << e.what());
      }
    }
}

TEST_CASE("every reference in the student's place passes, the unoptimised check at a small size included") {
  for (const auto& lab : test::catalog().labs)
    for (const auto& s : lab.steps) {
      if (!test::wanted(s) || s.check_size.empty()) continue;
      try {
        const RunReport r =
            test::run(s, run::Who::student, test::catalog().reference_file(s).string()).runs.at(0);
        CHECK_MESSAGE(r.status == Status::pass, s.id() << "\n" << test::why(r));
      } catch (const std::exception& e) {
        FAIL_CHECK(s.id() << ": " << e.what());
      }
    }
}
