// The page of a launch under Nsight Compute's section and metric names.
#include <doctest/doctest.h>

#include <optional>

#include "run/profile/page.hpp"
#include "simt/gpu/device_model.hpp"

using namespace dojo;
using namespace dojo::run;

namespace {

ReportDevice h100() {
  ReportDevice d;
  d.name = "simt:h100";
  d.sms = 132;
  d.peak_gbps = 3352;
  d.clock_mhz = 1755;
  return d;
}

LaunchReport plain_launch() {
  LaunchReport l;
  l.kernel = "scale";
  l.grid = {1056, 1, 1};
  l.block = {256, 1, 1};
  l.registers = 32;
  l.dynamic_smem = 49152;
  l.time_us = 10;
  l.occupancy = 0.5;
  l.waves = 2;
  l.bounds = {{"l1", 8}, {"issue", 2.5}, {"alu", 1.5}, {"l2", 4}, {"latency", 9}};
  l.counters = {{"dram__bytes_read.sum", 3352e3},
                {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1000},
                {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 32000},
                {"sm__warps_active.avg.pct_of_peak_sustained_active", 30},
                {"smsp__issue_active.avg.pct_of_peak_sustained_active", 10},
                {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 12},
                {"smsp__average_warps_issue_stalled_selected_per_issue_active.ratio", 1},
                {"smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio", 0.5}};
  return l;
}

/// Unit and value of a metric, if the section has it.
std::optional<std::string> value(const LaunchReport& l, const std::string& section,
                                 const std::string& metric) {
  for (const auto& s : profile_sections(l, h100()))
    if (s.title == section)
      for (const auto& r : s.rows)
        if (r.metric == metric) return r.value + (r.unit.empty() ? "" : " " + r.unit);
  return std::nullopt;
}

std::vector<std::string> table_row(const LaunchReport& l, const std::string& first) {
  for (const auto& s : profile_sections(l, h100()))
    for (const auto& t : s.tables)
      for (const auto& r : t.rows)
        if (r.front() == first) return r;
  return {};
}

RunReport run_of(std::vector<LaunchReport> launches) {
  RunReport r;
  r.launches = std::move(launches);
  return r;
}

}  // namespace

TEST_CASE("profile page: throughputs are bounds over time, and DRAM's is its bytes over the peak") {
  const char* section = "GPU Speed Of Light Throughput";
  const LaunchReport l = plain_launch();
  CHECK(value(l, section, "Elapsed Cycles") == "17,550 cycle");
  CHECK(value(l, section, "L1/TEX Cache Throughput") == "80.00 %");
  CHECK(value(l, section, "L2 Cache Throughput") == "40.00 %");
  CHECK(value(l, section, "Compute (SM) Throughput") == "25.00 %");
  CHECK(value(l, section, "Memory Throughput") == "80.00 %");
  // 3352 kB in 10 us are 335.2 GB/s of 3352.
  CHECK(value(l, section, "DRAM Throughput") == "10.00 %");
  CHECK(value(l, "Memory Workload Analysis", "Memory Throughput") == "335.20 Gbyte/s");
}

TEST_CASE("profile page: issue slots and pipes have a section, instructions another") {
  LaunchReport l = plain_launch();
  l.counters["smsp__inst_executed.sum"] = 528000;
  CHECK(value(l, "Compute Workload Analysis", "Issue Slots Busy") == "10.00 %");
  CHECK(value(l, "Compute Workload Analysis", "Executed Ipc Active") == "0.40 inst/cycle");
  CHECK(table_row(l, "ALU") == std::vector<std::string>{"ALU", "15.00"});
  CHECK(table_row(l, "FMA").empty());  // nothing is known of it here
  CHECK(value(l, "Instruction Statistics", "Executed Instructions") == "528,000 inst");
  // 132 SMs of four schedulers.
  CHECK(value(l, "Instruction Statistics", "Avg. Executed Instructions Per Scheduler") == "1,000.00 inst");
}

TEST_CASE("profile page: sections come in Nsight Compute's order") {
  std::vector<std::string> titles;
  for (const auto& s : profile_sections(plain_launch(), h100())) titles.push_back(s.title);
  CHECK(titles == std::vector<std::string>{"GPU Speed Of Light Throughput", "Compute Workload Analysis",
                                           "Memory Workload Analysis", "Scheduler Statistics",
                                           "Warp State Statistics", "Instruction Statistics",
                                           "Launch Statistics", "Occupancy", "Source Counters"});
}

TEST_CASE("profile page: sectors per request stand beside the counts") {
  CHECK(table_row(plain_launch(), "Global Load") ==
        std::vector<std::string>{"Global Load", "1,000", "1,000", "32,000", "32.00"});
  CHECK(table_row(plain_launch(), "Global Store").back() == "-");
  LaunchReport l = plain_launch();
  l.counters["l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"] = 800;
  CHECK(table_row(l, "Local Load") == std::vector<std::string>{"Local Load", "-", "-", "800", "-"});
}

TEST_CASE("profile page: shares of active time leave out SMs without a block") {
  LaunchReport l = plain_launch();
  l.tail_idle = 0.5;  // of all SM-time; the report's shares are over all of it
  CHECK(value(l, "Occupancy", "Achieved Occupancy") == "60.00 %");
  CHECK(value(l, "Scheduler Statistics", "One or More Eligible") == "20.00 %");
  CHECK(value(l, "Scheduler Statistics", "No Eligible") == "80.00 %");
  // 60 % of 64 warp slots on 4 schedulers; 1.5 warps are ready where one is issued.
  CHECK(value(l, "Scheduler Statistics", "Active Warps Per Scheduler") == "9.60 warp");
  CHECK(value(l, "Scheduler Statistics", "Eligible Warps Per Scheduler") == "0.30 warp");
  CHECK(value(l, "Scheduler Statistics", "Issued Warp Per Scheduler") == "0.20");
  CHECK(value(l, "Occupancy", "Achieved Active Warps Per SM") == "38.40 warp");
  l.source = Source::measured;  // Nsight Compute's own are over active time already
  CHECK(value(l, "Occupancy", "Achieved Occupancy") == "30.00 %");
}

TEST_CASE("profile page: stall reasons have Nsight Compute's names, the longest first") {
  for (const auto& s : profile_sections(plain_launch(), h100())) {
    if (s.title != "Warp State Statistics") continue;
    CHECK(s.rows.at(0).metric == "Warp Cycles Per Issued Instruction");
    CHECK(s.rows.at(0).value == "13.50");
    CHECK(s.rows.at(3).metric == "Stall Long Scoreboard");
    CHECK(s.rows.at(4).metric == "Stall Selected");
  }
}

TEST_CASE("profile page: the block limits say what keeps blocks from an SM") {
  const LaunchReport l = plain_launch();
  CHECK(value(l, "Occupancy", "Block Limit Shared Mem") == "4 block");
  CHECK(value(l, "Occupancy", "Block Limit Warps") == "8 block");
  CHECK(value(l, "Occupancy", "Block Limit Registers") == "8 block");
  CHECK(value(l, "Occupancy", "Theoretical Occupancy") == "50.00 %");
}

TEST_CASE("profile page: the lines with most stalls and most excessive sectors are named") {
  LaunchReport l = plain_launch();
  const std::string stall = "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio";
  l.lines = {{"lab/a.cu",
              7,
              {{stall, 3},
               {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 100},
               {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 3200},
               {"dojo__lane_bytes_global_op_ld.sum", 12800}}},
             {"lab/a.cu", 9, {{stall, 1}}}};
  CHECK(table_row(l, "a.cu:7") == std::vector<std::string>{"a.cu:7", "75.0 %", "most: Long Scoreboard"});
  const std::string text = profile_text(run_of({l}), h100());
  CHECK(text.find("2,800 sectors") != std::string::npos);  // 3200 where 12800 bytes need 400
}

TEST_CASE("profile page: in a terminal of 40 columns every metric keeps its value and unit") {
  const std::string wide = profile_text(run_of({plain_launch()}), h100());
  const std::string page = profile_text(run_of({plain_launch()}), h100(), 40);
  bool duration = false;
  size_t lines = 0;
  for (size_t at = 0, end; at < page.size(); at = end + 1, ++lines) {
    end = page.find('\n', at);
    const std::string line = page.substr(at, end - at);
    // The head names device and run in sentences; the sections below it are tables.
    if (lines > 3) CHECK_MESSAGE(line.size() <= 40, line);
    if (line.starts_with("  Duration ")) duration = line.ends_with("10.00 us");
  }
  CHECK(duration);
  CHECK(lines > 20);
  for (const auto& s : profile_sections(plain_launch(), h100()))
    for (const auto& r : s.rows) CHECK_MESSAGE(page.find(r.metric) != std::string::npos, r.metric);
  CHECK(profile_text(run_of({plain_launch()}), h100(), 200) == wide);
}

TEST_CASE("profile page: launches alike share one page, and GPU utilisation counts any kernel") {
  LaunchReport a = plain_launch(), b = plain_launch();
  a.start_us = 0, b.start_us = 15, b.time_us = 5;
  LaunchReport other = plain_launch();
  other.grid = {1, 1, 1}, other.start_us = 18, other.time_us = 22;
  const RunReport r = run_of({b, a, other});
  const auto groups = alike_launches(r);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].first == 1);  // the longest
  CHECK(groups[0].count == 2);
  CHECK(groups[0].time_us == 15);
  // 0 to 10 and 15 to 40 of 40 us, though one block of 132 SMs worked most of the time.
  CHECK(gpu_utilization(r) == 35.0 / 40);
  CHECK(gpu_utilization(run_of({})) == 0);
  CHECK(profile_text(r, h100()).find("GPU-Util meanwhile: 88 %") != std::string::npos);
}

TEST_CASE("profile page: a launch without times, counters or a known device has a page as well") {
  ReportDevice unknown;
  unknown.name = "cuda:0";
  const auto sections = profile_sections(LaunchReport{}, unknown);
  for (const auto& s : sections) CHECK(!s.title.empty());
  CHECK(!profile_text(run_of({LaunchReport{}}), unknown).empty());
}
