// Which figures of a run are shown, in which unit, and what bounds it: in the terminal's tables and words.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "../has.hpp"
#include "../left_out.hpp"
#include "cli/show.hpp"
#include "cli/terminal.hpp"
#include "run/advice.hpp"
#include "run/profile/page.hpp"
#include "run/verdict/shown.hpp"
#include "shell.hpp"

using namespace dojo;
using dojo::test::has;
using dojo::test::Shell;
using dojo::test::TempFolder;

namespace {

ReportDevice toy() {
  ReportDevice d;
  d.name = "simt:toy4", d.clock_mhz = 1, d.peak_gbps = 100;
  return d;
}

Report fast_run(Status status, ReportDevice device) {
  Report report;
  report.device = std::move(device);
  RunReport r;
  r.who = "student", r.status = status;
  r.time_us.value = 3930, r.end_to_end_us = 4000;
  r.bytes = 1e9, r.gbps = 4752, r.gflops = 119300, r.dram_gbps = 12, r.pct_of_peak_bandwidth = 142;
  report.runs.push_back(r);
  return report;
}

std::string shown(const Report& report) { return cli::show_report(report, nullptr, nullptr, "/"); }

}  // namespace

TEST_CASE("a run that did not compute the answer has no bandwidth and no arithmetic rate") {
  ReportDevice gpu;
  gpu.clock_mhz = 1755, gpu.peak_gbps = 3350;
  for (const Status status : {Status::wrong, Status::finding, Status::timeout, Status::crash}) {
    const std::string text = shown(fast_run(status, gpu));
    CAPTURE(text);
    CHECK(!has(text, "GB/s ("));
    CHECK(!has(text, "FLOP/s"));
    CHECK(has(text, "DRAM traffic"));  // counted, not derived from the answer
  }
  for (const Status status : {Status::pass, Status::gate_failed}) {
    const std::string text = shown(fast_run(status, gpu));
    CAPTURE(text);
    CHECK(has(text, "4752 GB/s (142 %)"));
    CHECK(has(text, "119.3 TFLOP/s"));
  }
}

TEST_CASE("a toy device's times are units, and it has no rates") {
  const Report report = fast_run(Status::pass, toy());
  const std::string text = shown(report);
  CAPTURE(text);
  CHECK(has(text, "3930 units"));
  CHECK(has(text, "4000 units"));
  for (const char* no : {" ms", " us", "GB/s", "FLOP/s"}) CHECK(!has(text, no));
  CHECK(cli::time_on(toy(), 1) == "1 unit");
  CHECK(cli::time_on(toy(), 0) == "-");
  CHECK(cli::time_on({}, 2.5) == "2.50 us");

  run::KernelRow kernel;
  kernel.kernel = "k", kernel.launches = 1, kernel.time_us = 24, kernel.share = 1;
  CHECK(has(cli::show_kernels({kernel}, Source::modelled, toy()), "24 units"));
}

TEST_CASE("advice for a toy device speaks of units") {
  RunReport r;
  r.time_us.value = 100;
  for (int i = 0; i < 2; ++i) {
    LaunchReport l;
    l.time_us = 10, l.occupancy = 1, l.waves = 10, l.wave_utilization = 1;
    l.bounds = {{"issue", 9}};
    r.launches.push_back(l);
  }
  for (const auto& advice : run::advise(r, toy())) {
    CAPTURE(advice.text);
    CHECK(has(advice.text, "units"));
    CHECK(!has(advice.text, " us"));
  }
}

TEST_CASE("a profile of a toy device counts units and names no frequency, bandwidth or share of a peak") {
  RunReport r;
  r.time_us.value = 24;
  LaunchReport l;
  l.kernel = "k", l.time_us = 24;
  l.counters["dram__bytes_read.sum"] = 128;
  r.launches.push_back(l);
  const std::string text = run::profile_text(r, toy());
  CAPTURE(text);
  CHECK(has(text, "24.00 units on simt:toy4"));
  CHECK(has(text, "Duration"));
  for (const char* no : {" us", "Ghz", "Gbyte/s", "DRAM Throughput"}) CHECK(!has(text, no));
  ReportDevice gpu;
  gpu.clock_mhz = 1980, gpu.peak_gbps = 3352;
  CHECK(has(run::profile_text(r, gpu), "Ghz"));
}

TEST_CASE("explain --who both explains both runs, names atomics that bind, and no bound exceeds its launch") {
  if (needs::left_out_without("NVRTC", fs::exists(cuda_root() / "include" / "nvrtc.h"))) return;
  TempFolder t;
  const std::string root = source_root().string();
  const Shell both = test::shell(t, root, "$W explain reduce/10-finish-atomic --who both");
  CAPTURE(both.out);
  CAPTURE(both.err);
  CHECK(has(both.out, "reduce/10-finish-atomic (student)"));
  CHECK(has(both.out, "reduce/10-finish-atomic (reference)"));
  CHECK(has(both.out, "Bound by atomics on one address"));
  CHECK(!has(test::shell(t, root, "$W explain reduce/10-finish-atomic").out, "(reference)"));

  for (const char* step : {"reduce/10-finish-atomic", "occupancy/3-registers", "occupancy/5-ask"}) {
    const Shell s = test::shell(t, root, std::string("$W run --json --who reference ") + step);
    const auto report = nlohmann::json::parse(s.out);
    for (const auto& launch : report.at("runs").at(0).at("launches"))
      for (const auto& [resource, us] : launch.at("bounds_us").items()) {
        CAPTURE(resource);
        CHECK(us.get<double>() <= launch.at("time_us").get<double>());
      }
  }
}

TEST_CASE("explain and sweep give the report of run as JSON, with the advice and the curve of each run") {
  if (needs::left_out_without("NVRTC", fs::exists(cuda_root() / "include" / "nvrtc.h"))) return;
  TempFolder t;
  const std::string root = source_root().string();
  const auto answer = [&](const std::string& line) {
    const Shell s = test::shell(t, root, "$W " + line);
    REQUIRE_MESSAGE(s.status == 0, s.err);
    return nlohmann::json::parse(s.out);
  };
  const auto explained = answer("explain elementwise/1 --who reference --json");
  CHECK(explained.at("schema") == "warpdojo/report/1");
  const auto& advice = explained.at("runs").at(0).at("advice");
  REQUIRE(!advice.empty());
  CHECK(advice[0].at("kind") == "bound");
  CHECK(!advice[0].at("text").get<std::string>().empty());
  const auto swept = answer("sweep reduce/5 --who reference --sizes 1024,4096 --json");
  CHECK(swept.at("schema") == "warpdojo/sweep/1");
  REQUIRE(swept.at("reports").size() == 2);
  for (const auto& [at, n] : {std::pair{0, 1024}, std::pair{1, 4096}}) {
    const auto& report = swept["reports"][size_t(at)];
    CHECK(report.at("schema") == "warpdojo/report/1");
    CHECK(report.at("size").at("n") == n);
    CHECK(report.at("runs").at(0).at("status") == "pass");
  }
}
