// The code under the source: rows of the pane, and how the session asks for it.
#include <doctest/doctest.h>

#include <algorithm>

#include "../near.hpp"
#include "fixtures.hpp"
#include "gui/model/session/session.hpp"
#include "gui/model/text/code_under.hpp"

using namespace dojo;
using namespace dojo::gui;

TEST_CASE("code rows: lit by line, cut to it, counts as heat, machine code with addresses") {
  const CodeListing c = test::make_listing(true);
  auto all = lay_out_code(c, 5, CodeKind::ptx, false);
  CHECK(all.instructions == 4);
  CHECK(all.lit == 2);
  REQUIRE(all.first_lit > 0);
  CHECK(all.rows[size_t(all.first_lit)].lit);
  CHECK(all.rows[0].kind == CodeRow::function);
  CHECK(all.rows[0].detail.find("16 registers per thread") == 0);
  CHECK(all.rows[0].detail.find("no spills") != std::string::npos);
  CHECK(std::count_if(all.rows.begin(), all.rows.end(), [](auto& r) { return r.kind == CodeRow::label; }) ==
        1);
  double most = 0;
  for (auto& r : all.rows)
    if (r.counted) most = std::max(most, r.heat);
  CHECK(most == 1);
  auto only = lay_out_code(c, 5, CodeKind::ptx, true);
  CHECK(only.rows.size() == 3);  // the function and its two instructions
  CHECK(lay_out_code(c, 2, CodeKind::ptx, true).rows.empty());
  CHECK(lay_out_code(c, 2, CodeKind::ptx, true).first_lit == -1);
  auto sass = lay_out_code(c, 6, CodeKind::sass, false);
  CHECK(sass.lit == 1);
  CHECK(sass.rows[size_t(sass.first_lit)].where == "0020");
  CHECK_FALSE(sass.rows[size_t(sass.first_lit)].counted);
  CHECK(sass.note.find("No disassembler") == 0);
  CHECK(lay_out_code(c, 6, CodeKind::ptx, false).note == "");
  CHECK(became(c, 5) == "2 PTX, 1 machine instructions");
  CHECK(became(c, 1) == "");
}

TEST_CASE("code rows: what could not be assembled says so") {
  CodeListing c = test::make_listing(false);
  c.no_machine_code = "no ptxas found";
  c.functions[0].sass.clear();
  auto rows = lay_out_code(c, 5, CodeKind::sass, false);
  CHECK(rows.rows.empty());
  CHECK(rows.note == "No machine code: no ptxas found.");
}

namespace {
struct Bench {
  test::TempFolder folder;
  std::vector<test::FakeRunner*> made;
  std::unique_ptr<Session> s;
  double now = 0;
  Bench() {
    test::write_labs(folder.path);
    s = std::make_unique<Session>(load_catalog(folder.path), std::make_unique<test::FakeRunner>(), Places{},
                                  test::make_devices());
    s->set_lister([this] {
      auto r = std::make_unique<test::FakeRunner>();
      made.push_back(r.get());
      return r;
    });
    s->open("demo/1");
  }
  void ticks(int n) {
    for (int k = 0; k < n; ++k) s->tick(now += 0.1);
  }
};
}  // namespace

TEST_CASE("code under the source: asked for once a text, after a pause, with counts after a run") {
  Bench b;
  CHECK(b.made.empty());  // nothing is compiled before the pane is open
  REQUIRE(b.s->code_under(false));
  REQUIRE(b.made.size() == 1);
  auto& asked = b.made[0]->requests;
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].code);
  CHECK_FALSE(asked[0].code_counts);
  CHECK(asked[0].student_source == b.s->view()->text.text());
  CHECK(b.s->code_under(false)->listing == nullptr);
  b.ticks(10);
  CHECK(b.s->code_under(false)->listing);
  CHECK_FALSE(b.s->listing());
  b.ticks(10);
  b.s->code_under(false);
  CHECK(asked.size() == 1);
  // Typing: not with every letter.
  b.s->view()->text.type("// a");
  b.s->code_under(false);
  CHECK(asked.size() == 1);
  CHECK(b.s->code_under(false)->version != b.s->view()->text.version());
  b.ticks(5);
  b.s->code_under(false);
  REQUIRE(asked.size() == 2);
  CHECK(asked[1].student_source->find("// a") != std::string::npos);
  b.ticks(10);
  // A run in the other worker: then the counts.
  b.s->skip_prediction();
  b.ticks(40);
  REQUIRE(b.s->view()->has_report);
  b.s->code_under(false);
  REQUIRE(asked.size() == 3);
  CHECK(asked[2].code_counts);
  b.ticks(10);
  CHECK(b.s->code_under(false)->listing->ran);
  // The reference has a listing of its own.
  b.s->code_under(true);
  REQUIRE(asked.size() == 4);
  CHECK(asked[3].who == run::Who::reference);
}

TEST_CASE("code under the source: a worker that dies is said, and nothing asks for ever") {
  Bench b;
  b.s->code_under(false);
  b.ticks(10);
  run::WorkerEvent died;
  died.kind = run::WorkerEvent::died;
  died.text = "the worker was killed (signal 9)";
  b.made[0]->scripts.push_back({died});
  b.s->view()->text.type("x");
  b.s->code_under(false);
  b.ticks(6);
  b.s->code_under(false);
  b.ticks(6);
  CHECK(b.s->code_under(false)->error.find("killed") != std::string::npos);
  const size_t asked = b.made[0]->requests.size();
  b.ticks(10);
  b.s->code_under(false);
  CHECK(b.made[0]->requests.size() == asked);
}

TEST_CASE("heat: stalls of a line are the sum over their reasons") {
  RunReport r;
  LaunchReport l;
  l.lines.push_back({"x/1-first.cu",
                     4,
                     {{"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", 1.5},
                      {"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", 0.5},
                      {"smsp__inst_executed.sum", 9}}});
  l.lines.push_back(
      {"x/1-first.cu", 5, {{"smsp__average_warps_issue_stalled_selected_per_issue_active.ratio", 1}}});
  r.launches.push_back(l);
  auto heat = line_heat(r, "1-first.cu", heat_metric("stalls"));
  REQUIRE(heat.size() == 1);  // an instruction that is issued does not wait
  CHECK(heat[4].value == dojo::tolerance::within(2));
  CHECK(heat[4].share == 1);
}

TEST_CASE("heat: lines of another folder's file of the same name are not this file's") {
  RunReport r;
  LaunchReport l;
  for (const char* file : {"a/util.cuh", "b/util.cuh", "labs/01-demo/b/util.cuh"})
    l.lines.push_back({file, 4, {{"smsp__inst_executed.sum", 9}}});
  r.launches.push_back(l);
  auto heat = line_heat(r, "b/util.cuh", heat_metric("instructions"));
  REQUIRE(heat.size() == 1);
  CHECK(heat[4].value == 18);
}
