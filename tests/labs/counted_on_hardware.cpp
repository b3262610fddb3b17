// The machine's counters against those that Nsight Compute counted on real GPUs (assets/recordings/*-counters.json): the
// patterns of tests/counters, kernel by kernel, and the page that `warpdojo counters --markdown` makes of all of them.
#include <doctest/doctest.h>

#include <algorithm>

#include "lab_runs.hpp"
#include "run/counter_check.hpp"
#include "run/files.hpp"

using namespace dojo;

TEST_CASE("memory counters of every access pattern are those of an H100, what is executed and moved is near") {
  const Catalog& catalog = test::catalog();
  run::CounterRecording recording = run::load_counters(catalog.root / "assets/recordings/h100-counters.json");
  std::erase_if(recording.launches, [](const run::CountedLaunch& l) { return !l.target.ends_with(".cu"); });
  std::string said;
  const auto all = run::compare_counters(catalog, recording, [&](const std::string& s) { said += s + "\n"; });
  CHECK(said == "");
  CHECK(all.size() >= 54);
  const auto reasons = run::load_reasons(catalog.root / "assets/recordings/counter-reasons.json");
  for (const auto& k : all) {
    INFO(k.target << " " << k.kernel << ": " << k.difference());
    CHECK(k.memory_exact());
    CHECK(k.error_of("instructions") <= 0.05);
    CHECK(k.error_of("dram_read_bytes") <= 0.1);
    CHECK(k.error_of("l1_hit_rate") <= (run::reason_of(k, reasons).empty() ? 0.1 : 1));
  }
  for (const std::string& line : run::wrong_reasons(all, reasons)) FAIL_CHECK(line);
}

TEST_CASE("the page of counters has every reason in a row that differs, and none that differs has no reason") {
  const Catalog& catalog = test::catalog();
  const auto page = run::read_file(catalog.root / "docs/counters.md");
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
    REQUIRE(cells.size() == 9);
    rows.push_back(cells);
  }
  CHECK(rows.size() >= 40);
  for (const auto& r : rows) {
    INFO(r[1] << " " << r[2]);
    CHECK(r[7].empty() == r[8].empty());
  }
  for (const auto& reason : run::load_reasons(catalog.root / "assets/recordings/counter-reasons.json")) {
    INFO(reason.target << " " << reason.kernel);
    CHECK(std::any_of(rows.begin(), rows.end(), [&](const auto& r) {
      return r[1] == reason.target && r[2] == "`" + reason.kernel + "`" && r[8] == reason.reason;
    }));
  }
}
