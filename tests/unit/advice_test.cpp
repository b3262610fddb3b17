#include <doctest/doctest.h>

#include "../has.hpp"
#include "run/advice.hpp"

using namespace dojo;
using namespace dojo::run;
using dojo::test::has;

namespace {

RunReport plain() {
  RunReport r;
  r.time_us.value = 10;
  LaunchReport l;
  l.time_us = 10;
  l.grid = {1320, 1, 1};
  l.block = {256, 1, 1};
  l.occupancy = 1;
  l.blocks_per_sm = 8;
  l.waves = 10;
  l.wave_utilization = 1;
  l.bounds = {{"dram", 9.5}, {"issue", 4}};
  r.launches.push_back(l);
  return r;
}

const Advice* of(const std::vector<Advice>& all, const std::string& kind) {
  for (const auto& a : all)
    if (a.kind == kind) return &a;
  return nullptr;
}

}  // namespace

TEST_CASE("advice names the resource that binds, with its share, and the next one") {
  const auto all = advise(plain(), {});
  REQUIRE(!all.empty());
  CHECK(all[0].kind == "bound");
  CHECK(has(all[0].text, "DRAM bandwidth"));
  CHECK(has(all[0].text, "95 %"));
  CHECK(has(all[0].text, "instruction issue"));
  CHECK(all.size() == 1);
}

TEST_CASE("where nothing is near its limit, the advice is to have more under way") {
  RunReport r = plain();
  r.launches[0].bounds = {{"dram", 2}, {"issue", 3}};
  const auto all = advise(r, {});
  CHECK(has(all.at(0).text, "mostly wait"));
  CHECK(all[0].lab == "occupancy");
}

TEST_CASE("conflicts are named with their number and the line that has most of them") {
  RunReport r = plain();
  auto& c = r.launches[0].counters;
  c["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] = 70;
  c["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 95;
  r.launches[0].lines = {{"a.cu", 7, {{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 20}}},
                         {"a.cu", 9, {{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 50}}}};
  const auto all = advise(r, {});
  const Advice* a = of(all, "conflicts");
  REQUIRE(a);
  CHECK(has(a->text, "70 of 95"));
  CHECK(a->line == 9);
  CHECK(a->lab == "banks");
}

TEST_CASE("uncoalesced access, extra traffic, idle lanes, a tail, low occupancy and gaps are each seen") {
  RunReport r = plain();
  auto& l = r.launches[0];
  l.counters["dojo__lane_bytes_global_op_ld.sum"] = 128;
  l.counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 32;
  l.counters["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] = 1;
  l.counters["dram__bytes_read.sum"] = 3000;
  l.counters["smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"] = 8;
  r.bytes = 1000;
  l.waves = 1.1;
  l.wave_utilization = 0.55;
  l.occupancy = 0.25;
  l.occupancy_limiter = "registers";
  l.registers = 128;
  r.launches.push_back(l);
  r.launches[1].time_us = 1;
  r.time_us.value = 20;
  const auto all = advise(r, {});
  REQUIRE(of(all, "coalescing"));
  CHECK(has(of(all, "coalescing")->text, "32.0 sectors"));
  CHECK(of(all, "traffic"));
  CHECK(of(all, "lanes"));
  CHECK(of(all, "tail"));
  REQUIRE(of(all, "occupancy"));
  CHECK(has(of(all, "occupancy")->text, "128 per thread"));
  CHECK(of(all, "launch"));
}

TEST_CASE("a good run near the ceiling gets no complaints, and an empty one none at all") {
  RunReport r = plain();
  r.gbps = 3100;
  r.pct_of_peak_bandwidth = 92;
  const auto all = advise(r, {});
  CHECK(all.size() == 2);
  CHECK(of(all, "ceiling"));
  CHECK(advise({}, {}).empty());
}

TEST_CASE("atomics on one address are named as what binds, with advice of their own") {
  RunReport r = plain();
  r.launches[0].bounds = {{"dram", 5.3}, {"l2", 4.2}, {"atomics", 7.2}};
  const auto all = advise(r, {});
  CHECK(has(all.at(0).text, "atomics on one address"));
  CHECK(has(all[0].text, "one atomic"));
  CHECK(!has(all[0].text, "L2 bandwidth"));
  CHECK(all[0].lab == "privatisation");
}

TEST_CASE(
    "no bound is told to take longer than the run, and gaps between launches are not the kernels' time") {
  RunReport r = plain();
  r.launches[0].bounds = {{"l2", 11.7}, {"issue", 4}};
  const std::string whole = advise(r, {}).at(0).text;
  CHECK(has(whole, "explains the whole 10.00 us"));
  CHECK(!has(whole, "117 %"));
  CHECK(!has(whole, "11.7"));
  r.launches[0].bounds = {{"l2", 8}};
  r.time_us.value = 12;
  CHECK(has(advise(r, {}).at(0).text, "8.00 of the kernels' 10.00 us (80 %)"));
}

TEST_CASE("a run with a wrong result is not told that it is near the ceiling") {
  RunReport r = plain();
  r.gbps = 4752;
  r.pct_of_peak_bandwidth = 142;
  r.status = Status::wrong;
  CHECK(!of(advise(r, {}), "ceiling"));
}
