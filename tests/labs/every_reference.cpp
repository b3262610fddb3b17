// Every reference is right, free of findings and passes its gates, at the default size and at awkward ones.
#include <doctest/doctest.h>
#include <algorithm>

#include "../whole_suite.hpp"
#include "lab_runs.hpp"
#include "run/advice.hpp"

using namespace dojo;

namespace {

/// Every extent at its smallest, at one, and at a prime: what a step that takes any size must take.
std::vector<Size> awkward_sizes(const Step& s) {
  std::vector<Size> out;
  for (int64_t v : {0, 1, 37}) {
    Size z = s.size;
    for (auto& [name, extent] : z) extent = v;
    out.push_back(z);
  }
  if (s.size.size() == 1) out.push_back({{s.size.begin()->first, 4099}});
  return out;
}

}  // namespace

TEST_CASE("every reference passes its gates with no finding") {
  test::Part part("references", 16);
  int steps = 0;
  for (const auto& lab : test::catalog().labs)
    for (const auto& s : lab.steps) {
      if (!test::wanted(s) || !part.takes(s.id())) continue;
      ++steps;
      CAPTURE(s.id());
      try {
        const Report r = test::run(s, run::Who::reference);
        REQUIRE(r.runs.size() == 1);
        CHECK_MESSAGE(r.runs[0].status == Status::pass, test::why(r.runs[0]));
        CHECK_MESSAGE(!has_errors(r.runs[0].diagnostics), test::why(r.runs[0]));
        CHECK(r.runs[0].gates.size() == s.gates.size());
        for (const LaunchReport& l : r.runs[0].launches)
          for (const auto& [resource, us] : l.bounds)
            CHECK_MESSAGE(run::resource_title(resource) != resource, resource);
      } catch (const std::exception& e) {
        FAIL_CHECK(s.id() << ": " << std::string(e.what()));
      }
    }
  CHECK(steps > 0);
}

TEST_CASE("every reference is right at sizes of none, one and a prime, or says in one line why not") {
  test::Part part("steps");
  for (const auto& lab : test::catalog().labs)
    for (const auto& s : lab.steps) {
      if (!test::wanted(s) || !part.takes(s.id())) continue;
      for (const Size& size : awkward_sizes(s)) {
        std::string text = s.id();
        for (const auto& [k, v] : size) text += " " + k + "=" + std::to_string(v);
        try {
          const Report r = test::run(s, run::Who::reference, {}, size, false);
          CHECK_MESSAGE(r.runs.at(0).status == Status::pass, text << "\n" << test::why(r.runs[0]));
        } catch (const Error& e) {
          // The step names the sizes that it takes.
          CHECK_MESSAGE(e.exit == 2, text << ": " << e.what());
        } catch (const std::exception& e) {
          FAIL_CHECK(text << ": " << std::string(e.what()));
        }
      }
    }
}
