// The 12 x 8 example on a GPU of 4 SMs: four waves one after the other, three row by row, and the deadlock of a consumer
// that comes first.
#include <doctest/doctest.h>

#include <algorithm>

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
  const RunReport in_order = test::run(test::catalog().find("cusync/stream-order"), run::Who::reference, {}, {}, false).runs.at(0);
  const RunReport by_row = test::run(test::catalog().find("cusync/rowsync"), run::Who::reference, {}, {}, false).runs.at(0);
  REQUIRE_MESSAGE(in_order.status == Status::pass, test::why(in_order));
  REQUIRE_MESSAGE(by_row.status == Status::pass, test::why(by_row));
  REQUIRE(in_order.launches.size() == 2);
  CHECK(in_order.launches[0].wave_utilization == doctest::Approx(0.75));
  CHECK(in_order.launches[1].start_us >= in_order.launches[0].start_us + in_order.launches[0].time_us);
  CHECK(waves_in_all(in_order) == doctest::Approx(4).epsilon(0.01));
  // The library's own instructions are a tenth of such a small tile.
  CHECK(waves_in_all(by_row) == doctest::Approx(3).epsilon(0.04));
}

TEST_CASE("cusync: consumers that come first without a wait kernel are a deadlock, and the finding says so") {
  const Step& step = test::catalog().find("cusync/wait-kernel");
  const RunReport r = test::run(step, run::Who::student, test::catalog().student_file(step).string(), {}, false).runs.at(0);
  CHECK(r.status == Status::finding);
  CHECK(std::any_of(r.diagnostics.begin(), r.diagnostics.end(), [](const Diagnostic& d) { return d.kind == "deadlock"; }));
}
