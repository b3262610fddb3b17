// How modelled times are compared with recorded ones.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../near.hpp"
#include "core/counters.hpp"
#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "fixture_labs.hpp"
#include "run/audits/fidelity.hpp"
#include "run/audits/front_ends.hpp"
#include "run/audits/recorded_sources.hpp"

using namespace dojo::run;

namespace {
FidelityRow row(const char* step, double modelled, double recorded, int rank = 0, const char* why_not = "") {
  FidelityRow r;
  r.step = step;
  r.lab = r.step.substr(0, r.step.find('/'));
  r.size = "n=1";
  r.rank = rank;
  r.modelled_us = modelled;
  r.recorded_us = recorded;
  r.why_not = why_not;
  return r;
}
}  // namespace

TEST_CASE("Kendall's tau counts pairs that the recording tells apart") {
  CHECK(kendall_tau({row("a/1", 10, 100), row("a/2", 20, 200), row("a/3", 30, 300)}) ==
        dojo::tolerance::within(1));
  CHECK(kendall_tau({row("a/1", 30, 100), row("a/2", 20, 200), row("a/3", 10, 300)}) ==
        dojo::tolerance::within(-1));
  // Recorded within 5 %: either order will do.
  CHECK(kendall_tau({row("a/1", 30, 100), row("a/2", 20, 104)}) == dojo::tolerance::within(1));
  // Told apart by the recording, hardly by the model, and the wrong way round: neither for nor against.
  CHECK(kendall_tau({row("a/1", 103, 100), row("a/2", 100, 200)}) == dojo::tolerance::near(0));
  CHECK(kendall_tau({row("a/1", 150, 100), row("a/2", 100, 200)}) == dojo::tolerance::within(-1));
  // Sizes of different rank, and rows left out, are not compared.
  CHECK(kendall_tau({row("a/1", 30, 100, 0), row("a/2", 20, 200, 1)}) == dojo::tolerance::within(1));
  CHECK(kendall_tau({row("a/1", 30, 100), row("a/2", 0, 200, 0, "left out")}) == dojo::tolerance::within(1));
}

TEST_CASE("The fidelity table names the mean error, the least tau and the three worst rows") {
  const std::vector<FidelityRow> rows{row("a/1", 110, 100),
                                      row("a/2", 150, 200),
                                      row("a/3", 400, 300),
                                      row("b/1", 300, 100),
                                      row("b/2", 100, 200),
                                      row("b/3", 100, 100),
                                      row("b/4", 0, 70, 0, "size left out by --quick")};
  const FidelitySummary s = summarize(rows);
  CHECK(s.compared == 6);
  CHECK(s.mean_error == dojo::tolerance::within((0.1 + 0.25 + 1.0 / 3 + 2 + 0.5 + 0) / 6));
  CHECK(s.worst == dojo::tolerance::within(2));
  REQUIRE(s.worst_rows.size() == 3);
  CHECK(s.worst_rows[0].step == "b/1");
  CHECK(s.worst_rows[1].step == "b/2");
  CHECK(s.labs.at(0).tau == dojo::tolerance::within(1));
  CHECK(s.tau_min == dojo::tolerance::within(-0.5));
  const std::string text = fidelity_text(rows);
  CHECK(text.find("| 4 | n=1 | - | 70.0 | size left out by --quick |") != std::string::npos);
  CHECK(text.find("| 1 | n=1 | 300.0 | 100.0 | +200 % |") != std::string::npos);
}

TEST_CASE("Where several recordings are there, only orders in which all agree count") {
  FidelityRow a = row("a/1", 30, 100), b = row("a/2", 20, 200);
  a.all_us = {98, 100, 0}, b.all_us = {190, 210, 200};  // the third has b alone
  REQUIRE(ordered_pairs({a, b}).size() == 1);
  CHECK(ordered_pairs({a, b})[0].faster.step == "a/1");
  CHECK(ordered_pairs({a, b})[0].modelled == OrderedPair::wrong);
  CHECK(kendall_tau({a, b}) == dojo::tolerance::within(-1));
  b.all_us[0] = 100;  // one GPU can't tell them apart
  CHECK(ordered_pairs({a, b}).empty());
  b.all_us[0] = 50;  // or says the opposite
  CHECK(kendall_tau({a, b}) == dojo::tolerance::within(1));
  const std::string text = fidelity_text({a, b});
  CHECK(text.find("| 2 | n=1 | 20.0 | 200.0 (50.0 to 210.0) | -90 % |") != std::string::npos);
  CHECK(text.find("Of 0 pairs") != std::string::npos);
}

namespace {
/// A run of one kernel with these loads of global memory, in requests and sectors.
FrontEndRun front_end_run_of(double requests, double sectors, double modelled_us) {
  dojo::Report report;
  dojo::RunReport run;
  run.time_us.value = modelled_us;
  run.compile_ms = 100;
  for (int half = 0; half < 2; ++half) {
    dojo::LaunchReport l;
    l.kernel = "add";
    l.counters[std::string(dojo::find_counter("global_load_requests")->name)] = requests / 2;
    l.counters[std::string(dojo::find_counter("global_load_sectors")->name)] = sectors / 2;
    run.launches.push_back(l);
  }
  report.runs.push_back(run);
  return front_end_run(report);
}
}  // namespace

TEST_CASE("two front ends are compared by what the launches of each kernel sum up to") {
  const auto kernels = compare_kernels(front_end_run_of(8, 64, 10), front_end_run_of(16, 64, 10));
  REQUIRE(kernels.size() == 1);
  REQUIRE(kernels[0].unequal.size() == 1);
  CHECK(kernels[0].unequal[0].name == "global_load_requests");
  CHECK(kernels[0].unequal[0].nvrtc == dojo::tolerance::within(8));
  CHECK(kernels[0].unequal[0].clang == dojo::tolerance::within(16));
  CHECK(kernels[0].reason().find("joined in different places") != std::string::npos);
  CHECK(compare_kernels(front_end_run_of(8, 64, 10), front_end_run_of(8, 64, 99))[0].unequal.empty());
  CHECK_FALSE(kernels[0].equal_traffic());
  CHECK(FrontEndKernel{"k", {{"global_loads", 8, 9}, {"shared_stores", 1, 2}}}.equal_traffic());
  // A kernel that one front end has not is a difference, not a row left out.
  const auto alone = compare_kernels(front_end_run_of(8, 64, 10), FrontEndRun{});
  REQUIRE(alone.size() == 1);
  CHECK(alone[0].unequal[0].name == "launches");
}

TEST_CASE("the tables of two front ends count kernels, verdicts and errors of the modelled time") {
  FrontEndRow same{"reduce/1", "n=8", front_end_run_of(8, 64, 11), front_end_run_of(8, 64, 12), 10, {}};
  FrontEndRow apart{"reduce/2", "n=8", front_end_run_of(8, 64, 10), front_end_run_of(8, 96, 20), 10, {}};
  FrontEndRow unrecorded{"reduce/3", "n=8", front_end_run_of(8, 64, 10), front_end_run_of(8, 64, 90), 0, {}};
  std::vector<FrontEndRow> rows{same, apart, unrecorded};
  for (auto& r : rows) r.kernels = compare_kernels(r.nvrtc, r.clang);
  Figures f = front_ends_figures(rows, true);
  CHECK(f["front_ends.kernels"] == dojo::tolerance::within(3));
  CHECK(f["front_ends.equal_kernels"] == dojo::tolerance::within(2));
  CHECK(f["front_ends.recorded"] == dojo::tolerance::within(2));
  CHECK(f["front_ends.nvrtc.mape"] == dojo::tolerance::within(0.05));
  CHECK(f["front_ends.clang.mape"] == dojo::tolerance::within(0.6));
  const std::string text = front_ends_text(rows, true);
  CHECK(text.find("2 of 3 kernels (66.7 %) have equal requests") != std::string::npos);
  CHECK(text.find("| reduce/2 | add | global_load_sectors 64, clang 96 |") != std::string::npos);
  CHECK(text.find("| reduce/2 | n=8 | 10.0 | 10.0 (+0 %) | 20.0 (+100 %) |") != std::string::npos);
  CHECK(text.find("reduce/3 | n=8") == std::string::npos);  // not recorded: no error is known
}

TEST_CASE("A recorded time is refused where the reference's file is not the one that was recorded") {
  const dojo::test::TempFolder dir;
  const auto kept = dir.write("kept.cu", "int a;\n"), changed = dir.write("changed.cu", "int b;\n");
  const std::string print = fmt::format("{:016x}", dojo::fingerprint("int a;\n"));
  const RecordedSources sources = load_sources(
      dir.write("gpu-sources.txt", "# step, FNV-1a\na/1-kept " + print + "\na/2-changed " + print + "\n"));
  REQUIRE(sources.size() == 2);
  CHECK(other_source(sources, "a/1-kept", kept).empty());
  CHECK(other_source(sources, "a/2-changed", changed) ==
        "its source changed after it was recorded: record it anew");
  CHECK(other_source(sources, "a/2-changed", dir.path / "gone.cu") != "");
  CHECK(other_source(sources, "a/3-unlisted", changed).empty());
  CHECK(load_sources(dir.path / "no-list.txt").empty());
  CHECK_THROWS_WITH_AS(load_sources(dir.write("broken.txt", "a/1-kept 12 34\n")),
                       doctest::Contains("broken.txt:1: a step and the 16 hexadecimal digits"), dojo::Error);

  FidelityRow other =
      row("a/2-changed", 0, 70, 0, "its source changed after it was recorded: record it anew");
  other.changed = true;
  const std::string text = fidelity_text({row("a/1-kept", 110, 100), other});
  CHECK(text.find("Left out, because the source changed after it was recorded: a/2-changed (n=1).") !=
        std::string::npos);
}
