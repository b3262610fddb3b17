// Times of students' files, on a GPU and modelled: which files there are, what a recording holds, and when a
// time gate says two things.
#include <doctest/doctest.h>

#include <algorithm>

#include "../near.hpp"
#include "core/error.hpp"
#include "core/paths.hpp"
#include "fixture_labs.hpp"
#include "run/audits/solutions.hpp"
#include "shell.hpp"

using namespace dojo;
using namespace dojo::run;

namespace {

SolutionTime solution_time(const std::string& file, double us, double modelled_us) {
  SolutionTime t;
  t.file = file;
  t.step = "reduce/1-global";
  t.size = "n=4194304";
  t.print = 0x1234;
  t.us = t.us_min = t.us_max = us;
  t.modelled_us = modelled_us;
  return t;
}

}  // namespace

TEST_CASE("solutions: a step has its reference, its starter and the solutions of two corpora") {
  const Catalog catalog = load_catalog(find_root());
  const std::vector<Solution> all = solutions(catalog, {&catalog.find("reduce/1-global")});
  REQUIRE(all.size() > 4);
  CHECK(all[0].name == "reference/01-reduce/1-global.cu");
  CHECK(all[1].name == "labs/01-reduce/1-global.cu");
  for (const Solution& s : all) CHECK_MESSAGE(fs::exists(s.file), s.name);
  for (const char* kind : {"starter", "lazy", "unconventional"})
    CHECK(std::any_of(all.begin(), all.end(), [&](const Solution& s) { return s.kind == kind; }));
}

TEST_CASE("solutions: a recording is read as it was written, and a damaged line is named") {
  test::TempFolder folder;
  const fs::path file = folder.path / "times.txt";
  save_solution_times(file, "# head\n", {solution_time("labs/a.cu", 12.34, 0)});
  const auto read = load_solution_times(file);
  REQUIRE(read.size() == 1);
  CHECK(read[0].file == "labs/a.cu");
  CHECK(read[0].print == 0x1234);
  CHECK(read[0].us == tolerance::within(12.34));
  folder.write("times.txt", "# head\nlabs/a.cu reduce/1-global n=1 xyz 1 1 1\n");
  CHECK_THROWS_WITH_AS(load_solution_times(file), doctest::Contains("times.txt:2: a file, its step"), Error);
}

TEST_CASE("solutions: a time gate that says two things is named with both ratios") {
  const Catalog catalog = load_catalog(find_root());
  const Step& step = catalog.find("reduce/1-global");
  const auto bound = time_bound(step);
  REQUIRE(bound.has_value());
  const std::string folder = "tests/lazy/01-reduce/1-global--";
  const std::vector<SolutionTime> times = {
      solution_time("reference/01-reduce/1-global.cu", 10, 20),
      solution_time(folder + "slow.cu", 10 * (*bound + 1), 20 * (*bound + 1)),
      solution_time(folder + "slow-on-a-gpu.cu", 10 * (*bound + 1), 20 * (*bound - 0.01)),
      solution_time(folder + "not-modelled.cu", 10 * (*bound + 1), 0)};
  int judged = 0;
  const auto apart = disagreements(catalog, times, &judged);
  CHECK(judged == 2);
  REQUIRE(apart.size() == 1);
  CHECK(apart[0].time.file == folder + "slow-on-a-gpu.cu");
  CHECK(apart[0].recorded == tolerance::within(*bound + 1));
  CHECK(solutions_text(catalog, times).find("1 of 2 verdicts are the same") != std::string::npos);
}

TEST_CASE(
    "solutions: record --solutions runs what the file lacks, keeps its rows, and refuses another device's") {
  test::TempFolder home;
  const fs::path file = home.path / "times.txt";
  const std::string step = "first-launch/2-index";
  const auto record = [&](const std::string& device) {
    return test::shell(home, find_root().string(),
                       "$W record " + step + " --solutions --device " + device + " --out " + file.string());
  };
  const auto rows = [&] { return load_solution_times(file); };
  // The starter's result is wrong: that file is named and has no row.
  const test::Shell made = record("simt:h100");
  CHECK(made.status == 70);
  CHECK(made.err == "labs/00-first-launch/2-index.cu: wrong\n");
  const std::string first = read_or_empty(file);
  REQUIRE_FALSE(rows().empty());
  CHECK(rows()[0].step == step);
  const test::Shell again = record("simt:h100");
  CHECK(again.out.empty());
  CHECK(read_or_empty(file) == first);
  // A row whose source has changed since is made anew; the others stay.
  auto kept = rows();
  const size_t all = kept.size();
  kept[0].print ^= 1;
  for (size_t k = 1; k < all; ++k) kept[k].us = 0.25;
  save_solution_times(file, first.substr(0, first.find("\nreference/") + 1), kept);
  record("simt:h100");
  REQUIRE(rows().size() == all);
  CHECK(rows()[0].print == (kept[0].print ^ 1));
  for (size_t k = 1; k < all; ++k) CHECK(rows()[k].us == tolerance::within(0.25));
  const test::Shell other = record("simt:t4");
  CHECK(other.status != 0);
  CHECK(other.err.find("was recorded on another GPU than") != std::string::npos);
}

TEST_CASE("solutions: bench solutions counts the files that are recorded as they are now") {
  test::TempFolder home;
  const test::Shell s = test::shell(home, find_root().string(), "$W bench solutions first-launch/2");
  CHECK(s.status == 0);
  CHECK(s.out.find("| reference | 1 |") != std::string::npos);  // the lab's own, with its time
  CHECK(s.out.find("solutions.times") != std::string::npos);
  CHECK(s.out.find("solutions.disagreements") != std::string::npos);
}
