#include <doctest/doctest.h>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/report.hpp"

using namespace dojo;

namespace {
Report sample() {
  Report r;
  r.step = "reduce/5-sequential";
  r.seed = 7;
  r.size = {{"n", 4194304}};
  r.device = {"simt:h100", DeviceKind::simt, "NVIDIA H100", 132, 3352, 66900, 1980, "1.0", ""};
  RunReport run;
  run.who = "student";
  run.status = Status::wrong;
  run.inputs_changed = true;
  Diagnostic& d = run.diagnostics.emplace_back();
  d.kind = FindingKind::race;
  d.where = {"a.cu", 3, 7};
  d.message = "two threads";
  d.kernel = "k";
  d.block = Dim3{1, 2, 3};
  d.thread = Dim3{4, 0, 0};
  Related& other = d.related.emplace_back();
  other.where = {"a.cu", 2, 1};
  other.message = "the other";
  other.thread = Dim3{5, 0, 0};
  run.check = {
      true, 0.5, 0.25, 1e-3, "because", 2, {{"out", 17, std::nan(""), 2.5, Dim3{0, 0, 0}, Dim3{17, 0, 0}}}};
  run.compile_ms = 31.5;
  run.time_us = {80.5, 80, 81, 3, Source::measured};
  run.bytes = 16777216;
  run.printed = "hello \xff\n";
  LaunchReport l;
  l.kernel = "reduce";
  l.grid = {16384, 1, 1};
  l.block = {256, 1, 1};
  l.registers = 16;
  l.occupancy = 0.75;
  l.counters = {{"smsp__inst_executed.sum", 3.0e9}, {"x.ratio", 31.25}};
  l.bounds = {{"dram", 5.5}};
  l.lines = {{"a.cu", 4, {{"smsp__inst_executed.sum", 12}}}};
  l.blocks = {{5, 3, 0.5, 1.5, {{{0.6, 0.7}}}}};
  run.launches.push_back(l);
  run.gates.push_back({"shared_conflicts == 0", 3, 0, "==", false, "words"});
  r.runs.push_back(run);
  return r;
}
}  // namespace

TEST_CASE("a report survives the way to JSON and back") {
  const std::string once = to_json(sample());
  const Report back = report_from_json(once);
  CHECK(to_json(back) == once);
  CHECK(back.runs.at(0).check.mismatches.at(0).thread == Dim3{17, 0, 0});
  CHECK(std::isnan(back.runs[0].check.mismatches[0].got));
  CHECK(back.runs[0].diagnostics[0].related.at(0).message == "the other");
  CHECK(back.runs[0].launches[0].blocks.at(0).waiting.at(0)[1] == 0.7);
}

TEST_CASE("the JSON has the field names that scripts rely on") {
  const auto j = nlohmann::json::parse(to_json(sample()));
  CHECK(j["schema"] == "warpdojo/report/1");
  CHECK(j["size"]["n"] == 4194304);
  CHECK(j["device"]["kind"] == "simt");
  const auto& run = j["runs"][0];
  for (const char* key :
       {"who", "status", "inputs_changed", "diagnostics", "check", "compile_ms", "wall_ms", "time_us",
        "bytes", "gbps", "dram_gbps", "flops", "gflops", "pct_of_peak_bandwidth", "launches", "gates"})
    CHECK_MESSAGE(run.contains(key), key);
  for (const char* key : {"kernel", "grid", "block", "dynamic_smem", "static_smem", "registers", "stream",
                          "start_us", "time_us", "blocks_per_sm", "occupancy", "waves", "wave_utilization",
                          "tail_idle", "counters", "lines", "blocks"})
    CHECK_MESSAGE(run["launches"][0].contains(key), key);
  CHECK(run["time_us"]["source"] == "measured");
  CHECK(run["launches"][0]["counters"]["smsp__inst_executed.sum"].is_number_integer());
  CHECK(run["gates"][0]["pass"] == false);
}

TEST_CASE("lines and blocks are left out when there are none") {
  Report r = sample();
  r.runs[0].launches[0].lines.clear();
  r.runs[0].launches[0].blocks.clear();
  const auto l = nlohmann::json::parse(to_json(r))["runs"][0]["launches"][0];
  CHECK(!l.contains("lines"));
  CHECK(!l.contains("blocks"));
}

TEST_CASE("a text that is no report is an error of one line") {
  for (const char* bad :
       {"", "{", "[]", "{}", R"({"schema":"warpdojo/report/1","runs":[{"who":"x","status":"good"}]})",
        R"({"schema":"warpdojo/report/1","size":{"n":"many"}})"})
    CHECK_THROWS_AS(report_from_json(bad), Error);
}

TEST_CASE("statuses map to the exit statuses of the command line") {
  CHECK(exit_status(Status::pass) == 0);
  CHECK(exit_status(Status::gate_failed) == 1);
  CHECK(exit_status(Status::wrong) == 1);
  CHECK(exit_status(Status::compile_error) == 3);
  CHECK(exit_status(Status::finding) == 70);
  CHECK(exit_status(Status::crash) == 71);
  CHECK(exit_status(Status::timeout) == 124);
}
