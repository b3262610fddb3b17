#pragma once
// Division, reciprocal and square root, rounded to nearest: ptxas makes a short sequence for common operands
// and a routine for the rest (zeros, denormals, infinities, very large and very small ones), which a warp
// calls when any lane has to. Which operands those are was measured with tests/microbench/slow_paths.cu, how
// many instructions beyond the short way a warp of equal lanes executes with slow_path_length.cu
// (assets/recordings/h100-slow-paths.txt), how many cycles it takes for them, and both for lanes that go
// different ways, with slow_path_cycles.cu (h100-slow-path-cycles.txt), all on an H100. `test_simt -tc="rare
// operands*"` holds this file to every row of them.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "simt/state/exec.hpp"

namespace dojo::simt::rare {

/// A way through a routine: warp instructions and cycles beyond the short way; none: the short way does.
struct Way {
  uint16_t instructions = 0, cycles = 0;
  uint8_t part = 0;  ///< ways of one part of the routine share what is longest in it
};

/// What it takes more when the lanes of a warp go different ways.
struct Mixing {
  Way common;   ///< for lanes that need no routine at all
  Way further;  ///< for each way beside the longest of a part
  Way shared;   ///< less, when both parts are taken: the way in and out of them
};

struct Divide {
  static bool is(float a, float b) {
    const int ea = int(std::bit_cast<uint32_t>(a) >> 23 & 255),
              eb = int(std::bit_cast<uint32_t>(b) >> 23 & 255);
    return (uint32_t(ea - 25) > 229u) | (uint32_t(eb - 2) > 249u) | (uint32_t(ea - eb + 124) > 250u);
  }
  static Way way(float a, float b) {
    if (!is(a, b)) return {};
    if (std::isnan(a) || std::isnan(b)) return {23, 150, 0};
    if (std::isinf(a) && std::isinf(b)) return {30, 192, 0};
    if (a == 0 && b == 0) return {26, 172, 0};
    if (a == 0 || std::isinf(b)) return {33, 214, 0};
    if (b == 0 || std::isinf(a)) return {37, 240, 0};
    const float q = std::fabs(a / b);
    Way w = std::isinf(q)   ? Way{44, 271, 1}
            : q == 0        ? Way{46, 292, 1}
            : q < 0x1p-126f ? Way{68, 342, 1}
                            : Way{41, 244, 1};
    // Denormals are scaled first, behind the checks for the special ones.
    if (std::fabs(a) < 0x1p-126f || std::fabs(b) < 0x1p-126f)
      w = {uint16_t(w.instructions + 23), uint16_t(w.cycles + 129), 0};
    return w;
  }
  static constexpr Mixing mixing(float) { return {{2, 14}, {4, 22}, {12, 107}}; }
  /// The checks look at upper words as if they were floats.
  static bool is(double a, double b) {
    const auto high = [](double v) { return uint32_t(std::bit_cast<uint64_t>(v) >> 32) & 0x7fffffffu; };
    const uint32_t q = high(a / b);
    return (high(a) < 0x03600000u) | (high(b) >= 0x7f800000u) | (high(b) < 0x00100000u) | (q <= 0x00100000u) |
           (q > 0x7f800000u);
  }
  static Way way(double a, double b) {
    if (!is(a, b)) return {};
    if (std::isnan(a)) return {53, 253};
    if (std::isnan(b)) return {57, 274};
    if ((std::isinf(a) && std::isinf(b)) || (a == 0 && b == 0)) return {58, 281};
    if (a == 0 || b == 0 || std::isinf(a) || std::isinf(b)) return {66, 309};
    if (std::fabs(a / b) >= 0x1p-1022) return {56, 272};
    return a / b == 0 || std::fabs(b) >= 0x1p1022 ? Way{72, 330} : Way{62, 300};
  }
  static constexpr Mixing mixing(double) { return {{4, 15}, {11, 60}, {}}; }
};

struct Reciprocal {
  static bool is(float a) { return (std::bit_cast<uint32_t>(a) >> 23 & 255) - 1 > 251u; }
  static Way way(float a) {
    if (!is(a)) return {};
    return a == 0                     ? Way{11, 141}
           : !std::isfinite(a)        ? Way{12, 112}
           : std::fabs(a) < 0x1p-126f ? Way{18, 141}
                                      : Way{41, 213};
  }
  static bool is(double a) {
    return ((uint32_t(std::bit_cast<uint64_t>(a) >> 32) + 0x300402u) & 0x7fffffffu) < 0x00400402u;
  }
  static Way way(double a) {
    if (!is(a)) return {};
    if (std::isnan(a)) return {14, 108};
    return std::isinf(a) || std::fabs(a) < 0x1p-1022 ? Way{18, 131} : Way{34, 241};
  }
  static constexpr Mixing mixing(double) { return {{5, 54}, {6, 52}, {}}; }  // measured with floats
};

struct SquareRoot {
  static bool is(float a) { return std::bit_cast<uint32_t>(a) - 0x0d000000u > 0x727fffffu; }
  static Way way(float a) {
    if (!is(a)) return {};
    if (a == 0) return {7, 75};
    return std::isnan(a) ? Way{13, 115} : a < 0 ? Way{10, 95} : std::isinf(a) ? Way{16, 167} : Way{24, 169};
  }
  static bool is(double a) { return uint32_t(std::bit_cast<uint64_t>(a) >> 32) - 0x03500000u >= 0x7ca00000u; }
  static Way way(double a) {
    if (!is(a)) return {};
    if (a == 0 || std::isnan(a)) return {13, 140};
    return a < 0 ? Way{17, 148} : std::isinf(a) ? Way{20, 178} : a < 0x1p-1022 ? Way{35, 259} : Way{18, 148};
  }
  static constexpr Mixing mixing(double) { return {{5, 35}, {5, 72}, {}}; }  // measured with floats
};

/// The ways that the lanes of one warp go.
class Ways {
 public:
  /// Ways of one part whose cycles are nearly the same are one way, on which lanes meet.
  void add(Way w) {
    if (w.cycles == 0) {
      common_ = true;
      return;
    }
    for (int i = 0; i < count_; ++i) {
      Way& known = ways_[size_t(i)];
      if (known.part != w.part || std::abs(known.cycles - w.cycles) > 3) continue;
      known.instructions = std::max(known.instructions, w.instructions);
      known.cycles = std::max(known.cycles, w.cycles);
      return;
    }
    if (count_ < int(ways_.size())) ways_[size_t(count_++)] = w;
  }
  /// All of them, one after the other. `part` of it says nothing.
  Way total(const Mixing&) const;

 private:
  std::array<Way, 16> ways_;
  int count_ = 0;
  bool common_ = false;
};

/// A warp took the routine, `lanes` of it needing it: for the counters, the trace and the block's signature.
void took(Exec&, const Inst*, uint32_t lanes, Way);

}  // namespace dojo::simt::rare
