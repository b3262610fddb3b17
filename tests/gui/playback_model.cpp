// A launch played over its timeline.
#include <doctest/doctest.h>

#include "../near.hpp"
#include "fixtures.hpp"
#include "gui/model/plots/playback.hpp"

using namespace dojo;
using namespace dojo::gui;

TEST_CASE("playing a launch: every block waits, runs and ends once") {
  test::RunShape shape;
  shape.blocks = 300;
  shape.sms = 8;
  shape.per_sm = 2;
  const Timeline t = lay_out(test::make_run(shape), 8);
  REQUIRE(t.spans.size() == 300);
  for (double share : {0.0, 0.2, 0.5, 0.9}) {
    const Moment m = moment_at(t, t.end_us * share);
    CHECK(m.waiting + m.running + m.done == 300);
    CHECK(m.running <= 16);
    CHECK(m.busy_sms <= 8);
  }
  CHECK(moment_at(t, 0).done == 0);
  CHECK(moment_at(t, t.end_us * 0.5).busy_sms == 8);
  CHECK(moment_at(t, t.end_us + 1).done == 300);
  // From event to event, forwards and back, to the ends.
  double at = 0;
  int events = 0;
  for (; at < t.end_us && events < 1000; ++events) {
    const double next = next_event(t, at, true);
    REQUIRE(next > at);
    at = next;
  }
  CHECK(events >= 150);
  CHECK(at == t.end_us);
  for (int k = 0; k < 1000 && at > 0; ++k) at = next_event(t, at, false);
  CHECK(at == 0);
}

TEST_CASE("playing a launch: the clock moves, stops at the end and starts over") {
  Playback p;
  CHECK_FALSE(p.tick(1, 50));
  p.seconds = 10;
  p.toggle(50);
  CHECK(p.on);
  CHECK(p.playing);
  p.tick(1.0, 50);  // the first look only sets the clock
  CHECK(p.at_us == 0);
  CHECK(p.tick(1.1, 50));
  CHECK(p.at_us == dojo::tolerance::within(0.5));
  p.tick(9, 50);  // a window that was asleep doesn't leap
  CHECK(p.at_us == dojo::tolerance::within(0.5 + 1.25));
  p.toggle(50);
  CHECK_FALSE(p.playing);
  CHECK_FALSE(p.tick(9.1, 50));
  p.seek(49.9, 50);
  p.toggle(50);
  p.tick(10, 50);
  p.tick(10.2, 50);
  CHECK_FALSE(p.playing);
  CHECK(p.at_us == 50);
  p.toggle(50);
  CHECK(p.at_us == 0);
  CHECK(p.playing);
  p.seek(-4, 50);
  CHECK(p.at_us == 0);
  CHECK_FALSE(p.playing);
  p.off();
  CHECK_FALSE(p.on);
}
