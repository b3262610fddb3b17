#pragma once
// Sums, products and fused multiply-adds of floats under a directed rounding, 32 lanes in a loop: expf has
// one. A product of two floats is exact in double. Its sum with a float is s + rest, both doubles, exactly;
// from there a step to the neighbouring float corrects what rounding to nearest did. 1 + 2^-30 rounded up: s
// is 1 + 2^-30, the nearest float is 1, less than s, so the result is the float after 1.
#include <bit>
#include <cmath>
#include <cstdint>

#include "simt/ops/arithmetic/float_lanes.hpp"
#include "simt/ops/arithmetic/rounding.hpp"
#include "simt/ops/lanes.hpp"

namespace dojo::simt {

/// The next float above or below; from infinity the largest finite one.
inline float next_float(float f, bool up) {
  const uint32_t u = std::bit_cast<uint32_t>(f);
  const bool away = (int32_t(u) >= 0) == up;
  const uint32_t step = u + (away ? 1u : ~0u), from_zero = up ? 1u : 0x80000001u;
  const uint32_t next = (u & 0x7fffffffu) == 0 ? from_zero : step;
  return std::bit_cast<float>(next);
}

/// s + rest rounded to float; `negative_zero`: the sign of an exact zero when rounding down.
template <Round R>
inline float round_sum(double s, double rest, bool negative_zero) {
  const float f = float(s);
  const double d = double(f);
  // No branches, so that loops over lanes become vector code.
  const bool above = (d > s) | ((d == s) & (rest < 0)), below = (d < s) | ((d == s) & (rest > 0));
  const bool down = (R == Round::down) | ((R == Round::zero) & ((s > 0) | ((s == 0) & (rest > 0))));
  const float lower = next_float(f, false), upper = next_float(f, true);
  const float when_down = above ? lower : f, when_up = below ? upper : f;
  float r = down ? when_down : when_up;
  if constexpr (R == Round::down) {
    const float zero = negative_zero ? -0.f : 0.f;
    r = (s == 0) & (rest == 0) ? zero : r;
  }
  return r;
}
template <Round R>
inline float directed_fma(double a, double b, double c) {
  const double p = a * b, s = p + c, back = s - p, rest = (p - (s - back)) + (c - back);
  return round_sum<R>(s, rest, std::signbit(p) | std::signbit(c));
}
template <Round R>
inline float directed_product(double a, double b) {
  const double p = a * b;
  return round_sum<R>(p, 0, std::signbit(p));
}

template <RoundedOp Op, Round R, bool Ftz, bool Sat>
struct Directed {
  using D = float;
  using A = float;
  using B = float;
  using C = float;
  static float f(float a, float b, float c) {
    if constexpr (Ftz) a = flush(a), b = flush(b), c = flush(c);
    float r = 0;
    if constexpr (Op == RoundedOp::add) r = directed_fma<R>(double(a), 1.0, double(b));
    if constexpr (Op == RoundedOp::sub) r = directed_fma<R>(double(a), 1.0, -double(b));
    if constexpr (Op == RoundedOp::mul) r = directed_product<R>(double(a), double(b));
    if constexpr (Op == RoundedOp::fma) r = directed_fma<R>(double(a), double(b), double(c));
    r = canonical(r);
    if constexpr (Ftz) r = flush(r);
    if constexpr (Sat) r = saturate(r);
    return r;
  }
};

template <RoundedOp Op, Round R>
inline Handlers quick_directed(bool ftz, bool sat) {
  if (ftz) return sat ? ternary<Directed<Op, R, true, true>> : ternary<Directed<Op, R, true, false>>;
  return sat ? ternary<Directed<Op, R, false, true>> : ternary<Directed<Op, R, false, false>>;
}
template <RoundedOp Op>
inline Handlers quick_directed(Round r, bool ftz, bool sat) {
  return r == Round::zero   ? quick_directed<Op, Round::zero>(ftz, sat)
         : r == Round::down ? quick_directed<Op, Round::down>(ftz, sat)
                            : quick_directed<Op, Round::up>(ftz, sat);
}

/// Is the operation one of those above?
inline bool quick(RoundedOp op) {
  return op == RoundedOp::add || op == RoundedOp::sub || op == RoundedOp::mul || op == RoundedOp::fma;
}
inline Handlers quick_directed(RoundedOp op, Round r, bool ftz, bool sat) {
  return op == RoundedOp::add   ? quick_directed<RoundedOp::add>(r, ftz, sat)
         : op == RoundedOp::sub ? quick_directed<RoundedOp::sub>(r, ftz, sat)
         : op == RoundedOp::mul ? quick_directed<RoundedOp::mul>(r, ftz, sat)
                                : quick_directed<RoundedOp::fma>(r, ftz, sat);
}

}  // namespace dojo::simt
