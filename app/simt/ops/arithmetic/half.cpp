// f16, bf16 and their pairs: computed in float, rounded once (exact for add, sub and mul; fma through
// double).
#include "simt/ops/arithmetic/small_float.hpp"
#include "simt/ops/lanes.hpp"

namespace dojo::simt {
namespace {

using ptx::Type;

enum Arith { add_, sub_, mul_, fma_, min_, max_, neg_, abs_ };

template <bool Brain>
inline float widen(uint32_t v) {
  return Brain ? brain_float(v & 0xffff) : half_float(v);
}
template <bool Brain>
inline uint32_t narrow_to(float v) {
  return Brain ? float_brain(v) : float_half(v);
}

/// One rounding of a double to a half: through float rounded to odd, so that the second rounding is right.
template <bool Brain>
inline uint32_t narrow_double(double v) {
  float f = float(v);
  if (double(f) != v && f == f && !std::isinf(f)) {
    // Make the float's last bit sticky: step towards zero when it was rounded away, then set the last bit.
    uint32_t b = std::bit_cast<uint32_t>(f);
    if (std::fabs(double(f)) > std::fabs(v)) --b;
    f = std::bit_cast<float>(b | 1);
  }
  return narrow_to<Brain>(f);
}
/// x y + c rounded to odd: what is lost stays visible in the last bit, so that the rounding to a half that
/// follows is the only one. x y is exact in double.
inline double fma_odd(double x, double y, double c) {
  const double p = x * y, s = p + c;
  if (!std::isfinite(s)) return s;
  const double back = s - p, lost = (p - (s - back)) + (c - back);
  if (lost == 0) return s;
  uint64_t b = std::bit_cast<uint64_t>(s);
  if ((lost > 0) != (s > 0)) --b;
  return std::bit_cast<double>(b | 1);
}
template <bool Brain>
inline uint32_t minmax(uint32_t a, uint32_t b, bool max, bool nan) {
  const float x = widen<Brain>(a), y = widen<Brain>(b);
  if (x != x || y != y) {
    if (nan || (x != x && y != y)) return 0x7fff;
    return x != x ? b & 0xffff : a & 0xffff;
  }
  if (x == y) return (max == bool(a & 0x8000)) ? b & 0xffff : a & 0xffff;  // -0 below +0
  return ((x < y) != max) ? a & 0xffff : b & 0xffff;
}

/// flags: 1 ftz, 2 sat, 4 relu, 8 NaN, 16 xorsign.abs.
template <Arith Op, bool Brain>
inline uint32_t one(uint32_t a, uint32_t b, uint32_t c, uint8_t flags) {
  auto flush = [&](float v) {
    return (flags & 1) && !Brain && std::fabs(v) < 0x1p-14f ? std::copysign(0.f, v) : v;
  };
  uint32_t r;
  if constexpr (Op == min_ || Op == max_) {
    if (flags & 16) {
      r = minmax<Brain>(a & 0x7fff, b & 0x7fff, Op == max_, flags & 8);
      const float f = widen<Brain>(r);
      return f != f ? r : r | ((a ^ b) & 0x8000);
    }
    r = minmax<Brain>(a, b, Op == max_, flags & 8);
  } else if constexpr (Op == neg_) {
    const float f = widen<Brain>(a);
    r = f != f ? 0x7fff : (a ^ 0x8000) & 0xffff;
  } else if constexpr (Op == abs_) {
    const float f = widen<Brain>(a);
    r = f != f ? 0x7fff : a & 0x7fff;
  } else {
    const float x = flush(widen<Brain>(a)), y = flush(widen<Brain>(b));
    if constexpr (Op == fma_)
      r = narrow_double<Brain>(fma_odd(double(x), double(y), double(flush(widen<Brain>(c)))));
    else if constexpr (Op == add_)
      r = narrow_double<Brain>(double(x) + double(y));
    else if constexpr (Op == sub_)
      r = narrow_double<Brain>(double(x) - double(y));
    else
      r = narrow_double<Brain>(double(x) * double(y));
  }
  if (flags) {
    float f = widen<Brain>(r);
    if ((flags & 1) && !Brain && std::fabs(f) < 0x1p-14f) r &= 0x8000, f = widen<Brain>(r);
    if (flags & 2) {
      if (!(f > 0))
        r = 0;
      else if (f > 1)
        r = Brain ? 0x3f80 : 0x3c00;
    }
    if ((flags & 4) && f <= 0) r = 0;
  }
  return r;
}
template <Arith Op, bool Brain, bool Pair>
void lane(const Inst* p, Exec& x, uint32_t l) {
  const uint32_t a = x.slot<u32a>(p->a)[l], b = x.slot<u32a>(p->b)[l], c = x.slot<u32a>(p->c)[l];
  uint32_t r = one<Op, Brain>(a & 0xffff, b & 0xffff, c & 0xffff, p->flags);
  if constexpr (Pair) r |= one<Op, Brain>(a >> 16, b >> 16, c >> 16, p->flags) << 16;
  x.slot<u32a>(p->d)[l] = r;
}

/// u v + w rounded to odd: where the sum is not exact its last bit is 1, so that the rounding to a half that
/// follows is the only one. The product of two halves is exact in float, and what the sum loses is a float.
simd::F32 fma_odd(simd::F32 u, simd::F32 v, simd::F32 w) {
  const simd::F32 p = u * v, s = p + w, back = s - p, lost = (p - (s - back)) + (w - back);
  const simd::U32 one = simd::splat(1), bits = simd::U32(s),
                  away = (simd::U32(lost) ^ bits) >> 31;                // 1: towards 0
  const simd::U32 inexact = simd::U32(lost < 0) | simd::U32(lost > 0);  // infinite sums lose no number
  return simd::F32(bits + (inexact & ~(simd::splat(0) - (bits & one)) & (one - away - away)));
}

/// Vectorised forms without modifiers. Sums and products of halves are exact enough in float: add, sub and
/// mul of two halves rounded to float and then to half give the same as one rounding (24 >= 2 * 11 + 2).
template <Arith Op, bool Pair, Mode M>
const Inst* half_lanes(const Inst* p, Exec& x) {
  const u32a *a = x.slot<u32a>(p->a), *b = x.slot<u32a>(p->b), *c = x.slot<u32a>(p->c);
  u32a* d = x.slot<u32a>(p->d);
  if constexpr (M == Mode::single) {
    lane<Op, false, Pair>(p, x, 0);
    return p + 1;
  }
  auto load16 = [](const u32a* from, int i, bool high) {
    const simd::U32 v = simd::load(from + i);
    return simd::halves_to_floats(high ? v >> 16 : v & simd::splat(0xffff));
  };
  auto calculate = [&](int i, bool high) {
    const simd::F32 u = load16(a, i, high), v = load16(b, i, high);
    simd::F32 r;
    if constexpr (Op == add_)
      r = u + v;
    else if constexpr (Op == sub_)
      r = u - v;
    else if constexpr (Op == mul_)
      r = u * v;
    else
      r = fma_odd(u, v, load16(c, i, high));
    return simd::select(simd::not_a_number(r), simd::splat(0x7fff), simd::floats_to_halves(r));
  };
  for (int i = 0; i < 32; i += 8) {
    simd::U32 r = calculate(i, false);
    if constexpr (Pair) r |= calculate(i, true) << 16;
    if constexpr (M == Mode::partial) r = simd::select(simd::load(x.lanes + i), r, simd::load(d + i));
    simd::store(d + i, r);
  }
  return go_on(p, x);
}
template <Arith Op, bool Pair>
constexpr Handlers half_handlers{half_lanes<Op, Pair, Mode::full>, half_lanes<Op, Pair, Mode::partial>,
                                 half_lanes<Op, Pair, Mode::single>};

template <Arith Op>
Handlers pick(bool brain, bool pair, bool plain) {
  if constexpr (Op == add_ || Op == sub_ || Op == mul_ || Op == fma_)
    if (!brain && plain) return pair ? half_handlers<Op, true> : half_handlers<Op, false>;
  if (brain) return pair ? per_lane<lane<Op, true, true>> : per_lane<lane<Op, true, false>>;
  return pair ? per_lane<lane<Op, false, true>> : per_lane<lane<Op, false, false>>;
}
template <Arith Op, int Sources>
void decode(Decoder& d) {
  const Type t = d.type();
  const bool brain = t == Type::bf16 || t == Type::bf16x2, pair = t == Type::f16x2 || t == Type::bf16x2;
  if (!brain && t != Type::f16 && t != Type::f16x2) d.refuse("this type");
  const Type as = pair ? Type::b32 : Type::b16;
  uint8_t flags = uint8_t((d.has("ftz") ? 1 : 0) | (d.has("sat") ? 2 : 0) | (d.has("relu") ? 4 : 0) |
                          (d.has("NaN") ? 8 : 0) | (d.has("xorsign") ? 16 : 0));
  uint32_t a = d.src(1, as), b = Sources > 1 ? d.src(2, as) : a, c = Sources > 2 ? d.src(3, as) : a;
  d.emit(pick<Op>(brain, pair, flags == 0), d.dst(0, as), a, b, c).flags = flags;
}
/// ex2.approx and tanh.approx on halves.
template <bool Brain, bool Pair>
void ex2_lane(const Inst* p, Exec& x, uint32_t l) {
  auto f = [&](uint32_t v) {
    double w = widen<Brain>(v);
    return narrow_double<Brain>(p->sub ? std::tanh(w) : std::exp2(w));
  };
  const uint32_t a = x.slot<u32a>(p->a)[l];
  x.slot<u32a>(p->d)[l] = f(a & 0xffff) | (Pair ? f(a >> 16) << 16 : 0);
}
void approx(Decoder& d) {
  const Type t = d.type();
  const bool brain = t == Type::bf16 || t == Type::bf16x2, pair = t == Type::f16x2 || t == Type::bf16x2;
  const Type as = pair ? Type::b32 : Type::b16;
  uint32_t a = d.src(1, as);
  d.emit(brain ? (pair ? per_lane<ex2_lane<true, true>> : per_lane<ex2_lane<true, false>>)
               : (pair ? per_lane<ex2_lane<false, true>> : per_lane<ex2_lane<false, false>>),
         d.dst(0, as), a)
      .sub = d.ins->meaning.op == ptx::Op::tanh;
}

constexpr Family kHalfFamilies[] = {
    {"add", c_half, decode<add_, 2>}, {"sub", c_half, decode<sub_, 2>}, {"mul", c_half, decode<mul_, 2>},
    {"fma", c_half, decode<fma_, 3>}, {"min", c_half, decode<min_, 2>}, {"max", c_half, decode<max_, 2>},
    {"neg", c_half, decode<neg_, 1>}, {"abs", c_half, decode<abs_, 1>}, {"ex2", c_half, approx},
    {"tanh", c_half, approx},
};

}  // namespace

std::span<const Family> half_families() { return kHalfFamilies; }

}  // namespace dojo::simt
