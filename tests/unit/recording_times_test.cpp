// Tables of what several recordings of one model of GPU say.
#include <doctest/doctest.h>

#include <fstream>

#include "core/error.hpp"
#include "run/recordings/recording_times.hpp"

using namespace dojo;
using namespace dojo::run;

namespace {

fs::path scratch(const char* name, const std::string& text = {}) {
  const fs::path p = fs::temp_directory_path() / name;
  fs::remove(p);
  if (!text.empty()) std::ofstream(p) << text;
  return p;
}

Recording recording(const char* commit, double first, double second) {
  Recording r;
  r.date = "2026-01-31";
  r.commit = commit;
  for (auto [step, us] : {std::pair{"a/1-one", first}, {"b/1-one", second}}) {
    Report report;
    report.step = step;
    report.size = {{"k", 8}, {"n", 16}};
    report.runs.resize(1);
    report.runs[0].who = "reference";
    report.runs[0].status = us > 0 ? Status::pass : Status::timeout;
    report.runs[0].time_us.value = us;
    r.reports.push_back(report);
  }
  return r;
}

}  // namespace

TEST_CASE("A table of times takes a column of each recording, and comes back as it was written") {
  RecordedTimes t;
  add_times(t, recording("1111111", 1.5, 20), {});
  add_times(t, recording("2222222", 1.25, 30), {"a"});
  add_times(t, recording("3333333", 0, 40), {});  // one that hung
  const fs::path p = scratch("warpdojo-times.csv");
  save_times(p, t);
  const RecordedTimes back = load_times(p);
  CHECK(back.recordings ==
        std::vector<std::string>{"2026-01-31 1111111", "2026-01-31 2222222", "2026-01-31 3333333"});
  CHECK(back.us.at({"a/1-one", "k=8;n=16"}) == std::vector<double>{1.5, 1.25, 0});
  CHECK(back.us.at({"b/1-one", "k=8;n=16"}) == std::vector<double>{20, 0, 40});
  CHECK(back.us.size() == 2);
  fs::remove(p);
}

TEST_CASE("A table of times that is none says in which line") {
  for (const char* bad :
       {"step,size,one\na/1,n=1,x\n", "step,size,one\na/1,n=1\n", "step,size,one\na/1,n=1,1,2\n",
        "step,size,one\na/1,n=1,-1\n", "# a comment\nstep,size,one\na/1,n=1,nan\n"}) {
    const fs::path p = scratch("warpdojo-bad-times.csv", bad);
    CAPTURE(bad);
    CHECK_THROWS_WITH_AS(load_times(p), doctest::Contains("warpdojo-bad-times.csv:"), Error);
    fs::remove(p);
  }
  CHECK_THROWS_AS(load_times(scratch("warpdojo-no-times.csv")), Error);
}
