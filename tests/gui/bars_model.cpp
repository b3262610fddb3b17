// Bars of times: what stands beside the run, and how far the axis goes.
#include <doctest/doctest.h>

#include "../near.hpp"
#include "fixtures.hpp"
#include "gui/model/plots/plots.hpp"

using namespace dojo;
using namespace dojo::gui;

namespace {
Step step_with(double us, Size size, double gbps = 0) {
  Step s;
  s.published.push_back({"theirs", "words", "A5000", "a course", us, gbps, "", std::move(size)});
  return s;
}
std::vector<const Bar*> all(const Bars& b) {
  std::vector<const Bar*> out;
  for (auto& x : b.bars) out.push_back(&x);
  return out;
}
}  // namespace

TEST_CASE("a published time is a bar beside runs of its own size only; for others a line says where it is") {
  const Report r = test::make_report("demo/1-first", {}, {"reference"});
  const Step same = step_with(60, r.size), other = step_with(60, {{"n", 33554432}}), none = step_with(60, {});
  CHECK(time_bars(&same, &r, nullptr).bars.size() == 3);
  CHECK(time_bars(&same, &r, nullptr).elsewhere.empty());
  CHECK(time_bars(&other, &r, nullptr).bars.size() == 2);
  CHECK(time_bars(&other, &r, nullptr).elsewhere == "Not drawn: published figures for n = 2^25.");
  // A time that names no size can't be compared with anything.
  CHECK(time_bars(&none, &r, nullptr).bars.size() == 2);
  CHECK(time_bars(&none, &r, nullptr).elsewhere.empty());
  // A rate can, and says of which size it is.
  const Step rate = step_with(0, {{"n", 33554432}}, 300);
  const Bars b = bandwidth_bars(&rate, &r);
  REQUIRE(b.bars.back().series == Series::published);
  CHECK(b.bars.back().detail.find("at n = 33,554,432 (2^25)") != std::string::npos);
}

TEST_CASE("a run that did not compute the answer has no bar of bandwidth and no point under the roof") {
  Report r = test::make_report("demo/1-first", {}, {"reference"});
  for (auto& run : r.runs) run.flops = run.bytes;
  const size_t bars = bandwidth_bars(nullptr, &r).bars.size(), points = roofline(&r).points.size();
  REQUIRE(bars > 1);
  REQUIRE(points > 1);
  for (auto& run : r.runs)
    if (run.who == "student") run.status = Status::wrong;
  CHECK(bandwidth_bars(nullptr, &r).bars.size() == bars - 1);
  CHECK(roofline(&r).points.size() == points - 1);
}

TEST_CASE("a published bar never makes the run's own too short to compare") {
  const Report r = test::make_report("demo/1-first", {}, {"reference"});
  Bars b = time_bars(nullptr, &r, nullptr);
  REQUIRE(b.bars.size() == 2);
  const double own = std::max(b.bars[0].value, b.bars[1].value);
  CHECK(axis_end(all(b), 0) == dojo::tolerance::within(own * 1.12));
  for (double times : {0.5, 2.0, 3.0}) {
    const Step near = step_with(own * times, r.size);
    CHECK(axis_end(all(time_bars(&near, &r, nullptr)), 0) ==
          dojo::tolerance::within(own * std::max(1.0, times) * 1.12));
  }
  const Step far = step_with(own * 300, r.size);
  CHECK(axis_end(all(time_bars(&far, &r, nullptr)), 0) == dojo::tolerance::within(own * 1.12));
  // Alone it sets the axis; the peak counts as the run's own.
  const Bar theirs{"theirs", "", Series::published, 500, 0, 0, ""};
  CHECK(axis_end({&theirs}, 0) == dojo::tolerance::within(560));
  CHECK(axis_end({&theirs}, 3352) == dojo::tolerance::within(3352 * 1.12));
  CHECK(axis_end({}, 0) == 1);
}

TEST_CASE(
    "a run that has no stalls, bounds or lanes has no bars for them, and units are written as Nsight Compute "
    "does") {
  Report r = test::make_report("demo/1-first", {}, {"reference"});
  for (auto& l : r.runs[1].launches)
    l.counters["smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio"] = 9;
  for (auto& l : r.runs[0].launches) l.counters.clear(), l.bounds.clear();
  for (const Pairs& p : {stall_pairs(&r), bound_pairs(&r), lane_pairs(&r)}) {
    CHECK_FALSE(p.empty());
    CHECK_FALSE(p.has_student);
    CHECK(p.has_reference);
  }
  CHECK(stall_pairs(&r).rows.front().label == "MIO throttle");
}
