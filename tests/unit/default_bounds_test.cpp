// What passes by the counters of loads is bounded in steps whose gates look at them.
#include "run/verdict/default_bounds.hpp"

#include <doctest/doctest.h>

using namespace dojo;

namespace {

RunReport passing(const std::string& counter, double value) {
  RunReport r;
  r.status = Status::pass;
  r.launches.resize(1);
  r.launches[0].counters[counter] = value;
  return r;
}

Step step_with(const std::string& gate) {
  Step s;
  s.gates.resize(1);
  s.gates[0].expr = gate;
  return s;
}

}  // namespace

TEST_CASE("bulk copies and fragment loads are bounded where a gate looks at loads, and nowhere else") {
  const Step bytes = step_with("global_load_lane_bytes <= 4 * n"),
             sectors = step_with("global_load_sectors <= n"), none = step_with("launches == 1");
  const RunReport reference = passing("ptx:ld.global.f32", 100);
  const RunReport bulk = passing("ptx:cp.async.bulk.shared::cluster.global", 65);
  const RunReport fragments = passing("ptx:wmma.load.a.sync.aligned.row.m16n16k16.global.f16", 65);

  REQUIRE(run::broken_bounds(bytes, bulk, reference).size() == 1);
  CHECK(run::broken_bounds(bytes, bulk, reference)[0].name ==
        "default: bulk_copies <= 2 * reference(self) + 64");
  CHECK(run::broken_bounds(sectors, bulk, reference).size() == 1);
  CHECK(run::broken_bounds(none, bulk, reference).empty());
  CHECK(run::broken_bounds(bytes, bulk, bulk).empty());

  CHECK(run::broken_bounds(bytes, fragments, reference).size() == 1);
  CHECK(run::broken_bounds(sectors, fragments, reference).empty());  // their sectors are counted
  CHECK(run::broken_bounds(none, fragments, reference).empty());
}
