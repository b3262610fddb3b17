// Plausible mistakes: each is caught, in the way that its head comment says.
#include <doctest/doctest.h>
#include <algorithm>

#include "lab_runs.hpp"

using namespace dojo;

namespace {

/// An empty text when the run is what the version expects, else what is different.
std::string difference(const test::WrongVersion& w, const RunReport& r) {
  if (w.status != to_string(r.status)) return "expected " + w.expect;
  if (!w.kind.empty() || w.line) {
    const bool found = std::any_of(r.diagnostics.begin(), r.diagnostics.end(), [&](const Diagnostic& d) {
      auto here = [&](const SourceLoc& at) { return w.line == 0 || at.line == w.line; };
      const bool there = here(d.where) || std::any_of(d.related.begin(), d.related.end(),
                                                      [&](const Related& o) { return here(o.where); });
      return (w.kind.empty() || d.kind == w.kind) && there;
    });
    if (!found) return "expected " + w.expect;
  }
  if (!w.gate.empty()) {
    const bool failed = std::any_of(r.gates.begin(), r.gates.end(),
                                    [&](const GateReport& g) { return g.name == w.gate && !g.pass; });
    if (!failed) return "expected the gate '" + w.gate + "' to fail";
  }
  return {};
}

}  // namespace

TEST_CASE("every wrong version says which step, which mistake and what to expect") {
  const auto all = test::wrong_versions();
  CHECK(!all.empty());
  for (const auto& w : all) {
    CHECK_MESSAGE(!w.mistake.empty(), w.file.string());
    CHECK_MESSAGE(!w.status.empty(), w.file.string());
    try {
      const Step& s = test::catalog().find(w.step);
      CHECK_MESSAGE(s.id() == w.step, w.file.string());
      // The file's name says the same, so that a step's versions are found by their names.
      CHECK_MESSAGE(w.file.filename().string().starts_with(s.file.substr(0, s.file.size() - 3) + "--"),
                    w.file.string());
      if (!w.gate.empty())
        CHECK_MESSAGE(
            std::any_of(s.gates.begin(), s.gates.end(), [&](const GateDef& g) { return g.expr == w.gate; }),
            w.file.string() << ": the step has no gate '" << w.gate << "'");
    } catch (const Error& e) {
      FAIL_CHECK(w.file.string() << ": " << e.what());
    }
  }
}

TEST_CASE("every wrong version is caught as it expects") {
  for (const auto& w : test::wrong_versions()) {
    try {
      const Step& s = test::catalog().find(w.step);
      if (!test::wanted(s)) continue;
      const RunReport r = test::run(s, run::Who::student, w.file.string()).runs.at(0);
      const std::string d = difference(w, r);
      CHECK_MESSAGE(d.empty(), w.file.filename().string() << ": " << d << "\n" << test::why(r));
    } catch (const std::exception& e) {
      FAIL_CHECK(w.file.string() << ": " << e.what());
    }
  }
}

TEST_CASE("every step has at least one wrong version") {
  const auto all = test::wrong_versions();
  for (const auto& lab : test::catalog().labs)
    for (const auto& s : lab.steps)
      CHECK_MESSAGE(
          std::any_of(all.begin(), all.end(), [&](const test::WrongVersion& w) { return w.step == s.id(); }),
          s.id());
}
