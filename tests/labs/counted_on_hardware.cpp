// The machine's counters against those that Nsight Compute counted on real GPUs
// (assets/recordings/*-counters.json): the patterns of tests/counters, kernel by kernel, and the page that
// `warpdojo counters --markdown` makes of all of them.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/files/whole_file.hpp"
#include "lab_runs.hpp"
#include "run/audits/counter_check.hpp"

using namespace dojo;

namespace {

/// The programs of tests/counters against what a GPU counted of them.
std::vector<run::ComparedKernel> patterns(const std::string& gpu) {
  const Catalog& catalog = test::catalog();
  run::CounterRecording recording =
      run::load_counters(catalog.root / "assets/recordings" / (gpu + "-counters.json"));
  std::erase_if(recording.launches, [](const run::CountedLaunch& l) { return !l.target.ends_with(".cu"); });
  std::string said;
  const auto all = run::compare_counters(catalog, recording, [&](const std::string& s) { said += s + "\n"; });
  CHECK(said == "");
  return all;
}

std::vector<run::CounterReason> reasons() {
  return run::load_reasons(test::catalog().root / "assets/recordings/counter-reasons.json");
}

}  // namespace

TEST_CASE(
    "memory counters of every access pattern are those of an H200, what is executed, found and moved is "
    "near") {
  const auto all = patterns("h200");
  const auto why = reasons();
  CHECK(all.size() >= 59);
  for (const auto& k : all) {
    INFO(k.target << " " << k.kernel << ": " << k.difference());
    const double near = run::reason_of(k, why).empty() ? 0.1 : 1;
    CHECK(k.memory_exact());
    CHECK(k.error_of("instructions") <= 0.05);
    for (const char* moved : {"dram_read_bytes", "l1_hit_rate", "l2_hit_rate"})
      CHECK(k.error_of(moved) <= near);
  }
  for (const std::string& line : run::wrong_reasons(all, why)) FAIL_CHECK(line);
}

TEST_CASE("memory counters of every access pattern are those of an H100") {
  const auto all = patterns("h100");
  CHECK(all.size() >= 54);
  for (const auto& k : all) {
    INFO(k.target << " " << k.kernel << ": " << k.difference());
    CHECK(k.memory_exact());
    CHECK(k.error_of("instructions") <= 0.05);
    CHECK(k.error_of("dram_read_bytes") <= 0.1);
  }
}

TEST_CASE(
    "the page of counters has every reason in a row that differs, and none that differs has no reason") {
  const Catalog& catalog = test::catalog();
  const auto page = read_file(catalog.root / "docs/counters.md");
  REQUIRE(page);
  std::vector<std::vector<std::string>> rows;
  for (size_t at = 0; at < page->size();) {
    const size_t end = std::min(page->find('\n', at), page->size());
    const std::string line = page->substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("| NVIDIA")) continue;
    std::vector<std::string> cells;
    for (size_t from = 2; from < line.size();) {
      const size_t bar = std::min(line.find(" |", from - 1), line.size());
      cells.push_back(bar > from ? line.substr(from, bar - from) : "");
      from = bar + 3;
    }
    REQUIRE(cells.size() == 10);
    rows.push_back(cells);
  }
  CHECK(rows.size() >= 40);
  for (const auto& r : rows) {
    INFO(r[1] << " " << r[2]);
    CHECK(r[8].empty() == r[9].empty());
  }
  for (const auto& reason : run::load_reasons(catalog.root / "assets/recordings/counter-reasons.json")) {
    INFO(reason.target << " " << reason.kernel);
    CHECK(std::any_of(rows.begin(), rows.end(), [&](const auto& r) {
      // A kernel that another GPU has too stands there once, with the newest recording.
      const bool elsewhere = !reason.gpu.empty() && r[0] != reason.gpu;
      return r[1] == reason.target && r[2] == "`" + reason.kernel + "`" &&
             (elsewhere || r[9] == reason.reason);
    }));
  }
}
