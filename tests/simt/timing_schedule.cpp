#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>

#include "../near.hpp"
#include "simt/time/schedule.hpp"

using namespace dojo;
using namespace dojo::simt;

namespace {
ScheduledLaunch grid(uint64_t blocks, double work, int per_sm, double load = 0) {
  ScheduledLaunch l;
  l.blocks = blocks;
  l.kinds = {{work, load}};
  l.slot = 1.0 / per_sm;
  return l;
}
}  // namespace

TEST_CASE("blocks fill the SMs wave by wave") {
  const ScheduleRules rules{8, 32, 0, 0};
  for (int blocks : {1, 8, 9, 12, 16, 17}) {
    std::vector<ScheduledLaunch> l{grid(uint64_t(blocks), 1, 1)};
    const auto t = schedule(rules, l);
    CHECK(t[0].end_us == dojo::tolerance::within((blocks + 7) / 8));
  }
  std::vector<ScheduledLaunch> l{grid(12, 1, 1)};
  const auto t = schedule(rules, l);
  CHECK(t[0].blocks[0].sm == 0);
  CHECK(t[0].blocks[7].sm == 7);
  CHECK(t[0].blocks[8].start_us == dojo::tolerance::within(1));
}

TEST_CASE("clusters find room on fewer SMs, and leave the others to later launches") {
  std::vector<ScheduledLaunch> l{grid(12, 1, 1), grid(2, 1, 1)};
  l[0].sms = 6;
  const auto t = schedule({8, 32, 0, 0}, l);
  CHECK(t[0].end_us == dojo::tolerance::within(2));
  for (const BlockSpan& b : t[0].blocks) CHECK(b.sm < 6);
  CHECK(t[1].blocks[0].start_us == dojo::tolerance::within(1));  // when all blocks before it have a place
  for (const BlockSpan& b : t[1].blocks) CHECK(b.sm >= 6);
}

TEST_CASE("a launch whose atomics take turns lasts as long as they do, and what follows it waits") {
  std::vector<ScheduledLaunch> l{grid(8, 1, 1), grid(8, 1, 1)};
  l[0].before_us = 0.5;
  l[0].at_least_us = 3;
  l[0].tail_us = 0.25;
  l[1].after = {0};
  const auto t = schedule({8, 32, 0, 0}, l);
  CHECK(t[0].end_us == dojo::tolerance::within(3.75));
  CHECK(t[1].end_us == dojo::tolerance::within(4.75));
}

TEST_CASE("blocks that share an SM slow each other down as the load says") {
  // Four blocks that each fill the SM: four times as long. One alone: its own time.
  const double full = load_for(4, 4);
  CHECK(slowdown(4 * full) == dojo::tolerance::within(4));
  std::vector<ScheduledLaunch> l{grid(4, 1, 4, full)};
  CHECK(schedule({1, 32, 0, 0}, l)[0].end_us == dojo::tolerance::within(4));
  l = {grid(1, 1, 4, full)};
  CHECK(schedule({1, 32, 0, 0}, l)[0].end_us == dojo::tolerance::within(slowdown(full)));
  // A fifth block runs in the tail with the SM to itself.
  l = {grid(5, 1, 4, full)};
  CHECK(schedule({1, 32, 0, 0}, l)[0].end_us == dojo::tolerance::within(4 + slowdown(full)));
}

TEST_CASE("a load on what all SMs share slows blocks down wherever they run") {
  // Three blocks on two SMs with room for two: the SM that has one is as slow as the other, and both get what
  // the missing one leaves.
  const double load = load_for(2, 2);
  std::vector<ScheduledLaunch> l{grid(3, 1, 2, load)};
  CHECK(schedule({2, 32, 0, 0}, l)[0].end_us == dojo::tolerance::within(2));
  l[0].kinds[0].shared = 1;
  const auto t = schedule({2, 32, 0, 0}, l);
  CHECK(t[0].end_us == dojo::tolerance::within(slowdown(1.5 * load)));
  for (const auto& b : t[0].blocks) CHECK(b.end_us == dojo::tolerance::within(t[0].end_us));
  // A full GPU is as slow either way.
  l = {grid(4, 1, 2, load)};
  l[0].kinds[0].shared = 1;
  CHECK(schedule({2, 32, 0, 0}, l)[0].end_us == dojo::tolerance::within(2));
}

TEST_CASE("block starts are limited GPU-wide, and a slot rests between two blocks") {
  std::vector<ScheduledLaunch> l{grid(1000, 0.001, 8)};
  CHECK(schedule({100, 32, 0.01, 0}, l)[0].end_us == dojo::tolerance::within(9.99 + 0.001));
  l = {grid(10, 1, 1)};
  CHECK(schedule({1, 32, 0, 0.5}, l)[0].end_us == dojo::tolerance::within(10 + 9 * 0.5));
}

TEST_CASE("launches without dependence run together, with one they follow") {
  std::vector<ScheduledLaunch> l{grid(4, 1, 1), grid(4, 1, 1)};
  auto t = schedule({8, 32, 0, 0}, l);
  CHECK(t[1].end_us == dojo::tolerance::within(1));
  l[1].after = {0};
  t = schedule({8, 32, 0, 0}, l);
  CHECK(t[1].start_us == dojo::tolerance::within(1));
  CHECK(t[1].end_us == dojo::tolerance::within(2));
  l[0].before_us = l[1].before_us = 0.75;
  l[0].tail_us = l[1].tail_us = 0.25;
  t = schedule({8, 32, 0, 0}, l);
  CHECK(t[0].end_us == dojo::tolerance::within(2));
  CHECK(t[1].end_us == dojo::tolerance::within(4));
}

TEST_CASE("a waiting block holds its SM until the point it waits for has passed") {
  // Two SMs: the producer's blocks take both, the consumer's block 0 waits for block 1's half.
  std::vector<ScheduledLaunch> l{grid(1, 4, 1), grid(1, 1, 1)};
  l[1].waits.resize(1);
  l[1].waits[0] = {{0.0, 0, 0, 0.5}};
  const auto t = schedule({2, 32, 0, 0}, l);
  CHECK(t[0].end_us == dojo::tolerance::within(4));
  CHECK(t[1].end_us == dojo::tolerance::within(3));
  REQUIRE(t[1].blocks[0].waiting.size() == 1);
  CHECK(t[1].blocks[0].waiting[0][0] == dojo::tolerance::near(0));
  CHECK(t[1].blocks[0].waiting[0][1] == dojo::tolerance::within(2));
}

TEST_CASE(
    "a neighbour that waits by acquiring loads takes the L1 from those that work, one that waits otherwise "
    "doesn't") {
  // One SM with room for ten: one works, the others wait for it.
  for (int waiting : {1, 8}) {
    std::vector<ScheduledLaunch> l{grid(1, 4, 10), grid(uint64_t(waiting), 1, 10)};
    l[0].kinds[0].one_empties = 2, l[0].kinds[0].many_empty = 3;
    l[1].waits.assign(size_t(waiting), {{0.0, 0, 0, 1}});
    CHECK(schedule({1, 32, 0, 0}, l)[0].end_us == dojo::tolerance::within(4));
    for (auto& block : l[1].waits) block[0].empties_l1 = true;
    const auto t = schedule({1, 32, 0, 0}, l);
    CHECK(t[0].end_us == dojo::tolerance::within(waiting == 1 ? 8 : 12));
    CHECK(t[1].end_us == dojo::tolerance::within(t[0].end_us + 1));
    // On an SM of its own it disturbs no other block.
    if (waiting == 1) CHECK(schedule({2, 32, 0, 0}, l)[0].end_us == dojo::tolerance::within(4));
  }
}

TEST_CASE("a dependent launch may start once every block has let it go") {
  std::vector<ScheduledLaunch> l{grid(2, 4, 1), grid(2, 1, 1)};
  l[0].trigger = 0.25;
  l[1].after_start = {0};
  l[1].waits = {{{0.5, 0, WaitPoint::whole_launch, 1}}, {}};
  const auto t = schedule({4, 32, 0, 0}, l);
  CHECK(t[1].start_us == dojo::tolerance::within(1));
  CHECK(t[1].blocks[1].end_us == dojo::tolerance::within(2));
  CHECK(t[1].blocks[0].end_us == dojo::tolerance::within(4.5));
}

TEST_CASE("six and six tiles on four SMs take four waves in stream order and three with row semaphores") {
  // The wave lab's example: without semaphores the second product starts after the first.
  std::vector<ScheduledLaunch> l{grid(6, 1, 1), grid(6, 1, 1)};
  l[1].after = {0};
  CHECK(schedule({4, 32, 0, 0}, l)[1].end_us == dojo::tolerance::within(4));
  l[1].after.clear();
  l[1].waits.resize(6);
  for (uint64_t tile = 0; tile < 6; ++tile)  // a row of two tiles each
    for (uint64_t k = 0; k < 2; ++k) l[1].waits[tile].push_back({0, 0, tile / 2 * 2 + k, 1});
  CHECK(schedule({4, 32, 0, 0}, l)[1].end_us == dojo::tolerance::within(3));
}

TEST_CASE("a hundred thousand blocks: every SM is used evenly, and none overlaps beyond its slots") {
  std::vector<ScheduledLaunch> l{grid(100000, 1, 8, load_for(6, 8))};
  const auto t = schedule({132, 32, 0.0006, 0.19}, l);
  std::vector<int> count(132);
  for (const auto& b : t[0].blocks) ++count[size_t(b.sm)];
  const auto [least, most] = std::minmax_element(count.begin(), count.end());
  CHECK(*most - *least <= 16);
  std::vector<std::pair<double, int>> edges;
  for (const auto& b : t[0].blocks)
    if (b.sm == 5) edges.push_back({b.start_us, 1}), edges.push_back({b.end_us, -1});
  std::sort(edges.begin(), edges.end());
  int live = 0, peak = 0;
  for (auto& [at, d] : edges) live += d, peak = std::max(peak, live);
  CHECK(peak == 8);
}
