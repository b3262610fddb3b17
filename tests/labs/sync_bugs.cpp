// The lab sync-bugs asks what the checker will report of each file as students get it. The answer must be
// what a run of that file reports, and of the other choices none may be right as well.
#include <doctest/doctest.h>

#include <cstdlib>
#include <set>

#include "lab_runs.hpp"

using namespace dojo;

namespace {

/// A finding in the words of the lab's choices; empty for a kind that no choice names.
std::string in_words(const Diagnostic& d) {
  if (d.kind == FindingKind::race)
    return d.message.starts_with("Race in block ") ? "a race in shared memory" : "a race in global memory";
  if (d.kind == FindingKind::out_of_bounds) return "an access outside an array";
  if (d.kind == FindingKind::barrier_divergence) return "a barrier that not all threads reach";
  if (d.kind == FindingKind::uninitialized) return "a read of memory that was never written";
  return "";
}

/// The choices of the step that are true of a run. Without a finding: that nothing is found.
std::set<std::string> true_choices(const Step& s, const RunReport& r) {
  std::set<std::string> found;
  for (const Diagnostic& d : r.diagnostics) {
    const std::string words = in_words(d);
    const auto& choices = s.prediction.choices;
    if (std::find(choices.begin(), choices.end(), words) != choices.end()) found.insert(words);
  }
  if (r.diagnostics.empty()) found.insert("nothing, or a failed gate only");
  return found;
}

}  // namespace

TEST_CASE("sync-bugs: the answer of each prediction is what a run of the file reports, and the only one") {
  int seen = 0;
  for (const auto& lab : test::catalog().labs)
    for (const Step& s : lab.steps) {
      if (lab.name != "sync-bugs" || !test::wanted(s)) continue;
      ++seen;
      CAPTURE(s.id());
      const Report as_given = test::run(s, run::Who::student);
      CHECK_MESSAGE(true_choices(s, as_given.runs.at(0)) == std::set<std::string>{s.prediction.answer},
                    test::why(as_given.runs.at(0)));
    }
  CHECK((seen > 0 || std::getenv("WARPDOJO_LAB")));
}
