#pragma once
// Division, reciprocal and square root, rounded to nearest: ptxas makes a short sequence for common operands and a routine
// for the rest (zeros, denormals, infinities, very large and very small ones), which a warp calls when any lane has to.
// Which operands those are was measured with tests/microbench/slow_paths.cu, and how many instructions beyond the short way
// a warp of equal lanes executes with slow_path_length.cu, both on an H100 (assets/recordings/h100-slow-paths.txt holds all
// of the latter; `test_simt -tc="rare operands*"`). Lanes that go different ways inside the routine are counted as the longest.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "simt/exec.hpp"

namespace dojo::simt::rare {

/// Warp instructions beyond the short way; 0: the short way does.
struct Divide {
  static bool is(float a, float b) {
    const int ea = int(std::bit_cast<uint32_t>(a) >> 23 & 255), eb = int(std::bit_cast<uint32_t>(b) >> 23 & 255);
    return (uint32_t(ea - 25) > 229u) | (uint32_t(eb - 2) > 249u) | (uint32_t(ea - eb + 124) > 250u);
  }
  static uint32_t length(float a, float b) {
    if (!is(a, b)) return 0;
    if (std::isnan(a) || std::isnan(b)) return 23;
    if (std::isinf(a) && std::isinf(b)) return 30;
    if (a == 0 && b == 0) return 26;
    if (a == 0 || std::isinf(b)) return 33;
    if (b == 0 || std::isinf(a)) return 37;
    const float q = std::fabs(a / b);
    const bool scaled = std::fabs(a) < 0x1p-126f || std::fabs(b) < 0x1p-126f;
    return 41 + (scaled ? 23 : 0) + (std::isinf(q) ? 3 : q == 0 ? 5 : q < 0x1p-126f ? 27 : 0);
  }
  /// The checks look at upper words as if they were floats.
  static bool is(double a, double b) {
    const auto high = [](double v) { return uint32_t(std::bit_cast<uint64_t>(v) >> 32) & 0x7fffffffu; };
    const uint32_t q = high(a / b);
    return (high(a) < 0x03600000u) | (high(b) >= 0x7f800000u) | (high(b) < 0x00100000u) | (q <= 0x00100000u) | (q > 0x7f800000u);
  }
  static uint32_t length(double a, double b) {
    if (!is(a, b)) return 0;
    if (std::isnan(a)) return 53;
    if (std::isnan(b)) return 57;
    if ((std::isinf(a) && std::isinf(b)) || (a == 0 && b == 0)) return 58;
    if (a == 0 || b == 0 || std::isinf(a) || std::isinf(b)) return 66;
    if (std::fabs(a / b) >= 0x1p-1022) return 56;
    return a / b == 0 || std::fabs(b) >= 0x1p1022 ? 72 : 62;
  }
};

struct Reciprocal {
  static bool is(float a) { return (std::bit_cast<uint32_t>(a) >> 23 & 255) - 1 > 251u; }
  static uint32_t length(float a) {
    if (!is(a)) return 0;
    return a == 0 ? 11 : !std::isfinite(a) ? 12 : std::fabs(a) < 0x1p-126f ? 18 : 41;
  }
  static bool is(double a) { return ((uint32_t(std::bit_cast<uint64_t>(a) >> 32) + 0x300402u) & 0x7fffffffu) < 0x00400402u; }
  static uint32_t length(double a) {
    if (!is(a)) return 0;
    return std::isnan(a) ? 14 : std::isinf(a) || std::fabs(a) < 0x1p-1022 ? 18 : 34;
  }
};

struct SquareRoot {
  static bool is(float a) { return std::bit_cast<uint32_t>(a) - 0x0d000000u > 0x727fffffu; }
  static uint32_t length(float a) {
    if (!is(a)) return 0;
    return a == 0 ? 7 : std::isnan(a) ? 13 : a < 0 ? 10 : std::isinf(a) ? 16 : 24;
  }
  static bool is(double a) { return uint32_t(std::bit_cast<uint64_t>(a) >> 32) - 0x03500000u >= 0x7ca00000u; }
  static uint32_t length(double a) {
    if (!is(a)) return 0;
    return a == 0 || std::isnan(a) ? 13 : a < 0 ? 17 : std::isinf(a) ? 20 : a < 0x1p-1022 ? 35 : 18;
  }
};

/// A warp took the long way for `lanes` lanes: for the counters, the trace and the block's signature.
void took(Exec&, const Inst*, uint32_t lanes, uint32_t length);

}  // namespace dojo::simt::rare
