// The hidden sizes of every step: an input that the problem refuses would be left out of every grading.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "grade/secret.hpp"
#include "run/problem_plugin.hpp"
#include "small_class.hpp"

using namespace dojo;

TEST_CASE("every step takes the hidden sizes that grading gives it") {
  const Catalog catalog = load_catalog(DOJO_TEST_ROOT);
  int steps = 0;
  for (const Lab& lab : catalog.labs)
    for (const Step& step : lab.steps) {
      CAPTURE(step.id());
      ++steps;
      try {
        run::problem_of(lab).make(step, grade::hidden_size("a secret of tests", step, 1), 1);
      } catch (const Error& e) {
        FAIL_CHECK(e.what());
      }
    }
  CHECK(steps > 100);
}
