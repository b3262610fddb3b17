// Float and double arithmetic, to the GPU's bits: rounding modes, flushing, saturation, NaN results.
#include "simt/ops/arithmetic/rare_paths.hpp"
#include "simt/ops/quick/by_doubles.hpp"
#include "simt/ops/quick/under_mode.hpp"

namespace dojo::simt {
namespace {

using ptx::Type;

enum Arith { add_, sub_, mul_, div_, min_, max_ };

template <class T, Arith Op>
inline T apply(T a, T b) {
  if constexpr (Op == add_) return a + b;
  if constexpr (Op == sub_) return a - b;
  if constexpr (Op == mul_) return a * b;
  if constexpr (Op == div_) return a / b;
  if constexpr (Op == min_ || Op == max_) {
    // The other one when one is a NaN; -0 below +0.
    T r;
    if constexpr (Op == min_)
      r = a < b ? a : b < a ? b : std::signbit(a) ? a : b;
    else
      r = a > b ? a : b > a ? b : std::signbit(a) ? b : a;
    if (b != b) r = a;
    if (a != a) r = b;
    if constexpr (sizeof(T) == 8)
      if (r != r) r = quiet(r);
    return r;
  }
}
template <class T, Arith Op, bool Ftz, bool Sat>
struct Bin {
  static constexpr bool flushes = Ftz;
  using D = T;
  using A = T;
  using B = T;
  static T f(T a, T b) {
    if constexpr (Ftz) a = flush(a), b = flush(b);
    T r = canonical(apply<T, Op>(a, b), b);
    if constexpr (Op != min_ && Op != max_) r = operand_nan(a, b, r);
    if constexpr (Ftz) r = flush(r);
    if constexpr (Sat) r = saturate(r);
    return r;
  }
};
template <class T, bool Ftz, bool Sat>
struct Fma {
  using D = T;
  using A = T;
  using B = T;
  using C = T;
  static T f(T a, T b, T c) {
    if constexpr (Ftz) a = flush(a), b = flush(b), c = flush(c);
    T r = operand_nan(a, b, canonical(__builtin_fma(a, b, c), c));
    if constexpr (Ftz) r = flush(r);
    if constexpr (Sat) r = saturate(r);
    return r;
  }
};
template <bool Ftz, bool Sat>
struct Fma<float, Ftz, Sat> {
  using D = float;
  using A = float;
  using B = float;
  using C = float;
  static float f(float a, float b, float c) {
    if constexpr (Ftz) a = flush(a), b = flush(b), c = flush(c);
    float r = canonical(__builtin_fmaf(a, b, c));
    if constexpr (Ftz) r = flush(r);
    if constexpr (Sat) r = saturate(r);
    return r;
  }
};
template <class T>
struct NanMin {
  static T f(T a, T b, bool max) {
    if (a != a || b != b) return std::bit_cast<float>(0x7fffffffu);
    return max ? apply<T, max_>(a, b) : apply<T, min_>(a, b);
  }
};
/// min.NaN, max.NaN, .xorsign.abs, .abs: not on a hot path. sub: 1 max, 2 NaN, 4 xorsign.abs, 8 ftz,
/// 16 abs.
void minmax_lane(const Inst* p, Exec& x, uint32_t l) {
  float a = x.slot<f32a>(p->a)[l], b = x.slot<f32a>(p->b)[l];
  if (p->sub & 8) a = flush(a), b = flush(b);
  uint32_t sign = (std::bit_cast<uint32_t>(a) ^ std::bit_cast<uint32_t>(b)) & 0x80000000u;
  if (p->sub & (4 | 16)) a = std::fabs(a), b = std::fabs(b);
  float r = p->sub & 2   ? NanMin<float>::f(a, b, p->sub & 1)
            : p->sub & 1 ? apply<float, max_>(a, b)
                         : apply<float, min_>(a, b);
  r = canonical(r);
  if (p->sub & 4 && r == r) r = std::bit_cast<float>((std::bit_cast<uint32_t>(r) & 0x7fffffffu) | sign);
  x.slot<f32a>(p->d)[l] = r;
}

template <class T, bool Ftz>
struct Sqrt {
  using D = T;
  using A = T;
  static T f(T a) {
    if constexpr (Ftz) a = flush(a);
    T r = canonical(std::sqrt(a), a);
    if constexpr (Ftz) r = flush(r);
    return r;
  }
};
template <class T, bool Ftz>
struct Rcp {
  using D = T;
  using A = T;
  static T f(T a) {
    if constexpr (Ftz) a = flush(a);
    T r = canonical(T(1) / a, a);
    if constexpr (Ftz) r = flush(r);
    return r;
  }
};
/// The 64-bit approximations work on the upper 32 bits.
struct RcpDouble {
  using D = double;
  using A = double;
  static double f(double a) {
    a = std::bit_cast<double>(std::bit_cast<uint64_t>(a) & ~0xffffffffull);
    if (std::fabs(a) < 0x1p-1022) a = std::copysign(0.0, a);
    double r = 1.0 / a;
    if (std::fabs(r) < 0x1p-1022) r = std::copysign(0.0, r);
    return std::bit_cast<double>(std::bit_cast<uint64_t>(r) & ~0xffffffffull);
  }
};
template <class T, bool Ftz>
struct Neg {
  using D = T;
  using A = T;
  static T f(T a) {
    if constexpr (sizeof(T) == 8)
      return a != a ? quiet(a) : -a;
    else
      return canonical(Ftz ? T(-flush(a)) : T(-a));
  }
};
template <class T, bool Ftz>
struct Abs {
  using D = T;
  using A = T;
  static T f(T a) {
    if constexpr (sizeof(T) == 8)
      return a != a ? quiet(std::fabs(a)) : std::fabs(a);
    else
      return canonical(Ftz ? std::fabs(flush(a)) : std::fabs(a));
  }
};
/// div.approx is a times the reciprocal of b, which is 0 for |b| above 2^126.
template <class T, bool Ftz>
struct DivApprox {
  using D = T;
  using A = T;
  using B = T;
  static T f(T a, T b) {
    if constexpr (Ftz) a = flush(a), b = flush(b);
    T r = std::fabs(b) > T(0x1p126) && std::fabs(b) < T(INFINITY) ? a * std::copysign(T(0), b) : a / b;
    r = canonical(r);
    if constexpr (Ftz) r = flush(r);
    return r;
  }
};
/// copysign d, a, b: b with the sign of a.
template <class T>
struct Copysign {
  using D = T;
  using A = T;
  using B = T;
  static T f(T a, T b) { return std::copysign(b, a); }
};
template <class T>
const Inst* testp(const Inst* p, Exec& x) {
  uint32_t r = 0;
  for (uint32_t m = x.mask; m; m &= m - 1) {
    uint32_t l = uint32_t(std::countr_zero(m));
    int c = std::fpclassify(T(x.slot<Slot<T>>(p->a)[l]));
    bool yes = false;
    switch (p->sub) {
      case 0:
        yes = c != FP_INFINITE && c != FP_NAN;
        break;
      case 1:
        yes = c == FP_INFINITE;
        break;
      case 2:
        yes = c != FP_NAN;
        break;
      case 3:
        yes = c == FP_NAN;
        break;
      case 4:
        yes = c == FP_NORMAL || c == FP_ZERO;
        break;  // zero counts as normal on hardware
      case 5:
        yes = c == FP_SUBNORMAL;
        break;
    }
    r |= uint32_t(yes) << l;
  }
  uint32_t& d = x.pred(p->d);
  d = (d & ~x.mask) | r;
  return p + 1;
}

/// As run1 and run2, and a note when lanes need the routine for rare operands; not of the host's code.
template <class Op, class Rare, Mode M>
const Inst* watched1(const Inst* p, Exec& x) {
  using T = typename Op::A;
  const auto* a = x.slot<Slot<T>>(p->a);
  uint32_t any = 0;
  for (int i = 0; i < 32; ++i) any |= uint32_t(Rare::is(a[i])) << i;
  if (any &= x.mask) [[unlikely]] {
    rare::Ways ways;
    DOJO_FOR_LANES(l, x.mask) ways.add(Rare::way(T(a[l])));
    rare::took(x, p, any, ways.total(Rare::mixing(T())));
  }
  return run1<Op, M>(p, x);
}
template <class Op, class Rare, Mode M>
const Inst* watched2(const Inst* p, Exec& x) {
  using T = typename Op::A;
  const auto *a = x.slot<Slot<T>>(p->a), *b = x.slot<Slot<T>>(p->b);
  uint32_t any = 0;
  for (int i = 0; i < 32; ++i) any |= uint32_t(Rare::is(a[i], b[i])) << i;
  if (any &= x.mask) [[unlikely]] {
    rare::Ways ways;
    DOJO_FOR_LANES(l, x.mask) ways.add(Rare::way(T(a[l]), T(b[l])));
    rare::took(x, p, any, ways.total(Rare::mixing(T())));
  }
  if constexpr (std::is_same_v<T, float>)
    return either2<Op, ByDoubles<RoundedOp::div, Op::flushes, false>, M>(p, x);
  else
    return run2<Op, M>(p, x);
}
template <class Op, class Rare>
constexpr Handlers watched_unary{watched1<Op, Rare, Mode::full>, watched1<Op, Rare, Mode::partial>,
                                 run1<Op, Mode::single>};
template <class Op, class Rare>
constexpr Handlers watched_binary{watched2<Op, Rare, Mode::full>, watched2<Op, Rare, Mode::partial>,
                                  run2<Op, Mode::single>};

// ---- decoding ----
Round mode(Decoder& d) {
  return d.has("rz") ? Round::zero : d.has("rm") ? Round::down : d.has("rp") ? Round::up : Round::near;
}
template <Arith Op, bool Ftz, bool Sat>
constexpr Handlers mul_or_div =
    either_binary<Bin<float, Op, Ftz, Sat>,
                  ByDoubles<Op == mul_ ? RoundedOp::mul : RoundedOp::div, Ftz, Sat>>;
template <bool Ftz, bool Sat>
constexpr Handlers float_fma = either_ternary<Fma<float, Ftz, Sat>, ByDoubles<RoundedOp::fma, Ftz, Sat>>;
template <Arith Op>
Handlers pick(bool wide, bool ftz, bool sat) {
  if (wide) return binary<Bin<double, Op, false, false>>;
  if constexpr (Op == mul_ || Op == div_) {
    if (ftz) return sat ? mul_or_div<Op, true, true> : mul_or_div<Op, true, false>;
    return sat ? mul_or_div<Op, false, true> : mul_or_div<Op, false, false>;
  }
  if (ftz) return sat ? binary<Bin<float, Op, true, true>> : binary<Bin<float, Op, true, false>>;
  return sat ? binary<Bin<float, Op, false, true>> : binary<Bin<float, Op, false, false>>;
}
template <RoundedOp Op>
Handlers directed_handlers(Type t, bool ftz, bool sat) {
  if (t == Type::f64) return under_mode<Rounded<Op, double, false, false>>;
  if (ftz)
    return sat ? under_mode<Rounded<Op, float, true, true>> : under_mode<Rounded<Op, float, true, false>>;
  return sat ? under_mode<Rounded<Op, float, false, true>> : under_mode<Rounded<Op, float, false, false>>;
}
template <RoundedOp Op>
void directed(Decoder& d, Round r, int operands) {
  const Type t = d.type();
  const uint32_t a = d.src(1, t), b = operands > 1 ? d.src(2, t) : a, c = operands > 2 ? d.src(3, t) : a;
  d.emit(directed_handlers<Op>(t, d.has("ftz"), d.has("sat")), d.dst(0, t), a, b, c).flags = uint8_t(r);
}
template <Arith Op>
void arith(Decoder& d) {
  Type t = d.type();
  Round r = mode(d);
  if (r != Round::near)
    return directed < Op == add_ ? RoundedOp::add
           : Op == sub_          ? RoundedOp::sub
           : Op == mul_          ? RoundedOp::mul
                                 : RoundedOp::div > (d, r, 2);
  uint32_t a = d.src(1, t), b = d.src(2, t);
  if (Op == div_ && d.has("approx")) {
    d.emit(d.has("ftz") ? binary<DivApprox<float, true>> : binary<DivApprox<float, false>>, d.dst(0, t), a,
           b);
    return;
  }
  if (Op == div_ && !d.has("full") && !d.has("sat")) {
    d.emit(t == Type::f64 ? watched_binary<Bin<double, div_, false, false>, rare::Divide>
           : d.has("ftz") ? watched_binary<Bin<float, div_, true, false>, rare::Divide>
                          : watched_binary<Bin<float, div_, false, false>, rare::Divide>,
           d.dst(0, t), a, b)
        .access = d.access();
    return;
  }
  d.emit(pick<Op>(t == Type::f64, d.has("ftz"), d.has("sat")), d.dst(0, t), a, b);
}
template <bool Max>
void minmax(Decoder& d) {
  Type t = d.type();
  const bool exact = t == Type::f32 && (d.has("NaN") || d.has("xorsign") || d.has("abs"));
  auto two = [&](uint32_t to, uint32_t a, uint32_t b) {
    if (exact) {
      d.emit(per_lane<minmax_lane>, to, a, b).sub =
          uint8_t((Max ? 1 : 0) | (d.has("NaN") ? 2 : 0) | (d.has("xorsign") ? 4 : 0) |
                  (d.has("ftz") ? 8 : 0) | (d.has("abs") && !d.has("xorsign") ? 16 : 0));
      return;
    }
    d.emit(pick < Max ? max_ : min_ > (t == Type::f64, d.has("ftz"), false), to, a, b);
  };
  uint32_t a = d.src(1, t), b = d.src(2, t);
  if (d.operands() > 4) d.refuse("this many operands");
  if (d.operands() == 4) {
    const uint32_t c = d.src(3, t), between = d.temp(t == Type::f64);
    two(between, a, b);
    return two(d.dst(0, t), between, c);
  }
  two(d.dst(0, t), a, b);
}
void fma(Decoder& d) {
  Type t = d.type();
  Round r = mode(d);
  if (r != Round::near) return directed<RoundedOp::fma>(d, r, 3);
  uint32_t a = d.src(1, t), b = d.src(2, t), c = d.src(3, t);
  const bool ftz = d.has("ftz"), sat = d.has("sat");
  Handlers h = t == Type::f64 ? ternary<Fma<double, false, false>>
               : ftz          ? (sat ? float_fma<true, true> : float_fma<true, false>)
                              : (sat ? float_fma<false, true> : float_fma<false, false>);
  d.emit(h, d.dst(0, t), a, b, c);
}
template <template <class, bool> class Op>
void one(Decoder& d) {
  Type t = d.type();
  uint32_t a = d.src(1, t);
  d.emit(t == Type::f64 ? unary<Op<double, false>>
         : d.has("ftz") ? unary<Op<float, true>>
                        : unary<Op<float, false>>,
         d.dst(0, t), a);
}
template <template <class, bool> class Op, class Rare>
void watched(Decoder& d) {
  Type t = d.type();
  uint32_t a = d.src(1, t);
  d.emit(t == Type::f64 ? watched_unary<Op<double, false>, Rare>
         : d.has("ftz") ? watched_unary<Op<float, true>, Rare>
                        : watched_unary<Op<float, false>, Rare>,
         d.dst(0, t), a)
      .access = d.access();
}
void sqrt(Decoder& d) {
  if (Round r = mode(d); r != Round::near) return directed<RoundedOp::sqrt>(d, r, 1);
  watched<Sqrt, rare::SquareRoot>(d);
}
void rcp(Decoder& d) {
  Type t = d.type();
  if (t == Type::f64 && d.has("approx")) {
    uint32_t a = d.src(1, t);
    d.emit(unary<RcpDouble>, d.dst(0, t), a);
    return;
  }
  if (Round r = mode(d); r != Round::near) return directed<RoundedOp::rcp>(d, r, 1);
  watched<Rcp, rare::Reciprocal>(d);
}
void copysign(Decoder& d) {
  Type t = d.type();
  uint32_t a = d.src(1, t), b = d.src(2, t);
  d.emit(t == Type::f64 ? binary<Copysign<double>> : binary<Copysign<float>>, d.dst(0, t), a, b);
}
void testp_decode(Decoder& d) {
  Type t = d.type();
  uint32_t a = d.src(1, t);
  Inst& i = d.emit(t == Type::f64 ? testp<double> : testp<float>, d.pred_dst(d.op(0)), a);
  const char* names[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  for (uint8_t k = 0; k < 6; ++k)
    if (d.has(names[k])) i.sub = k;
}

constexpr uint32_t c_fp = c_f32 | c_f64;
constexpr Family kFloatFamilies[] = {
    {"add", c_fp, arith<add_>},   {"sub", c_fp, arith<sub_>},
    {"mul", c_fp, arith<mul_>},   {"div", c_fp, arith<div_>},
    {"min", c_fp, minmax<false>}, {"max", c_fp, minmax<true>},
    {"fma", c_fp, fma},           {"mad", c_fp, fma},
    {"neg", c_fp, one<Neg>},      {"abs", c_fp, one<Abs>},
    {"sqrt", c_fp, sqrt},         {"rcp", c_fp, rcp},
    {"copysign", c_fp, copysign}, {"testp", c_fp, testp_decode},
};

}  // namespace

std::span<const Family> float_families() { return kFloatFamilies; }

}  // namespace dojo::simt
