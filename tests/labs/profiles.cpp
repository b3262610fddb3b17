// The lab profiles: the report of each file as students get it shows the limiter that the answer names, and
// of the lab's other limiters none, so that the question has one answer. The last step has two by design.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/counters.hpp"
#include "lab_runs.hpp"
#include "run/profile/page.hpp"

using namespace dojo;

namespace {

double share_of_limit(const LaunchReport& l, const std::string& unit) {
  const auto it = l.bounds.find(unit);
  return it == l.bounds.end() ? 0 : it->second / l.time_us;
}

bool scattered(const RunReport& r) {
  const double requests = total(r, "global_requests");
  const double needed = std::max(requests, total(r, "global_lane_bytes") / 32);
  return total(r, "global_sectors") > 1.5 * needed;
}

/// Warps wait for loads, though an SM has most of the warps that it can have and no unit is busy.
bool few_loads_in_flight(const RunReport& r, const LaunchReport& l) {
  for (const char* unit : {"issue", "alu", "fma", "xu", "l1", "lsu", "l2", "atomics", "dram"})
    if (share_of_limit(l, unit) > 0.5) return false;
  double stalls = 0;
  for (const CounterInfo& c : counter_table())
    if (c.alias.starts_with("stall_")) stalls += total(r, c.alias);
  return total(r, "warps_active") > 60 && total(r, "stall_long_scoreboard") > 0.8 * stalls;
}

/// By the words of the lab's choices, before their colon.
std::set<std::string> limiters(const RunReport& r, const ReportDevice& device) {
  const auto& l =
      *std::max_element(r.launches.begin(), r.launches.end(),
                        [](const LaunchReport& a, const LaunchReport& b) { return a.time_us < b.time_us; });
  std::set<std::string> found;
  if (total(r, "dram_bytes") / (r.time_us.value * 1e3) > 0.6 * device.peak_gbps)
    found.insert("DRAM bandwidth");
  if (scattered(r)) found.insert("scattered addresses");
  if (total(r, "shared_conflicts") > 0.3 * total(r, "shared_wavefronts")) found.insert("bank conflicts");
  if (l.occupancy < 0.4) found.insert("low occupancy");
  if (total(r, "lanes_per_instruction") < 24) found.insert("divergence");
  if (few_loads_in_flight(r, l)) found.insert("too few loads in flight");
  if (total(r, "local_sectors") > 0.5 * total(r, "global_sectors")) found.insert("local memory");
  if (l.grid.count() < uint64_t(device.sms)) found.insert("idle SMs");
  const double global_atomics = total(r, "atomics") - total(r, "shared_atomics");
  if (global_atomics > 0.02 * total(r, "instructions")) found.insert("contended atomics");
  return found;
}

}  // namespace

TEST_CASE("profiles: each report shows the limiter of its answer and no other; the solution's does not") {
  int seen = 0;
  for (const auto& lab : test::catalog().labs)
    for (const Step& s : lab.steps) {
      if (lab.name != "profiles" || !test::wanted(s)) continue;
      ++seen;
      CAPTURE(s.id());
      const std::string answer = s.prediction.answer.substr(0, s.prediction.answer.find(':'));
      const Report unsolved = test::run(s, run::Who::student, {}, {}, false);
      const Report solved = test::run(s, run::Who::reference, {}, {}, false);
      std::set<std::string> expected = {answer};
      if (s.name == "votes") expected.insert("scattered addresses");
      CHECK(limiters(unsolved.runs.at(0), unsolved.device) == expected);
      CHECK(!limiters(solved.runs.at(0), solved.device).contains(answer));
      // What the lab promises: removing it is worth the work. Of gain an H100 says 3.1 times
      // (h100-starters.txt).
      CHECK(unsolved.runs.at(0).time_us.value > 1.5 * solved.runs.at(0).time_us.value);
      // The line that the answer names is in the printed report.
      std::string evidence = s.prediction.answer.substr(answer.size() + 2);
      evidence = evidence.substr(0, evidence.find(", "));
      const std::string page = run::profile_text(unsolved.runs.at(0), unsolved.device);
      CHECK_MESSAGE(page.find(evidence) != std::string::npos, evidence);
    }
  CHECK((seen > 0 || std::getenv("WARPDOJO_LAB")));
}

TEST_CASE("profiles: of the two limiters of the last step, the other alone is worth next to nothing") {
  for (const auto& lab : test::catalog().labs)
    for (const Step& s : lab.steps) {
      if (s.id() != "profiles/8-votes" || !test::wanted(s)) continue;
      const fs::path wide = find_root() / "tests" / "lazy" / "17-profiles" / "8-votes--wide-loads-only.cu";
      const Report as_given = test::run(s, run::Who::student, {}, {}, false);
      const Report without_it = test::run(s, run::Who::student, wide, {}, false);
      CHECK(!limiters(without_it.runs.at(0), without_it.device).contains("scattered addresses"));
      CHECK(without_it.runs.at(0).time_us.value > 0.97 * as_given.runs.at(0).time_us.value);
    }
}
