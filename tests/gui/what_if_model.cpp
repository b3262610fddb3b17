// The what-if panel's model: the blackboard example, presets, live limits.
#include <doctest/doctest.h>

#include <algorithm>

#include "../near.hpp"
#include "gui/model/plots/what_if.hpp"

using namespace dojo;
using namespace dojo::gui;

TEST_CASE("what if: opens on the 12 x 8 example, four waves against three") {
  WhatIfModel w;
  w.update();
  REQUIRE(w.ok());
  CHECK(w.headline() == "6 + 6 tiles, 4 slots: 2 + 2 waves, or 3");
  CHECK(w.of(WaitPolicy::stream).time_us == dojo::tolerance::within(4));
  CHECK(w.of(WaitPolicy::stream).utilization == dojo::tolerance::within(0.75));
  CHECK(w.chosen().time_us == dojo::tolerance::within(3));
  CHECK(w.chosen().utilization == dojo::tolerance::within(1));
  CHECK(w.gain(WaitPolicy::row) == dojo::tolerance::within(4.0 / 3));
  CHECK(w.ideal_gain() == dojo::tolerance::within(4.0 / 3));
  CHECK(w.table().rows.size() == 12);
}

TEST_CASE("what if: follows every slider, and never breaks on one") {
  WhatIfModel w;
  w.update();
  w.shape.sms = 12;
  w.update();
  CHECK(w.of(WaitPolicy::stream).time_us == dojo::tolerance::within(2));
  w.shape.blocks_per_sm = 2;  // twice the slots, each half as fast: a lone block leaves half of its SM idle
  w.update();
  CHECK(w.what().capacity() == 24);
  CHECK(w.of(WaitPolicy::stream).time_us == dojo::tolerance::within(4));
  w.shape = {-5, 0, 1 << 30, 8, 0, 9999, -1, 99, 256, 0, 0};
  w.update();
  CHECK(w.ok());
  w.shape = {1 << 16, 1 << 16, 8, 8, 1, 1, 4, 1, 256, 0, 0};
  w.update();
  CHECK(!w.ok());
  CHECK(w.problem().find("larger tile") != std::string::npos);
  CHECK(w.table().rows.empty());
  w.shape = {};
  w.update();
  CHECK(w.ok());
}

TEST_CASE(
    "what if: the example counts in units, as its toy of a GPU does; the real pair takes microseconds") {
  WhatIfModel m;
  m.update();
  CHECK(m.time(m.of(WaitPolicy::stream).time_us) == "4 units");
  CHECK(m.table().columns[5] == "start_units");
  m.shape = what_if_presets()[1].shape;
  m.update();
  CHECK(m.time(m.of(WaitPolicy::stream).time_us).find("s") != std::string::npos);
  CHECK(m.time(m.of(WaitPolicy::stream).time_us).find("unit") == std::string::npos);
  CHECK(m.table().columns[5] == "start_us");
}

TEST_CASE("what if: every preset can be drawn") {
  for (const auto& p : what_if_presets()) {
    WhatIfModel w;
    w.shape = p.shape;
    w.update();
    CHECK_MESSAGE(w.ok(), p.title);
    CHECK_MESSAGE(w.shape == p.shape, p.title);  // within the ranges
    CHECK(int64_t(w.chosen().spans.size()) == w.what().first.count() + w.what().second.count());
  }
}
