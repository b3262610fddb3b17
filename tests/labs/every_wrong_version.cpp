// Plausible mistakes: each is caught, in the way that its head comment says.
#include <doctest/doctest.h>
#include <algorithm>

#include "../whole_suite.hpp"
#include "core/counters.hpp"
#include "core/files/whole_file.hpp"
#include "grade/references.hpp"
#include "lab_runs.hpp"

using namespace dojo;

TEST_CASE("every wrong version says which step, which mistake and what to expect") {
  const auto all = test::wrong_versions();
  CHECK(!all.empty());
  for (const auto& w : all) {
    const run::Expected expected = run::parse_expected(w.expect);
    CHECK_MESSAGE(!w.words.empty(), w.file.string());
    CHECK_MESSAGE(!expected.status.empty(), w.file.string());
    try {
      const Step& s = test::catalog().find(w.step);
      CHECK_MESSAGE(s.id() == w.step, w.file.string());
      // The file's name says the same, so that a step's versions are found by their names.
      CHECK_MESSAGE(w.file.filename().string().starts_with(s.file.substr(0, s.file.size() - 3) + "--"),
                    w.file.string());
      if (!expected.gate.empty())
        CHECK_MESSAGE(std::any_of(s.gates.begin(), s.gates.end(),
                                  [&](const GateDef& g) { return g.expr == expected.gate; }),
                      w.file.string() << ": the step has no gate '" << expected.gate << "'");
    } catch (const Error& e) {
      FAIL_CHECK(w.file.string() << ": " << std::string(e.what()));
    }
  }
}

TEST_CASE("every wrong version is caught as it expects, within the instructions that grading allows") {
  test::Part part("wrong versions");
  for (const auto& w : test::wrong_versions()) {
    try {
      const Step& s = test::catalog().find(w.step);
      if (!test::wanted(s) || !part.takes(w.file.filename().string())) continue;
      const RunReport reference = test::run(s, run::Who::reference, {}, {}, false).runs.at(0);
      // A few say that grading stops them first.
      const bool stopped =
          read_file(w.file).value_or("").find("\n// in grading: timeout") != std::string::npos;
      const uint64_t most = stopped ? 0 : grade::most_instructions(total(reference, "instructions"));
      constexpr int time_limit_s = 300;  // none expects the limit: it must not judge on a busy machine
      const RunReport r =
          test::run(s, run::Who::student, w.file.string(), {}, true, most, time_limit_s).runs.at(0);
      const std::string d = run::unlike_expected(w.expect, r);
      CHECK_MESSAGE(d.empty(), w.file.filename().string() << ": " << d << "\n" << test::why(r));
    } catch (const std::exception& e) {
      FAIL_CHECK(w.file.string() << ": " << std::string(e.what()));
    }
  }
}

TEST_CASE("every step has at least one wrong version") {
  const auto all = test::wrong_versions();
  for (const auto& lab : test::catalog().labs)
    for (const auto& s : lab.steps)
      CHECK_MESSAGE(
          std::any_of(all.begin(), all.end(), [&](const run::StoredMistake& w) { return w.step == s.id(); }),
          s.id());
}
