// Wavefronts of shared-memory accesses: the rules for 4, 8 and 16 bytes a lane.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "microbench.hpp"
#include "recorded.hpp"
#include "simt/state/access.hpp"

using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Row;

namespace {

uint32_t wavefronts(uint32_t width, const std::function<uint64_t(uint32_t)>& address, uint32_t mask = ~0u) {
  alignas(32) uint64_t lanes[32];
  for (uint32_t l = 0; l < 32; ++l) lanes[l] = address(l);
  Span s;
  find_span(s, lanes, mask);
  return shared_wavefronts(s, width);
}

/// Turns of the load/store unit that a load takes of which every line is in the L1.
uint32_t l1_turns(uint32_t width, const std::function<uint64_t(uint32_t)>& address) {
  alignas(32) uint64_t lanes[32];
  for (uint32_t l = 0; l < 32; ++l) lanes[l] = address(l);
  Span s;
  find_span(s, lanes, ~0u);
  uint32_t sectors = 0, touched = 0;
  global_sectors(s, width, &sectors, &touched);
  return l1_wavefronts(s, width, touched);
}

}  // namespace

TEST_CASE("a stride of words takes as many wavefronts as it has in common with 32") {
  for (uint32_t stride = 1; stride <= 33; ++stride) {
    CAPTURE(stride);
    CHECK(wavefronts(4, [&](uint32_t l) { return 4 * l * stride; }) == std::gcd(stride, 32u));
  }
  CHECK(wavefronts(4, [](uint32_t) { return 128; }) == 1);
}

TEST_CASE("a load from the L1 takes the turns that an H100 takes for it") {
  hold({"h100-lines.txt", "loads from lines of the L1"},
       "pitch {pitch} words, {lines} lines of {wide} words, {banks:w} banks: {=cycles}",
       [](const Row& row) -> std::optional<double> {
         const int pitch = row.integer("pitch"), wide = row.integer("wide");
         if (pitch == 316) return {};  // lines far apart take up to 4 turns more, by a rule that is not known
         const int shift = row.text("banks") == "own" ? wide : 0;
         const auto address = [&](uint32_t lane) {
           const int l = int(lane);
           return 4u * uint64_t(l / wide * pitch + (l / wide * shift + l % wide) % 32);
         };
         return std::max(2.55, double(l1_turns(4, address)));  // the loop itself takes 2.55 cycles
       });
}

TEST_CASE("a load takes the L1 and shared memory the turns that an H100 takes, across lines too") {
  for (const std::string space : {"global", "shared"})
    for (const bool unit : {true, false}) {
      const std::string lanes = unit ? "{width} bytes, side by side, {shift} words on"
                                     : "{width} bytes, {apart} words apart, {shift} words on",
                        figures =
                            space == "global" ? " global {=turns}, shared {}" : " global {}, shared {=turns}";
      hold({"h100-straddle.txt", space + (unit ? " loads of consecutive words" : " loads of words apart")},
           " " + lanes + figures, [&](const Row& row) {
             const uint32_t width = row.count("width");
             const int apart = unit ? int(width / 4) : row.integer("apart"), shift = row.integer("shift");
             const auto address = [&](uint32_t lane) {
               return 4u * uint64_t(int(lane) * apart % 480 + shift);
             };
             return double(space == "global" ? l1_turns(width, address) : wavefronts(width, address));
           });
    }
}

TEST_CASE("unit stride takes the least: 2 passes with 8 bytes a lane, 4 with 16") {
  CHECK(wavefronts(8, [](uint32_t l) { return 8 * l; }) == 2);
  CHECK(wavefronts(16, [](uint32_t l) { return 16 * l; }) == 4);
  CHECK(wavefronts(16, [](uint32_t l) { return 32 * l; }) == 8);
  CHECK(wavefronts(
            16, [](uint32_t l) { return 16 * l; }, 0xff) == 1);
}

TEST_CASE("16-byte loads in which neighbours share take half") {
  // The reads of a 128 x 128 x 8 product, two rows of 16 threads a warp: A's two addresses, B's 16 at a
  // stride of 32.
  CHECK(wavefronts(16, [](uint32_t l) { return l / 16 * 32; }) == 2);
  CHECK(wavefronts(16, [](uint32_t l) { return l % 16 * 32; }) == 8);
  // Lanes on 4 x 8: pairs share A or B.
  CHECK(wavefronts(16, [](uint32_t l) { return (l % 2 + l / 16 * 2) * 16; }) == 2);
  CHECK(wavefronts(16, [](uint32_t l) { return l / 2 % 8 * 16; }) == 2);
  // The same places, numbered so that no neighbours share.
  CHECK(wavefronts(16, [](uint32_t l) { return l % 8 * 16; }) == 4);
}

TEST_CASE("sectors, lines and wavefronts of any addresses are those of a plain count") {
  std::mt19937 random(7);
  for (int round = 0; round < 4000; ++round) {
    const uint32_t width = 1u << random() % 6;  // 1 to 32 bytes
    uint32_t mask = random() % 3 ? ~0u : random() | 1u << random() % 32;
    if (random() % 4 == 0) mask = (1u << (1 + random() % 31)) - 1;
    const int64_t stride = int64_t(width) * (int64_t(random() % 41) - 8);
    const uint64_t base = 4096 * 16 + width * (random() % 64);
    const bool affine = random() % 2;
    alignas(32) uint64_t lanes[32];
    for (uint32_t l = 0; l < 32; ++l)
      lanes[l] = affine ? base + uint64_t(stride * l) : base + width * (random() % 200);
    Span s;
    find_span(s, lanes, mask);
    std::set<uint64_t> sectors, lines;
    std::map<uint64_t, std::set<uint64_t>> banks;
    for (uint32_t l = 0; l < 32; ++l)
      if (mask >> l & 1) {
        for (uint64_t a = lanes[l]; a < lanes[l] + width; ++a) sectors.insert(a / 32), lines.insert(a / 128);
        banks[lanes[l] / 4 % 32].insert(lanes[l] / 4);
      }
    uint32_t n = 0, m = 0;
    global_sectors(s, width, &n, &m);
    CAPTURE(width);
    CAPTURE(mask);
    CAPTURE(stride);
    CHECK(n == sectors.size());
    CHECK(m == lines.size());
    size_t worst = 0;
    for (const auto& [bank, words] : banks) worst = std::max(worst, words.size());
    if (width <= 4) CHECK(shared_wavefronts(s, width) == worst);
  }
}
