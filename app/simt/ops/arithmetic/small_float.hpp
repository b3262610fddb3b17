#pragma once
// Small float formats in software: f16, bf16, tf32, e4m3, e5m2, from and to double, under every rounding
// mode.
#include <bit>
#include <cmath>
#include <cstdint>

#include "simt/ops/arithmetic/rounding.hpp"
#include "simt/simd.hpp"

namespace dojo::simt {

struct SmallFormat {
  int exponent, mantissa;
  bool finite_only;  ///< e4m3: no infinity, one NaN pattern (all ones)
};
inline constexpr SmallFormat f16_format{5, 10, false}, bf16_format{8, 7, false}, e4m3_format{4, 3, true},
    e5m2_format{5, 2, false}, tf32_format{8, 10, false};

/// Bits of `v` rounded to a format. `ties_away`: .rna. `saturate`: .satfinite (the largest finite value).
inline uint32_t to_small(double v, SmallFormat f, Round mode, bool saturate = false, bool ties_away = false) {
  const int bias = (1 << (f.exponent - 1)) - 1;
  const uint32_t sign = uint32_t(std::signbit(v)) << (f.exponent + f.mantissa);
  const uint32_t all = (1u << (f.exponent + f.mantissa)) - 1;
  const uint32_t infinity = ((1u << f.exponent) - 1) << f.mantissa;
  const uint32_t largest = f.finite_only ? all - 1 : infinity - 1;
  // A NaN has one pattern: all ones, without sign (0x7fff for f16 and bf16, 0x7f for e4m3 and e5m2).
  if (v != v) return all;
  const double a = std::fabs(v);
  if (std::isinf(v)) return sign | (saturate || f.finite_only ? (saturate ? largest : all) : infinity);
  if (a == 0) return sign;
  int e = std::ilogb(a);
  int low = std::max(e, 1 - bias) - f.mantissa;  // exponent of the last kept bit
  double scaled = std::ldexp(a, -low);           // exact
  double whole = std::floor(scaled), rest = scaled - whole;
  bool up = false;
  switch (mode) {
    case Round::near:
      up = rest > 0.5 || (rest == 0.5 && (ties_away || std::fmod(whole, 2.0) != 0));
      break;
    case Round::zero:
      break;
    case Round::down:
      up = rest > 0 && sign;
      break;
    case Round::up:
      up = rest > 0 && !sign;
      break;
  }
  if (up) whole += 1;
  uint64_t m = uint64_t(whole);  // at most 2^(mantissa+1)
  uint64_t bits;
  if (low == 1 - bias - f.mantissa && m < (uint64_t(1) << f.mantissa))
    bits = m;  // subnormal
  else {
    int exponent = low + f.mantissa + bias;
    if (m >> (f.mantissa + 1)) m >>= 1, ++exponent;
    bits = (uint64_t(exponent) << f.mantissa) + (m - (uint64_t(1) << f.mantissa));
  }
  if (bits > largest) {
    bool to_largest =
        saturate || mode == Round::zero || (mode == Round::down && !sign) || (mode == Round::up && sign);
    return sign | (to_largest ? largest : f.finite_only ? all : infinity);
  }
  return sign | uint32_t(bits);
}

inline double from_small(uint32_t bits, SmallFormat f) {
  const int bias = (1 << (f.exponent - 1)) - 1;
  const bool negative = bits >> (f.exponent + f.mantissa) & 1;
  const uint32_t e = bits >> f.mantissa & ((1u << f.exponent) - 1), m = bits & ((1u << f.mantissa) - 1);
  double v;
  if (e == (1u << f.exponent) - 1 && (!f.finite_only || m == (1u << f.mantissa) - 1)) {
    if (f.finite_only || m)
      v = std::nan("");
    else
      v = INFINITY;
  } else if (e == 0) {
    v = std::ldexp(double(m), 1 - bias - f.mantissa);
  } else {
    v = std::ldexp(double(m + (1u << f.mantissa)), int(e) - bias - f.mantissa);
  }
  return negative ? -v : v;
}

// The hot ones in hardware.
inline float half_float(uint32_t h) { return simd::half_to_float(uint16_t(h)); }
inline uint32_t float_half(float f) { return f != f ? 0x7fffu : uint32_t(simd::float_to_half(f)); }
inline float brain_float(uint32_t b) { return std::bit_cast<float>(b << 16); }
inline uint32_t float_brain(float f) {
  uint32_t u = std::bit_cast<uint32_t>(f);
  uint32_t r = (u + 0x7fffu + (u >> 16 & 1)) >> 16;
  return f != f ? 0x7fffu : r;
}

}  // namespace dojo::simt
