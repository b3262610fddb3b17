// The 12 x 8 example on a GPU of 4 SMs: four waves one after the other, three row by row, and the deadlock of
// a consumer that comes first.
#include <doctest/doctest.h>

#include <algorithm>

#include "../near.hpp"
#include "lab_runs.hpp"

using namespace dojo;

namespace {

/// The time from the first start to the last end, in units of a block of the first launch.
double waves_in_all(const RunReport& r) {
  double start = 1e300, end = 0;
  for (const LaunchReport& l : r.launches) {
    start = std::min(start, l.start_us);
    end = std::max(end, l.start_us + l.time_us);
  }
  const LaunchReport& first = r.launches.front();  // 6 blocks on 4 SMs: two waves
  return (end - start) / (first.time_us / 2);
}

}  // namespace

TEST_CASE("cusync: stream order takes four waves, RowSync three") {
  const RunReport in_order =
      test::run(test::catalog().find("cusync/stream-order"), run::Who::reference, {}, {}, false).runs.at(0);
  const RunReport by_row =
      test::run(test::catalog().find("cusync/rowsync"), run::Who::reference, {}, {}, false).runs.at(0);
  REQUIRE_MESSAGE(in_order.status == Status::pass, test::why(in_order));
  REQUIRE_MESSAGE(by_row.status == Status::pass, test::why(by_row));
  REQUIRE(in_order.launches.size() == 2);
  CHECK(in_order.launches[0].wave_utilization == dojo::tolerance::within(0.75));
  CHECK(in_order.launches[1].start_us >= in_order.launches[0].start_us + in_order.launches[0].time_us);
  CHECK(waves_in_all(in_order) == dojo::tolerance::within(4, 0.01));
  // The library's own instructions are a tenth of such a small tile.
  CHECK(waves_in_all(by_row) == dojo::tolerance::within(3, 0.04));
}

TEST_CASE("cusync: consumers that come first without a wait kernel are a deadlock, and the finding says so") {
  const Step& step = test::catalog().find("cusync/wait-kernel");
  const RunReport r =
      test::run(step, run::Who::student, test::catalog().student_file(step).string(), {}, false).runs.at(0);
  CHECK(r.status == Status::finding);
  CHECK(std::any_of(r.diagnostics.begin(), r.diagnostics.end(),
                    [](const Diagnostic& d) { return d.kind == FindingKind::deadlock; }));
}

// An H100 hung in a recording of step 5: nothing orders two streams, and 16384 consumers took every place
// before the producer came.
TEST_CASE("cusync: where no wait kernel is launched, consumers leave room for their producer on any GPU") {
  constexpr int fewest_places = 160;  // ten SMs of 16 blocks, which is compute capability 7.5's limit
  int overlapping = 0;
  for (const Lab& lab : test::catalog().labs) {
    if (lab.name != "cusync") continue;
    for (const Step& step : lab.steps) {
      const auto of_streams = [](const RunReport& r) {
        return std::any_of(r.launches.begin(), r.launches.end(),
                           [&](const LaunchReport& l) { return l.stream != r.launches[0].stream; });
      };
      const auto held_back = [](const RunReport& r) {
        return std::any_of(r.launches.begin(), r.launches.end(), [](const LaunchReport& l) {
          return l.kernel.find("cusync_wait_kernel") != std::string::npos;
        });
      };
      CAPTURE(step.id());
      const RunReport small = test::run(step, run::Who::reference, {}, {}, false).runs.at(0);
      REQUIRE_MESSAGE(small.status == Status::pass, test::why(small));
      if (!of_streams(small) || held_back(small)) continue;
      ++overlapping;
      const RunReport large = test::run(step, run::Who::reference, {}, step.gpu_size, false).runs.at(0);
      REQUIRE_MESSAGE(large.status == Status::pass, test::why(large));
      CHECK(
          (held_back(large) || large.launches.back().grid.x * large.launches.back().grid.y < fewest_places));
    }
  }
  CHECK(overlapping >= 3);
}
