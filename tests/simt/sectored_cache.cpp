// Where lines go in a cache, and which it keeps.
#include "simt/caches/sectored_cache.hpp"

#include <doctest/doctest.h>

using dojo::simt::SectoredCache;

namespace {

/// Of `lines` lines, `stride` apart, how many are there when they are met a second time.
int kept(uint64_t bytes, int lines, uint64_t stride, uint64_t base) {
  SectoredCache c;
  c.resize(bytes);
  int there = 0;
  for (int i = 0; i < lines; ++i) c.touch(base + uint64_t(i) * stride, 1, false, nullptr);
  for (int i = 0; i < lines; ++i) there += c.touch(base + uint64_t(i) * stride, 1, false, nullptr) != 0;
  return there;
}

}  // namespace

TEST_CASE(
    "a cache holds as many consecutive lines as it has room for, and all but one way of them wherever they "
    "start") {
  for (const int sets : {124, 128, 12800}) {
    CAPTURE(sets);
    CHECK(kept(uint64_t(sets) * 16 * 128, sets * 16, 1, 0) == sets * 16);
    for (const uint64_t base : {uint64_t(77), uint64_t(0x7f0000001)})
      CHECK(kept(uint64_t(sets) * 16 * 128, sets * 15, 1, base) == sets * 15);
  }
}

// 256 rows 2 KiB apart fell out of a cache of 2048 lines: they went to 8 sets of 16 ways.
TEST_CASE("lines any stride apart spread over the sets of a cache") {
  for (const uint64_t bytes : {uint64_t(248) << 10, uint64_t(252) << 10, uint64_t(256) << 10})
    for (uint64_t stride = 1; stride <= 4096; stride = stride < 64 ? stride + 1 : stride * 2) {
      CAPTURE(bytes);
      CAPTURE(stride);
      CHECK(kept(bytes, 256, stride, 0x7f0000000) == 256);
    }
}

TEST_CASE("a line that left gives up its dirty sectors, and invalidating drops all") {
  SectoredCache c;
  c.resize(2 * 16 * 128);
  int evicted = 0;
  CHECK(c.touch(5, 0b0110, true, &evicted) == 0);
  CHECK(c.dirty_sectors() == 2);
  for (uint64_t line = 100; line < 164; ++line) c.touch(line, 1, false, &evicted);
  CHECK(evicted == 2);
  CHECK(c.touch(163, 1, false, nullptr) == 1);
  c.invalidate();
  CHECK(c.touch(163, 1, false, nullptr) == 0);
}
