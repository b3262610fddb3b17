// Blocks with so many accesses that only a few of those that a GPU runs at once are replayed side by side.
#include <doctest/doctest.h>

#include "simt/caches/hierarchy.hpp"

using namespace dojo::simt;

namespace {
constexpr uint64_t kFirstLine = 0x7000'0000'0000ull / 128;
constexpr size_t kAccesses = size_t(1) << 23;  // that go side by side

/// Blocks that walk `lines` lines again and again, the first of them as `first` says.
struct Walkers {
  std::vector<BlockSummary> summaries;
  std::vector<BlockAccesses> blocks;
  template <class First>
  Walkers(int count, uint64_t lines, First first) : summaries(size_t(count)), blocks(size_t(count)) {
    for (int b = 0; b < count; ++b) {
      BlockAccesses& block = blocks[size_t(b)];
      block.sm = b % 132, block.summary = &summaries[size_t(b)];
      for (size_t i = 0; i < kAccesses / size_t(count); ++i)
        block.log.push_back({kFirstLine + first(b) + i % lines, 1, LineAccess::load, 0, 0, 0});
    }
  }
};
double l1_hits(const CacheHierarchy& h) {
  return double(h.totals(0).l1_hits) / double(h.totals(0).l1_lookups);
}
}  // namespace

TEST_CASE("a block that is replayed beside few others has its part of the L1, not all of it") {
  CacheHierarchy h(device_model("h100"));
  // 128 KiB of its own, which an L1 of 192 KiB holds once, but not 32 times.
  Walkers own(132, 1024, [](int b) { return uint64_t(b) * 1024; });
  REQUIRE(h.side_by_side(own.blocks[0].log) < 133);
  h.begin({192 * 1024}, {132 * 32});
  REQUIRE(h.side_by_side(own.blocks[0].log) == 132);
  h.replay(own.blocks);
  CHECK(l1_hits(h) < 0.01);

  h.begin({192 * 1024}, {132});
  h.replay(own.blocks);
  CHECK(l1_hits(h) > 0.98);

  // What all of them read is there for all of them.
  Walkers same(132, 1024, [](int) { return uint64_t(0); });
  h.begin({192 * 1024}, {132 * 32});
  h.replay(same.blocks);
  CHECK(l1_hits(h) > 0.98);
}

TEST_CASE("two blocks of an SM tell what the others there add") {
  CacheHierarchy h(device_model("h100"));
  h.begin({192 * 1024}, {132 * 3});
  // Two of three are here, each with 400 lines: 192 KiB hold what all three walk.
  Walkers two(264, 400, [](int b) { return uint64_t(b) * 400; });
  h.replay(two.blocks);
  CHECK(l1_hits(h) > 0.97);
  // Two of five.
  h.begin({192 * 1024}, {132 * 5});
  h.replay(two.blocks);
  CHECK(l1_hits(h) < 0.02);
  // Of 32 that don't fit the L2 together either each is replayed alone, with its part of the L1.
  h.begin({192 * 1024}, {132 * 32});
  h.replay(two.blocks);
  CHECK(l1_hits(h) < 0.02);
}

TEST_CASE("what further blocks share with those that are here doesn't crowd the L2") {
  CacheHierarchy h(device_model("h100"));
  h.begin({0}, {132 * 32});
  // Eight walks, a later one does one of them: 80 000 lines, of which the L2 holds more than 200 000.
  Walkers shared(40, 10000, [](int b) { return uint64_t(b % 8) * 10000; });
  h.replay(shared.blocks);
  CHECK(h.totals(0).missed == 80000);
}
