// cvt: loops over 32 lanes for conversions that real programs make often (expf saturates, indices are
// floors). Each does what the general path of convert.cpp does.
#include "simt/ops/quick/convert_quick.hpp"

#include <cmath>
#include <limits>

#include "simt/ops/arithmetic/float_lanes.hpp"
#include "simt/ops/lanes.hpp"
#include "simt/ops/quick/under_mode.hpp"

namespace dojo::simt {
namespace {

using ptx::Type;

bool whole_type(Type t) { return t == Type::s32 || t == Type::u32 || t == Type::s64 || t == Type::u64; }

template <class F, Round R>
F whole(F a) {
  if constexpr (R == Round::near) return std::nearbyint(a);
  if constexpr (R == Round::zero) return std::trunc(a);
  if constexpr (R == Round::down) return std::floor(a);
  return std::ceil(a);
}
/// What does not fit becomes the nearest that does; a NaN 0, or from or to 64 bits the sign bit.
template <class To, class From, Round R, bool Ftz>
struct FloatToInt {
  using D = To;
  using A = From;
  static To f(From a) {
    constexpr To least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
    constexpr From low = From(least), high = From(most / 2 + 1) * 2;
    constexpr To none =
        sizeof(From) == 8 || sizeof(To) == 8 ? To(uint64_t(1) << (sizeof(To) * 8 - 1)) : To(0);
    if constexpr (Ftz) a = flush(a);
    const From w = whole<From, R>(a);
    const bool fits = w >= low && w < high;
    const To r = To(fits ? w : From(0));
    return fits ? r : w != w ? none : w < low ? least : most;
  }
};
template <class F, Round R, bool Ftz>
struct ToWhole {
  using D = F;
  using A = F;
  static F f(F a) {
    if constexpr (Ftz) a = flush(a);
    const F w = whole<F, R>(a);
    if constexpr (sizeof(F) == 4)
      return canonical(w);
    else
      return w != w ? quiet(w) : w;
  }
};
/// To the range from 0 to 1; a NaN and -0 become 0.
template <bool Ftz>
struct Saturate {
  using D = float;
  using A = float;
  static float f(float a) {
    if constexpr (Ftz) a = flush(a);
    return saturate(a);
  }
};
template <class F, class I>
struct LongToFloat {
  using D = F;
  using A = I;
  static F f(I a) { return F(a); }
};
template <class To, class From, bool Ftz>
Handlers float_to_int(Round r) {
  switch (r) {
    case Round::near:
      return unary<FloatToInt<To, From, Round::near, Ftz>>;
    case Round::zero:
      return unary<FloatToInt<To, From, Round::zero, Ftz>>;
    case Round::down:
      return unary<FloatToInt<To, From, Round::down, Ftz>>;
    default:
      return unary<FloatToInt<To, From, Round::up, Ftz>>;
  }
}
template <class From, bool Ftz>
std::optional<Handlers> float_to_int(Type to, Round r) {
  if (to == Type::s32) return float_to_int<int32_t, From, Ftz>(r);
  if (to == Type::u32) return float_to_int<uint32_t, From, Ftz>(r);
  if (to == Type::s64) return float_to_int<int64_t, From, Ftz>(r);
  if (to == Type::u64) return float_to_int<uint64_t, From, Ftz>(r);
  return {};
}
template <class F, bool Ftz>
Handlers to_whole(Round r) {
  switch (r) {
    case Round::near:
      return unary<ToWhole<F, Round::near, Ftz>>;
    case Round::zero:
      return unary<ToWhole<F, Round::zero, Ftz>>;
    case Round::down:
      return unary<ToWhole<F, Round::down, Ftz>>;
    default:
      return unary<ToWhole<F, Round::up, Ftz>>;
  }
}
template <class To>
std::optional<Handlers> whole_under_mode(Type from) {
  if (from == Type::s32) return under_mode<RoundedTo<To, int32_t, false>>;
  if (from == Type::u32) return under_mode<RoundedTo<To, uint32_t, false>>;
  if (from == Type::s64) return under_mode<RoundedTo<To, int64_t, false>>;
  if (from == Type::u64) return under_mode<RoundedTo<To, uint64_t, false>>;
  return {};
}
/// Conversions that round by another mode than to nearest.
std::optional<Handlers> under_mode_cvt(Type to, Type from, bool ftz) {
  if (to == Type::f32 && from == Type::f64)
    return ftz ? under_mode<RoundedTo<float, double, true>> : under_mode<RoundedTo<float, double, false>>;
  if (ftz) return {};
  if (to == Type::f32) return whole_under_mode<float>(from);
  if (to == Type::f64) return whole_under_mode<double>(from);
  return {};
}
}  // namespace

std::optional<Handlers> quick_float_cvt(Type to, Type from, Round mode, bool integral, bool ftz, bool sat) {
  if (sat) {
    if (to != Type::f32 || from != Type::f32 || integral || mode != Round::near) return {};
    return ftz ? unary<Saturate<true>> : unary<Saturate<false>>;
  }
  if (from == Type::f32 && whole_type(to))
    return ftz ? float_to_int<float, true>(to, mode) : float_to_int<float, false>(to, mode);
  if (from == Type::f64 && whole_type(to) && !ftz) return float_to_int<double, false>(to, mode);
  if (integral && to == Type::f32 && from == Type::f32)
    return ftz ? to_whole<float, true>(mode) : to_whole<float, false>(mode);
  if (integral && to == Type::f64 && from == Type::f64 && !ftz) return to_whole<double, false>(mode);
  if (mode != Round::near && !integral) return under_mode_cvt(to, from, ftz);
  if (integral || ftz) return {};
  if (to == Type::f32 && from == Type::s64) return unary<LongToFloat<float, int64_t>>;
  if (to == Type::f32 && from == Type::u64) return unary<LongToFloat<float, uint64_t>>;
  if (to == Type::f64 && from == Type::s64) return unary<LongToFloat<double, int64_t>>;
  if (to == Type::f64 && from == Type::u64) return unary<LongToFloat<double, uint64_t>>;
  return {};
}

}  // namespace dojo::simt
