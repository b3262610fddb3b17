// A run that was stopped: its timeline as far as it ran, and the limit that ends an endless loop.
#include <doctest/doctest.h>

#include <cmath>

#include "../near.hpp"
#include "core/host_work.hpp"
#include "gui/model/plots/playback.hpp"
#include "gui/model/plots/plots.hpp"
#include "gui/panels/result/result.hpp"
#include "gui/plot/decimate.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {

/// Six blocks on four SMs: 0 ended, 1 and 2 wait from 2 µs on, 3 still runs, 4 and 5 never began.
RunReport stopped_run(Status status = Status::finding) {
  RunReport r;
  r.who = "student";
  r.status = status;
  LaunchReport l;
  l.kernel = "k";
  l.grid = {6, 1, 1};
  l.block = {64, 1, 1};
  l.blocks = {{0, 0, 1.0, 1.5, {}},
              {1, 1, 1.0, 2.1, {{2.0, 2.1}}},
              {2, 2, 1.0, 2.1, {{1.2, 1.4}, {2.0, 2.1}}},
              {3, 3, 1.0, 2.1, {{2.1, 2.1}}}};
  r.launches.push_back(l);
  return r;
}

}  // namespace

TEST_CASE("stopped run: its blocks wait or run without end on the timeline, and the others are counted") {
  const Timeline t = lay_out(stopped_run(), 4);
  CHECK(t.stopped);
  CHECK(t.waits_for_ever == 2);
  CHECK(t.runs == 1);
  CHECK(t.not_begun == 2);
  REQUIRE(t.spans.size() == 4);
  CHECK(t.spans[0].state == BlockState::ended);
  CHECK(t.spans[1].state == BlockState::waits);
  CHECK(t.spans[3].state == BlockState::runs);
  CHECK(std::isinf(t.spans[1].end));
  CHECK(t.settled_us == dojo::tolerance::within(2.0));
  // The wait in between ended; the last one never does.
  REQUIRE(t.waits.size() == 4);
  CHECK(t.waits[1][2] == dojo::tolerance::within(1.4f));
  CHECK(std::isinf(t.waits[2][2]));
  // Long after the stop, the three are still there.
  CHECK(span_at(t, 1, 1e6, 0, true) == 1);
  CHECK(span_at(t, 0, 1e6, 0, true) == -1);
  const Moment m = moment_at(t, 50);
  CHECK(m.running == 3);
  CHECK(m.done == 1);
}

TEST_CASE("stopped run: what the host did is no count of the kernel, which was stopped all the same") {
  RunReport r = stopped_run();
  add_host_work(r, HostWork{});
  REQUIRE_FALSE(r.launches[0].counters.empty());
  CHECK(lay_out(r, 4).stopped);
  CHECK(lay_out(r, 4).waits_for_ever == 2);
}

TEST_CASE("stopped run: the kernels that ended count, whatever the run's own clock has") {
  RunReport r = stopped_run();
  r.time_us.value = 2.1;
  for (double us : {1.5, 1.5, 4.0}) r.launches.emplace_back().time_us = us;
  CHECK(run_us(r) == dojo::tolerance::within(7.0));
  r.time_us.value = 9;
  CHECK(run_us(r) == 9);
  r.status = Status::pass;
  r.time_us.value = 2.1;
  CHECK(run_us(r) == dojo::tolerance::within(2.1));
}

TEST_CASE("timeline: a block's name stands where nothing waits") {
  using Part = std::array<float, 2>;
  const Timeline t = lay_out(stopped_run(), 4);
  CHECK(longest_without_wait(t, 0, 1.0f, 1.5f) == Part{1.0f, 1.5f});
  CHECK(longest_without_wait(t, 1, 1.0f, 9.0f) == Part{1.0f, 2.0f});  // it waits for ever then
  CHECK(longest_without_wait(t, 2, 1.0f, 9.0f) == Part{1.4f, 2.0f});  // the longer of two
  CHECK(longest_without_wait(t, 2, 3.0f, 9.0f)[1] == longest_without_wait(t, 2, 3.0f, 9.0f)[0]);
}

TEST_CASE("stopped run: a run that came to its end is not called stopped, whatever was found in it") {
  RunReport r = stopped_run();
  r.launches[0].counters["smsp__inst_executed.sum"] = 12;
  CHECK_FALSE(lay_out(r, 4).stopped);
  CHECK_FALSE(lay_out(stopped_run(Status::wrong), 4).stopped);
}

TEST_CASE("stopped run: the timeline's figures say of each block how it was left") {
  Report report;
  report.runs.push_back(stopped_run(Status::timeout));
  const Table t = timeline_table(&report);
  REQUIRE(t.rows.size() == 4);
  CHECK(t.columns.back() == "state");
  CHECK(t.rows[0].back() == "ended");
  CHECK(t.rows[2].back() == "waits");
  CHECK(t.rows[3].back() == "still runs");
}

TEST_CASE("stopped run: the first run at the sizes that steps come with has a short limit, and says so") {
  Stage st;
  run::WorkerEvent running;
  running.at = {"student", "run", 0.1};
  st.runner->scripts.push_back({running, running, running});
  st.runner->seconds = 1000;  // the last event does not come
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.frames(5);
  REQUIRE(st.s->running());
  REQUIRE(!st.runner->requests.empty());
  CHECK(st.runner->requests.back().time_limit_s == 6);
  CHECK(st.s->run_limit_s() == 6);
  st.frames(20);
  CHECK(st.s->progress().phase == "run");
  CHECK(st.s->limit_text().empty());  // not for the blink of an eye
  st.frames(80);
  CHECK(st.s->limit_text() == ", stops after 6 s of processor time");
}

TEST_CASE("stopped run: a size of one's own has the long limit, until the reference is known there") {
  Stage st;
  st.s->open("demo/1");
  st.s->choose_size({{"n", 12345}});
  st.s->skip_prediction();
  REQUIRE(!st.runner->requests.empty());
  CHECK(st.runner->requests.back().time_limit_s == run::RunRequest{}.time_limit_s);
}
