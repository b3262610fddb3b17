#pragma once
// Products, quotients and fma of floats by doubles, with the same results to the bit. They are for threads
// that meet subnormal numbers: a processor of Intel's takes 120 ns for a vector product of floats with a
// subnormal operand or result, and 1 ns to convert those to or from doubles (measured on a Xeon with
// AVX-512).
#include <bit>
#include <cstdint>

#include "simt/ops/arithmetic/float_lanes.hpp"
#include "simt/ops/arithmetic/rounding.hpp"
#include "simt/ops/lanes.hpp"

namespace dojo::simt {

inline float product_by_doubles(float a, float b) { return float(double(a) * double(b)); }  // 48 bits: exact
/// A quotient of floats that is not half-way between two floats differs from that by 2^-48 or more, relative.
inline float quotient_by_doubles(float a, float b) { return float(double(a) / double(b)); }
/// The sum is rounded to odd: where it is not exact its last bit is 1. So the conversion to float, which has
/// at least two bits less, rounds as one step from the exact sum would (Boldo and Melquiond, 2008).
inline float fma_by_doubles(float a, float b, float c) {
  const double p = double(a) * double(b), q = double(c), s = p + q;
  const double of_q = s - p, error = (p - (s - of_q)) + (q - of_q);
  uint64_t bits = std::bit_cast<uint64_t>(s);
  const bool exact = !(error < 0 || error > 0);  // infinite sums have no error that is a number
  if (!exact && !(bits & 1)) bits += (error > 0) == (s > 0) ? 1 : ~uint64_t(0);
  return float(std::bit_cast<double>(bits));
}

template <RoundedOp Op, bool Ftz, bool Sat>
struct ByDoubles {
  using D = float;
  using A = float;
  using B = float;
  using C = float;
  static float f(float a, float b, float c = 0) {
    if constexpr (Ftz) a = flush(a), b = flush(b), c = flush(c);
    float r;
    if constexpr (Op == RoundedOp::mul) r = product_by_doubles(a, b);
    if constexpr (Op == RoundedOp::div) r = quotient_by_doubles(a, b);
    if constexpr (Op == RoundedOp::fma) r = fma_by_doubles(a, b, c);
    r = canonical(r);
    if constexpr (Ftz) r = flush(r);
    if constexpr (Sat) r = saturate(r);
    return r;
  }
};

/// run2 and run3 of `Doubles` while the thread meets subnormal numbers, else of `Plain`.
template <class Plain, class Doubles, Mode M>
const Inst* either2(const Inst* p, Exec& x) {
  if (x.subnormals) [[unlikely]]
    return run2<Doubles, M>(p, x);
  return run2<Plain, M>(p, x);
}
template <class Plain, class Doubles, Mode M>
const Inst* either3(const Inst* p, Exec& x) {
  if (x.subnormals) [[unlikely]]
    return run3<Doubles, M>(p, x);
  return run3<Plain, M>(p, x);
}
template <class Plain, class Doubles>
constexpr Handlers either_binary{either2<Plain, Doubles, Mode::full>, either2<Plain, Doubles, Mode::partial>,
                                 run2<Plain, Mode::single>};
template <class Plain, class Doubles>
constexpr Handlers either_ternary{either3<Plain, Doubles, Mode::full>, either3<Plain, Doubles, Mode::partial>,
                                  run3<Plain, Mode::single>};

}  // namespace dojo::simt
