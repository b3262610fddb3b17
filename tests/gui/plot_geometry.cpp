// Axes, ticks, views, decimation: the plots' geometry, without a window.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "../near.hpp"
#include "fixtures.hpp"
#include "gui/plot/axis.hpp"
#include "gui/plot/decimate.hpp"
#include "gui/plot/names.hpp"
#include "gui/plot/table.hpp"

using namespace dojo;
using namespace dojo::gui;

TEST_CASE("an axis maps values to places and back, linear and logarithmic") {
  Axis lin{10, 30, false}, log{1, 1000, true};
  CHECK(lin.to01(20) == dojo::tolerance::within(0.5));
  CHECK(lin.from01(0.25) == dojo::tolerance::within(15));
  CHECK(log.to01(10) == dojo::tolerance::within(1.0 / 3));
  CHECK(log.from01(2.0 / 3) == dojo::tolerance::within(100));
  CHECK(log.to01(0) < -1);
  CHECK(Axis{5, 5, false}.to01(7) == 0);
}

TEST_CASE("ticks are round, inside the axis, and far enough apart") {
  for (double span : {1e-6, 0.37, 1.0, 13.0, 999.0, 4.2e6}) {
    auto t = ticks({-span * 0.1, span, false}, 500, 50);
    REQUIRE(t.size() >= 2);
    CHECK(t.size() <= 11);
    for (size_t i = 1; i < t.size(); ++i) CHECK((t[i].value - t[i - 1].value) / (1.1 * span) * 500 >= 49.9);
    CHECK(std::any_of(t.begin(), t.end(), [](auto& k) { return k.value == 0; }));
    CHECK(t.front().value >= -span * 0.1 - 1e-12);
    CHECK(t.back().value <= span * (1 + 1e-9));
  }
  auto t = ticks({1, 1e6, true}, 600, 40);
  CHECK(std::count_if(t.begin(), t.end(), [](auto& k) { return k.major; }) == 7);
  // Many decades in little room: labels thin out.
  auto few = ticks({1, 1e12, true}, 120, 40);
  CHECK(std::count_if(few.begin(), few.end(), [](auto& k) { return !k.label.empty(); }) <= 4);
  CHECK(ticks({1, 1, false}, 100, 10).empty());
  CHECK(ticks({0, 10, true}, 100, 10).empty());
}

TEST_CASE("zooming keeps the point under the mouse, and fit returns") {
  View v;
  v.set_home({0, 100, false}, {0, 1, false});
  double before = v.x.from01(0.3);
  v.zoom(0.3, 0.5, 0.5);
  CHECK(v.x.from01(0.3) == dojo::tolerance::within(before));
  CHECK(v.x.hi - v.x.lo == dojo::tolerance::within(50));
  CHECK(v.moved);
  v.set_home({0, 200, false}, {0, 1, false});
  CHECK(v.x.hi - v.x.lo == dojo::tolerance::within(50));  // new data doesn't throw the person out
  v.fit();
  CHECK(v.x.hi == 200);
  v.pan(0.1, 0);
  CHECK(v.x.lo == dojo::tolerance::within(-20));
  v.fit();
  v.box(0.75, 0, 0.25, 1);
  CHECK(v.x.lo == dojo::tolerance::within(50));
  CHECK(v.x.hi == dojo::tolerance::within(150));
  v.min_span = 10;
  for (int k = 0; k < 100; ++k) v.zoom(0.5, 0.5, 0.5);
  CHECK(v.x.hi - v.x.lo >= 10);
}

TEST_CASE("a logarithmic view zooms and pans by factors") {
  View v;
  v.set_home({1, 10000, true}, {1, 100, true});
  v.zoom(0.5, 0.5, 0.5);
  CHECK(v.x.lo == dojo::tolerance::within(10));
  CHECK(v.x.hi == dojo::tolerance::within(1000));
  v.pan(0.5, 0);
  CHECK(v.x.lo == dojo::tolerance::within(1));
  CHECK(v.x.hi == dojo::tolerance::within(100));
}

TEST_CASE("numbers read well") {
  CHECK(si(4194304) == "4.19 M");
  CHECK(si(999950) == "1 M");
  CHECK(si(0.0526) == "0.0526");
  CHECK(si(12) == "12");
  CHECK(grouped(4194304) == "4,194,304");
  CHECK(grouped(-1234567) == "-1,234,567");
  CHECK(grouped(999) == "999");
  CHECK(number(17825792) == "17,825,792");
  CHECK(number(16043213.84) == "16,043,213.8");
  CHECK(number(1024) == "1024");
  CHECK(number(1.0 / 3) == "0.3333");
  CHECK(number(12.3456) == "12.35");
  CHECK(number(2 - 1e-12) == "2");
  CHECK(number(1e-12) == "1e-12");  // small, not nothing
  CHECK(time_text(0.812) == "812 ns");
  CHECK(time_text(41.3) == "41.3 µs");
  CHECK(time_text(1240) == "1.24 ms");
  CHECK(time_text(2.1e6) == "2.1 s");
  CHECK(bytes_text(1024) == "1.02 kB");
  CHECK(bytes_text(12) == "12 B");
  CHECK(power_of_two(4194304) == "2^22");
  CHECK(power_of_two(1000) == "");
  CHECK(power_of_two(512) == "");
}

namespace {
RunReport blocks_of(std::vector<BlockSpan> b) {
  RunReport r;
  r.launches.emplace_back();
  r.launches[0].blocks = std::move(b);
  return r;
}
}  // namespace

TEST_CASE("blocks resident together get slots of their own, and the tail is found") {
  auto t = lay_out(
      blocks_of(
          {{0, 0, 0, 10, {}}, {1, 0, 0, 5, {}}, {2, 1, 0, 10, {}}, {3, 0, 5, 8, {}}, {4, 1, 10, 16, {}}}),
      3);
  CHECK(t.sms == 3);
  CHECK(t.lanes[0] == 2);
  CHECK(t.lanes[1] == 1);
  CHECK(t.end_us == dojo::tolerance::within(16));
  CHECK(t.first_idle_us == dojo::tolerance::near(0));  // the third SM never had a block
  CHECK(t.idle_share == dojo::tolerance::within(1 - (10 + 16) / 48.0));
  int64_t at = span_at(t, 0, 6, 0.9, true);
  REQUIRE(at >= 0);
  CHECK(t.spans[size_t(at)].block == 3);
  CHECK(span_at(t, 0, 12, 0.1, true) < 0);
  CHECK(lay_out(RunReport{}, 4).spans.empty());
}

TEST_CASE("decimation keeps every wide block, joins narrow ones, and loses no time") {
  std::vector<BlockSpan> many;
  for (int i = 0; i < 10000; ++i)
    many.push_back({uint64_t(i), i % 4, (i / 4) * 0.01, (i / 4) * 0.01 + 0.0099, {}});
  auto t = lay_out(blocks_of(many), 4);
  auto coarse = decimate(t, 0, 25, 500, true);
  CHECK(coarse.size() == 4);  // gaps far under a pixel: one stretch an SM
  uint64_t blocks = 0;
  double covered = 0;
  for (auto& s : coarse) blocks += s.blocks, covered += s.end - s.start;
  CHECK(blocks == 10000);
  CHECK(covered == dojo::tolerance::within(4 * 25, 0.01));
  auto fine = decimate(t, 1, 1.1, 500, true);
  CHECK(fine.size() >= 40);
  for (auto& s : fine) CHECK(s.blocks == 1);
  CHECK(decimate(t, 5, 5, 500, true).empty());
}

TEST_CASE("a hundred thousand blocks become few enough rectangles") {
  test::RunShape s;
  s.blocks = 100000;
  s.per_sm = 16;
  auto t = lay_out(test::make_run(s), s.sms);
  REQUIRE(t.spans.size() == 100000);
  CHECK(decimate(t, 0, t.end_us, 900, false).size() <= 132 * 4);
  CHECK(decimate(t, 0, t.end_us, 60, true).size() < 20000);
}

TEST_CASE("CSV quotes what must be quoted") {
  CHECK(to_csv({{"a", "b"}, {{"1", "x,y"}, {"he said \"no\"", "two\nlines"}}}) ==
        "a,b\n1,\"x,y\"\n\"he said \"\"no\"\"\",\"two\nlines\"\n");
}

TEST_CASE("names of curves stand beside their ends, off every curve and name; without room there is none") {
  // The worked example of the header: the second name goes below the first.
  NameRoom two({{0, 0}, {400, 200}});
  two.add_curve({{0, 50}, {100, 50}}, 1);
  two.add_curve({{0, 54}, {100, 54}}, 1);
  const auto first = two.place({100, 50}, {60, 16}, 7), second = two.place({100, 54}, {60, 16}, 7);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(first->min.x == 107);
  CHECK(first->min.y == 42);
  CHECK(second->min.y >= first->max.y);
  // Another curve runs on through where the name would be: it gives way.
  NameRoom crossed({{0, 0}, {400, 200}});
  crossed.add_curve({{0, 100}, {400, 100}}, 1);
  const auto beside = crossed.place({100, 104}, {60, 16}, 7);
  REQUIRE(beside);
  CHECK(beside->min.y > 101);
  // At the right edge it stands above the end; in a corner nowhere.
  NameRoom edge({{0, 0}, {400, 200}});
  const auto above = edge.place({395, 100}, {60, 16}, 7);
  REQUIRE(above);
  CHECK(above->max.x <= 395);
  CHECK(above->max.y <= 93);
  CHECK_FALSE(NameRoom({{0, 0}, {50, 200}}).place({40, 100}, {60, 16}, 7));
  CHECK(crosses({0, 0}, {10, 10}, {{4, 4}, {6, 6}}));
  CHECK_FALSE(crosses({0, 0}, {10, 10}, {{6, 0}, {9, 3}}));
  CHECK(crosses({5, 5}, {5, 5}, {{4, 4}, {6, 6}}));
}
