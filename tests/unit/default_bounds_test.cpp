// What passes by the counters of loads is bounded in steps whose gates look at them.
#include "run/verdict/default_bounds.hpp"

#include <doctest/doctest.h>

#include "run/verdict/working.hpp"

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

TEST_CASE("reads of surfaces are bounded where a gate looks at global loads, and nowhere else") {
  const Step loads = step_with("global_load_lane_bytes <= 4 * n"),
             stores = step_with("global_store_sectors <= n"), none = step_with("launches == 1");
  const RunReport reference = passing("ptx:ld.global.f32", 100);
  const RunReport surface = passing("l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum", 65);
  REQUIRE(run::broken_bounds(loads, surface, reference).size() == 1);
  CHECK(run::broken_bounds(loads, surface, reference)[0].name ==
        "default: surface_reads <= 2 * reference(self) + 64");
  CHECK(run::broken_bounds(stores, surface, reference).empty());
  CHECK(run::broken_bounds(none, surface, reference).empty());
  CHECK(run::broken_bounds(loads, surface, surface).empty());
}

TEST_CASE("host code that computes with what kernels stored is bounded, and calls cost it nothing") {
  const auto run = [](double instructions, double calls, bool read) {
    RunReport r = passing("dojo__host_inst_executed.sum", instructions);
    r.launches[0].counters["dojo__host_api_calls.sum"] = calls;
    if (read) r.launches[0].counters[run::read_by_host_counter] = 1;
    return r;
  };
  const Step step = step_with("launches == 1");
  const RunReport reference = run(48, 3, false);
  const auto sums = run(208, 3, true);  // 64 sums, each a load and an addition
  REQUIRE(run::broken_bounds(step, sums, reference).size() == 1);
  CHECK(run::broken_bounds(step, sums, reference)[0].name ==
        "default: host_work_on_results <= 1 * reference(self) + 96");
  CHECK(run::broken_bounds(step, run(208, 3, false), reference).empty());
  CHECK(run::broken_bounds(step, run(208, 9, true), reference).empty());  // a loop of launches
  CHECK(run::broken_bounds(step, sums, run(208, 3, true)).empty());
  // A search that reads a counter in managed memory per level: two calls, a launch, and seven instructions.
  RunReport levels = run(30 * (2 * 20 + 7) + 60, 30 * 2, true);
  CHECK(run::broken_bounds(step, levels, reference).size() == 1);
  levels.launches.resize(30, passing("smsp__inst_executed.sum", 1).launches[0]);
  CHECK(run::broken_bounds(step, levels, reference).empty());
  for (size_t i = 1; i < 30; ++i) levels.launches[i].counters[idle_counter] = 1;  // launched for show
  CHECK(run::broken_bounds(step, levels, reference).size() == 1);
}

TEST_CASE("a gate that bounds a counter takes the place of the default bound on it") {
  const RunReport reference = passing("ptx:ld.global.f32", 100);
  const RunReport fetches = passing("l1tex__t_requests_pipe_tex_mem_texture.sum", 65),
                  surface = passing("l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum", 65);
  const Step step = step_with("global_load_sectors + texture_sectors <= n");
  CHECK(run::broken_bounds(step, fetches, reference).empty());
  CHECK(run::broken_bounds(step, surface, reference).size() == 1);
  CHECK(
      run::broken_bounds(step_with("texture_requests >= global_load_requests"), fetches, reference).size() ==
      1);
}

TEST_CASE("a broken bound is left out where a gate says the same") {
  RunReport slow = passing("ptx:ld.global.f32", 100);
  slow.time_us.value = 1000;
  RunReport reference = passing("ptx:ld.global.f32", 100);
  reference.time_us.value = 10;
  const auto broken = run::broken_bounds(step_with("time_us <= 2 * reference(self)"), slow, reference);
  REQUIRE(broken.size() == 1);
  CHECK(!run::said_by_a_gate(broken[0], slow));
  GateReport gate;
  gate.name = "time_us <= 2 * reference(self)";
  gate.pass = false;
  slow.gates = {gate};
  CHECK(run::said_by_a_gate(broken[0], slow));
  slow.gates[0].pass = true;
  CHECK(!run::said_by_a_gate(broken[0], slow));
  slow.gates[0] = {.name = "kernel(urgent).time_us <= 2 * reference(self)"};
  CHECK(!run::said_by_a_gate(broken[0], slow));
}
