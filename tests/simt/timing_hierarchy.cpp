#include <doctest/doctest.h>

#include <algorithm>

#include "../near.hpp"
#include "simt/caches/hierarchy.hpp"

using namespace dojo::simt;

namespace {
std::vector<LineAccess> stream(uint64_t first, uint64_t lines, LineAccess::Kind kind) {
  std::vector<LineAccess> log;
  for (uint64_t i = 0; i < lines; ++i) log.push_back({first + i, 15, kind, 0, 0, 0});
  return log;
}
constexpr uint64_t kBase = 0x7000'0000'0000ull / 128;
}  // namespace

TEST_CASE("a streaming read comes from DRAM once, and again from L2 if it fits") {
  CacheHierarchy h(device_model("h100"));
  h.begin({64 * 1024, 64 * 1024});
  BlockSummary s;
  std::vector<LineHits> hits;
  const auto log = stream(kBase, 4096, LineAccess::load);
  h.replay(0, log, s, &hits);
  CHECK(s.l2_sectors == 4 * 4096);
  CHECK(s.dram_sectors == 4 * 4096);
  CHECK(hits.size() == log.size());
  CHECK(hits[0].l1 + hits[0].l2 == 0);
  h.replay(1, log, s, &hits);
  CHECK(s.dram_sectors == 0);
  CHECK(hits[9].l2 == 4);
  CHECK(h.totals(0).dram_read == 4 * 4096);
  h.clear();
  h.replay(2, log, s, nullptr);
  CHECK(s.dram_sectors == 4 * 4096);
}

TEST_CASE("who reads what others have just asked DRAM for waits with them, and who comes later does not") {
  CacheHierarchy h(device_model("h100"));
  h.begin({64 * 1024}, {24});
  std::vector<BlockSummary> summaries(24);
  std::vector<BlockAccesses> blocks(24);
  for (int b = 0; b < 24; ++b) {
    blocks[size_t(b)].sm = b;
    blocks[size_t(b)].summary = &summaries[size_t(b)];
    blocks[size_t(b)].want_hits = true;
    // Two lines of its own, two accesses a turn; then what all read, of which the last block has had the
    // second long before.
    const uint64_t own = kBase + 1000 + uint64_t(b) * 100;
    auto& log = blocks[size_t(b)].log = stream(own, 2, LineAccess::load);
    if (b == 23) log.push_back({kBase + 1, 15, LineAccess::load, 0, 0, 0});
    for (const auto& a : stream(own + 10, b == 23 ? 9 : 10, LineAccess::load)) log.push_back(a);
    for (const auto& a : stream(kBase, 2, LineAccess::load)) log.push_back(a);
  }
  h.replay(blocks);
  const size_t at = 12;
  CHECK(blocks[0].hits[at].l2 == 0);
  CHECK(!blocks[0].hits[at].coming);
  CHECK(blocks[0].hits[at].askers == 24);
  CHECK(blocks[0].hits[0].askers == 1);
  for (int b : {1, 22}) {
    CHECK(blocks[size_t(b)].hits[at].l2 == 4);
    CHECK(blocks[size_t(b)].hits[at].coming);
    CHECK(blocks[size_t(b)].hits[at].askers == 24);
    CHECK(blocks[size_t(b)].hits[at + 1].l2 == 4);
    CHECK(!blocks[size_t(b)].hits[at + 1].coming);
  }
  CHECK(h.totals(0).dram_read == 4 * (24 * 12 - 1 + 2));
}

TEST_CASE("blocks that read the same lines go side by side, though each of them alone would fill the L2") {
  CacheHierarchy h(device_model("h100"));
  h.begin({64 * 1024}, {132});
  const auto log = stream(kBase, 10000, LineAccess::load);
  std::vector<BlockSummary> summaries(132);
  std::vector<BlockAccesses> blocks(132);
  for (int b = 0; b < 132; ++b) {
    blocks[size_t(b)].sm = b, blocks[size_t(b)].log = log, blocks[size_t(b)].summary = &summaries[size_t(b)];
    blocks[size_t(b)].want_hits = b == 131;
  }
  CHECK(h.side_by_side(log) == 132);
  h.replay(blocks);
  CHECK(h.totals(0).dram_read == 4 * 10000);
  for (int b : {0, 131})
    CHECK(summaries[size_t(b)].dram_sectors ==
          dojo::tolerance::within(4 * 10000 / 132, 0.01));  // a part for each
  CHECK(blocks[131].hits[9000].coming);
}

TEST_CASE(
    "L1 keeps what its SM loaded and stored, starts empty with a launch, and loses what atomics change") {
  CacheHierarchy h(device_model("h100"));
  h.begin({64 * 1024, 64 * 1024});
  BlockSummary s;
  const auto log = stream(kBase, 16, LineAccess::load);
  h.replay(3, log, s, nullptr);
  h.replay(3, log, s, nullptr);
  CHECK(s.l2_sectors == 0);
  h.replay(3, stream(kBase, 1, LineAccess::store), s, nullptr);
  h.replay(3, log, s, nullptr);
  CHECK(s.l2_sectors == 0);
  h.replay(3, stream(kBase, 1, LineAccess::atomic), s, nullptr);
  h.replay(3, log, s, nullptr);
  CHECK(s.l2_sectors == 4);
  h.select_launch(1);
  h.replay(3, log, s, nullptr);
  CHECK(s.l2_sectors == 64);
  CHECK(h.totals(1).l1_hits == 0);
  // Volatile loads and atomics pass it by.
  h.replay(3, stream(kBase, 16, LineAccess::load_volatile), s, nullptr);
  CHECK(s.l2_sectors == 64);
}

TEST_CASE("a fence or an acquire of any warp empties its SM's L1 and no other") {
  CacheHierarchy h(device_model("h100"));
  h.begin({64 * 1024});
  BlockSummary s;
  const auto log = stream(kBase, 16, LineAccess::load);
  const std::vector<LineAccess> fence{{0, 0, LineAccess::invalidate, 7, 0, 0}};
  h.replay(3, log, s, nullptr);
  h.replay(4, log, s, nullptr);
  h.replay(3, fence, s, nullptr);
  CHECK(s.l2_sectors == 0);
  h.replay(4, log, s, nullptr);
  CHECK(s.l2_sectors == 0);
  h.replay(3, log, s, nullptr);
  CHECK(s.l2_sectors == 64);
  CHECK(s.dram_sectors == 0);
  h.replay(3, log, s, nullptr);
  CHECK(s.l2_sectors == 0);
}

TEST_CASE("sectors are fetched one by one by an SM, two by two from DRAM") {
  CacheHierarchy h(device_model("h100"));
  h.begin({64 * 1024});
  BlockSummary s;
  const std::vector<LineAccess> one{{kBase, 1, LineAccess::load, 0, 0}};
  const std::vector<LineAccess> all{{kBase, 15, LineAccess::load, 0, 0}};
  h.replay(0, one, s, nullptr);
  CHECK(s.dram_sectors == 2);
  h.replay(0, all, s, nullptr);
  CHECK(s.dram_sectors == 2);
  CHECK(h.totals(0).l1_hits == 1);
}

TEST_CASE(
    "a line of the L2's far half is near the second time; two thirds of the L2 hold what each SM reads "
    "once") {
  L2Cache l2;
  l2.resize(1 << 20, true);
  uint64_t away = 0;  // a line at home in half 1
  while (l2.home_of(away) != 1) ++away;
  int evicted = 0;
  CHECK(l2.fill(away, 15, 1, &evicted) == 0);
  CHECK((l2.read(away, 15, 1, &evicted).far == false));
  const auto first = l2.read(away, 15, 0, &evicted), second = l2.read(away, 15, 0, &evicted);
  CHECK(first.far);
  CHECK(first.present == 15);
  CHECK(!second.far);
  CHECK(second.present == 15);
  CHECK(l2.atomic(away, 1, 1, &evicted).present == 1);
  CHECK(l2.read(away, 15, 0, &evicted).far);  // the other half's copy is gone
  CHECK(l2.store(away, 15, 0, &evicted).far);
  CHECK(!l2.read(away, 15, 0, &evicted).far);  // who stores keeps it near
  // What comes with the sectors that were asked for is near too.
  uint64_t unread = away + 1;
  while (l2.home_of(unread) != 1) ++unread;
  l2.read(unread, 1, 0, &evicted);
  CHECK(l2.fill(unread, 2, 0, &evicted) == 0);
  CHECK(!l2.read(unread, 2, 0, &evicted).far);
  // Half of the lines are far: what is copied from the host takes the mean, and once one other SM has read it
  // a quarter is.
  int far_copied = 0, far_read = 0;
  for (uint64_t line = 1000; line < 3000; ++line) {
    l2.fill(line, 15, l2.home_of(line), &evicted);
    far_copied += l2.read(line, 15, int(line & 1), &evicted).far;
    far_read += l2.read(line, 15, 0, &evicted).far;
  }
  CHECK(far_copied == dojo::tolerance::within(1000, 0.1));
  CHECK(far_read == dojo::tolerance::within(500, 0.15));
  for (const double share : {0.55, 0.95}) {
    L2Cache full;
    full.resize(8 << 20, true);
    const uint64_t lines = uint64_t(share * double(8 << 20) / 128);
    uint64_t there = 0;
    for (int round = 0; round < 2; ++round)
      for (uint64_t line = 0; line < lines; ++line) {
        const int side = int(line * 2654435761u >> 20 & 1);
        const bool hit = full.read(line, 15, side, &evicted).present == 15;
        there += round && hit;
      }
    CAPTURE(share);
    CHECK((double(there) / double(lines) > 0.9) == (share < 2.0 / 3));
  }
}

TEST_CASE(
    "who comes to a line that its half of the L2 is just asking the other for waits as long, and who comes "
    "later does not") {
  CacheHierarchy h(device_model("h100"));
  constexpr uint64_t lines = 640;
  const auto log = stream(kBase, lines, LineAccess::load);
  const auto far = [&](std::initializer_list<int> sms) {
    h.begin({64 * 1024}, {uint32_t(sms.size())});
    std::vector<BlockSummary> summaries(sms.size());
    std::vector<BlockAccesses> blocks(sms.size());
    std::vector<uint64_t> counts;
    for (size_t b = 0; b < sms.size(); ++b)
      blocks[b].sm = sms.begin()[b], blocks[b].log = log, blocks[b].summary = &summaries[b],
      blocks[b].want_hits = true;
    h.replay(blocks);
    for (const auto& b : blocks)
      counts.push_back(
          uint64_t(std::count_if(b.hits.begin(), b.hits.end(), [](const LineHits& hit) { return hit.far; })));
    return counts;
  };
  far({2, 3});  // SMs of one half bring all lines from DRAM, home and to themselves
  const auto together = far({0, 1, 4, 2});  // three of the other half, and one of those
  CHECK(together[0] > lines / 4);
  CHECK(together[1] == together[0]);
  CHECK(together[2] == together[0]);
  CHECK(together[3] == 0);
  CHECK(far({5})[0] == 0);
}

TEST_CASE("stores stay in L2 until they are evicted, and read nothing") {
  const auto& m = device_model("a5000");  // one cache; of halves, the SM's own keeps what it stores too
  CacheHierarchy h(m);
  h.begin({64 * 1024});
  BlockSummary s;
  h.replay(0, stream(kBase, 1000, LineAccess::store), s, nullptr);
  CHECK(s.dram_sectors == 0);
  CHECK(h.totals(0).dram_write == 0);
  // Four times the L2's size: all but what fits goes out.
  const uint64_t lines = m.info.l2_bytes / 128 * 4;
  h.begin({64 * 1024});
  h.clear();
  h.replay(0, stream(kBase, lines, LineAccess::store), s, nullptr);
  CHECK(h.totals(0).dram_write == dojo::tolerance::within(double(lines) * 4 * 0.75, 0.02));
  CHECK(h.totals(0).dram_read == 0);
}

TEST_CASE("a working set of half the L2 stays, one of twice does not") {
  const auto& m = device_model("a5000");
  for (const double share : {0.5, 2.0}) {
    CacheHierarchy h(m);
    h.begin({0});
    const uint64_t lines = uint64_t(double(m.info.l2_bytes) * share / 128);
    BlockSummary s;
    h.replay(0, stream(kBase, lines, LineAccess::load), s, nullptr);
    h.replay(0, stream(kBase, lines, LineAccess::load), s, nullptr);
    if (share < 1)
      CHECK(s.dram_sectors == 0);
    else
      CHECK(s.dram_sectors > lines * 3);
  }
}

TEST_CASE("atomics on one line are told from atomics on many") {
  CacheHierarchy h(device_model("h100"));
  h.begin({0, 0, 0});
  BlockSummary s;
  const std::vector<LineAccess> same(1000, LineAccess{kBase, 1, LineAccess::atomic, 0, 0, 0});
  h.replay(0, same, s, nullptr);
  CHECK(h.totals(0).hot_atomics == 3000);  // one sector each: a packet's time, in thirds
  h.select_launch(1);
  h.replay(0, stream(kBase, 1000, LineAccess::atomic), s, nullptr);
  CHECK(h.totals(1).hot_atomics <= 4 * 12);
  // Four sectors of one line are four packets.
  h.select_launch(2);
  h.replay(0, std::vector<LineAccess>(1000, LineAccess{kBase, 15, LineAccess::atomic, 0, 0, 0}), s, nullptr);
  CHECK(h.totals(2).hot_atomics == 12000);
}

TEST_CASE("warps of a block reach the caches side by side, and so do blocks that fit") {
  CacheHierarchy h(device_model("h100"));
  h.begin({64 * 1024}, {2});
  // Two warps walk the same 64 lines, the second 16 lines ahead: each finds the other's.
  std::vector<LineAccess> log;
  for (uint8_t w = 0; w < 2; ++w)
    for (uint64_t i = w ? 16 : 0; i < 64; ++i) log.push_back({kBase + i, 15, LineAccess::load, w, 0, 0});
  BlockSummary s[2];
  std::vector<LineHits> hits;
  h.replay(0, log, s[0], &hits);
  CHECK(s[0].dram_sectors == 64 * 4);
  int first = 0, second = 0;
  for (size_t i = 0; i < log.size(); ++i) (log[i].warp ? second : first) += hits[i].l1 == 4;
  CHECK(first == 48);  // all but the 16 lines that the other began with
  CHECK(second == 0);
  // Two blocks on two SMs, the second ahead: in the L2 likewise.
  h.clear();
  h.begin({64 * 1024}, {2});
  std::vector<BlockAccesses> both(2);
  for (size_t b = 0; b < 2; ++b) {
    s[b] = {}, both[b].sm = int(b), both[b].summary = &s[b];
    both[b].log = stream(kBase + 32 * b, 64, LineAccess::load);
  }
  CHECK(h.side_by_side(both[0].log) == 2);
  h.replay(both);
  CHECK(s[0].dram_sectors == 32 * 4);
  CHECK(s[1].dram_sectors == 64 * 4);
}

TEST_CASE("what a block reads twice leaves the L2 in between when all blocks on the GPU read as much") {
  CacheHierarchy h(device_model("h100"));
  // 1 MiB twice, past the L1: 264 such blocks at a time don't fit 50 MiB, 16 do.
  auto log = stream(kBase, 8192, LineAccess::load_volatile);
  const auto again = log;
  log.insert(log.end(), again.begin(), again.end());
  BlockSummary s;
  for (uint32_t together : {16u, 264u}) {
    h.clear();
    h.begin({0}, {together});
    h.replay(0, log, s, nullptr);
    CHECK(s.dram_sectors == (together == 16 ? 4u : 8u) * 8192);
  }
  // What an earlier block brought belongs to all: here it stays.
  h.replay(1, log, s, nullptr);
  CHECK(s.dram_sectors == 0);
}

TEST_CASE("sectors that the L2 holds and DRAM doesn't have yet are counted") {
  CacheHierarchy h(device_model("h100"));
  h.begin({0});
  BlockSummary s;
  h.replay(0, stream(kBase, 1000, LineAccess::load), s, nullptr);
  h.replay(0, stream(kBase, 1500, LineAccess::store), s, nullptr);
  CHECK(h.dirty_sectors() == 4 * 1500);
}

TEST_CASE("stores stay in L1, sectors come from DRAM in pairs") {
  CacheHierarchy h(device_model("h100"));
  h.begin({64 * 1024, 64 * 1024});
  BlockSummary s;
  // A line stored, loaded and stored again: missed once.
  h.replay(0, stream(kBase, 1, LineAccess::store), s, nullptr);
  CHECK(h.totals(0).l1_hits == 0);
  h.replay(0, stream(kBase, 1, LineAccess::load), s, nullptr);
  h.replay(0, stream(kBase, 1, LineAccess::store), s, nullptr);
  CHECK(h.totals(0).l1_lookups == 12);
  CHECK(h.totals(0).l1_hits == 8);
  CHECK(h.totals(0).dram_read == 0);
  // Of two sectors of one line, each the other's neighbour or not.
  h.select_launch(1);
  h.replay(1, std::vector<LineAccess>{{kBase + 9, 0b0001, LineAccess::load, 0, 0, 0}}, s, nullptr);
  CHECK(s.dram_sectors == 2);
  h.replay(2, std::vector<LineAccess>{{kBase + 9, 0b0010, LineAccess::load, 0, 0, 0}}, s, nullptr);
  CHECK(s.dram_sectors == 0);
  h.replay(2, std::vector<LineAccess>{{kBase + 9, 0b0100, LineAccess::load, 0, 0, 0}}, s, nullptr);
  CHECK(s.dram_sectors == 2);
  h.replay(3, std::vector<LineAccess>{{kBase + 10, 0b1111, LineAccess::load, 0, 0, 0}}, s, nullptr);
  CHECK(s.dram_sectors == 4);
}

TEST_CASE("an L2 of two halves is home to 8 KiB in turn") {
  L2Cache l2;
  l2.resize(1 << 20, true);
  int differ[3] = {};
  const uint64_t apart[3] = {1, 32, 64};
  for (uint64_t line = kBase; line < kBase + 4096; ++line)
    for (int k = 0; k < 3; ++k) differ[k] += l2.home_of(line) != l2.home_of(line + apart[k]);
  CHECK(differ[0] < 4096 / 50);
  CHECK(differ[1] == dojo::tolerance::within(2048, 0.1));
  CHECK(differ[2] > 4096 * 9 / 10);  // 90.5 % on an H100 (assets/recordings/h100-homes.txt)
}

TEST_CASE("what a launch stores is written back evenly once the L2 is full") {
  CacheHierarchy h(device_model("h100"));
  h.begin({0});
  BlockSummary s;
  constexpr size_t lines = (size_t(96) << 20) / 128;  // three times what stores can fill
  h.replay(0, stream(kBase, lines, LineAccess::store), s, nullptr);
  CHECK(h.totals(0).dram_write > 0);
  CHECK(h.totals(0).before_writes() == dojo::tolerance::within(1.0 / 3, 0.2));
  h.begin({0});
  h.replay(0, stream(kBase, lines, LineAccess::store), s, nullptr);  // it is full from the start
  CHECK(h.totals(0).before_writes() < 0.1);
}
