// setp, set, selp, slct: comparison and selection. Predicates are masks of lanes.
#include "simt/ops/arithmetic/small_float.hpp"
#include "simt/ops/emitters.hpp"
#include "simt/ops/lanes.hpp"

namespace dojo::simt {
namespace {

using ptx::OperandKind;
using ptx::Type;

enum Cmp : uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan_ };

template <class T, Cmp C>
struct Compare {
  using A = T;
  static bool f(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      // eq ... ge are false with a NaN (ne too), equ ... geu true.
      if constexpr (C == eq) return a == b;
      if constexpr (C == ne) return a < b || a > b;
      if constexpr (C == lt) return a < b;
      if constexpr (C == le) return a <= b;
      if constexpr (C == gt) return a > b;
      if constexpr (C == ge) return a >= b;
      if constexpr (C == equ) return !(a < b || a > b);
      if constexpr (C == neu) return !(a == b);
      if constexpr (C == ltu) return !(a >= b);
      if constexpr (C == leu) return !(a > b);
      if constexpr (C == gtu) return !(a <= b);
      if constexpr (C == geu) return !(a < b);
      if constexpr (C == num) return a == a && b == b;
      return a != a || b != b;
    } else {
      if constexpr (C == eq) return a == b;
      if constexpr (C == ne) return a != b;
      if constexpr (C == lt) return a < b;
      if constexpr (C == le) return a <= b;
      if constexpr (C == gt) return a > b;
      return a >= b;
    }
  }
};
template <class T, Cmp C>
struct CompareFtz : Compare<T, C> {
  static bool f(T a, T b) {
    auto z = [](float v) { return std::fabs(v) < 0x1p-126f ? 0.f : v; };
    return Compare<T, C>::f(z(a), z(b));
  }
};

/// p = cmp(a, b) [op c]; q = !cmp [op c]. d: p, target: q + 1 (0: none), c: predicate (with sub: 1 and, 2 or,
/// 3 xor).
template <class Op, bool Plain>
const Inst* setp(const Inst* p, Exec& x) {
  uint32_t r = compare_lanes<Op>(x, p);
  uint32_t& d = x.pred(p->d);
  const uint32_t m = x.mask;
  if constexpr (Plain) {
    d = (d & ~m) | (r & m);
  } else {
    uint32_t c = p->sub ? x.pred(p->c) : 0;
    auto combine = [&](uint32_t v) {
      return p->sub == 1 ? v & c : p->sub == 2 ? v | c : p->sub == 3 ? v ^ c : v;
    };
    uint32_t first = combine(r), second = combine(~r);
    d = (d & ~m) | (first & m);
    if (p->target) {
      uint32_t& q = x.pred(uint32_t(p->target) - 1);
      q = (q & ~m) | (second & m);
    }
  }
  return go_on(p, x);
}
template <class Op, bool Plain>
const Inst* setp_single(const Inst* p, Exec& x) {
  using A = typename Op::A;
  uint32_t r = Op::f(get<A>(x.slot<Slot<A>>(p->a)[0]), get<A>(x.slot<Slot<A>>(p->b)[0])) ? 1 : 0;
  uint32_t c = !Plain && p->sub ? x.pred(p->c) : 0;
  auto combine = [&](uint32_t v) {
    return Plain ? v : p->sub == 1 ? v & c : p->sub == 2 ? v | c : p->sub == 3 ? v ^ c : v;
  };
  x.pred(p->d) = combine(r);
  if (!Plain && p->target) x.pred(uint32_t(p->target) - 1) = combine(r ^ 1);
  return p + 1;
}
template <class Op>
Handlers setp_handlers(bool plain) {
  if (plain) return {setp<Op, true>, setp<Op, true>, setp_single<Op, true>};
  return {setp<Op, false>, setp<Op, false>, setp_single<Op, false>};
}
template <template <class, Cmp> class Op, class T>
Handlers by_cmp(Decoder& d, Cmp c, bool plain) {
  switch (c) {
    case eq:
      return setp_handlers<Op<T, eq>>(plain);
    case ne:
      return setp_handlers<Op<T, ne>>(plain);
    case lt:
      return setp_handlers<Op<T, lt>>(plain);
    case le:
      return setp_handlers<Op<T, le>>(plain);
    case gt:
      return setp_handlers<Op<T, gt>>(plain);
    case ge:
      return setp_handlers<Op<T, ge>>(plain);
    default:
      break;
  }
  if constexpr (std::is_floating_point_v<T>) switch (c) {
      case equ:
        return setp_handlers<Op<T, equ>>(plain);
      case neu:
        return setp_handlers<Op<T, neu>>(plain);
      case ltu:
        return setp_handlers<Op<T, ltu>>(plain);
      case leu:
        return setp_handlers<Op<T, leu>>(plain);
      case gtu:
        return setp_handlers<Op<T, gtu>>(plain);
      case geu:
        return setp_handlers<Op<T, geu>>(plain);
      case num:
        return setp_handlers<Op<T, num>>(plain);
      case nan_:
        return setp_handlers<Op<T, nan_>>(plain);
      default:
        break;
    }
  d.refuse("this comparison");
}
Cmp comparison(Decoder& d, bool uns, bool floating) {
  const std::string& w = d.ins->parts.size() > 1 ? d.ins->parts[1] : d.ins->parts[0];
  static const std::pair<const char*, Cmp> names[] = {
      {"eq", eq},   {"ne", ne},   {"lt", lt},   {"le", le},   {"gt", gt},   {"ge", ge},   {"equ", equ},
      {"neu", neu}, {"ltu", ltu}, {"leu", leu}, {"gtu", gtu}, {"geu", geu}, {"num", num}, {"nan", nan_}};
  for (auto& [n, c] : names)
    if (w == n) return c;
  (void)uns;
  if (!floating) {
    if (w == "lo") return lt;
    if (w == "ls") return le;
    if (w == "hi") return gt;
    if (w == "hs") return ge;
  }
  d.refuse("the comparison ." + w);
}

/// Halves widen to float, exactly, before they are compared.
uint32_t widen(Decoder& d, uint32_t slot, Type t);

Handlers pick(Decoder& d, Type t, bool ftz, bool plain) {
  Cmp c = comparison(d, false, t == Type::f32 || t == Type::f64);
  switch (t) {
    case Type::u16:
    case Type::b16:
      return by_cmp<Compare, uint16_t>(d, c, plain);
    case Type::s16:
      return by_cmp<Compare, int16_t>(d, c, plain);
    case Type::u32:
    case Type::b32:
      return by_cmp<Compare, uint32_t>(d, c, plain);
    case Type::s32:
      return by_cmp<Compare, int32_t>(d, c, plain);
    case Type::u64:
    case Type::b64:
      return by_cmp<Compare, uint64_t>(d, c, plain);
    case Type::s64:
      return by_cmp<Compare, int64_t>(d, c, plain);
    case Type::f32:
      return ftz ? by_cmp<CompareFtz, float>(d, c, plain) : by_cmp<Compare, float>(d, c, plain);
    case Type::f64:
      return by_cmp<Compare, double>(d, c, plain);
    default:
      d.refuse("a comparison of this type");
  }
}

struct WidenHalf {
  using D = float;
  using A = uint32_t;
  static float f(uint32_t a) { return half_float(a); }
};
struct WidenBrain {
  using D = float;
  using A = uint32_t;
  static float f(uint32_t a) { return brain_float(a & 0xffff); }
};
struct HighHalf {
  using D = uint32_t;
  using A = uint32_t;
  static uint32_t f(uint32_t a) { return a >> 16; }
};
uint32_t widen(Decoder& d, uint32_t slot, Type t) {
  uint32_t w = d.temp(false);
  d.emit(t == Type::bf16 || t == Type::bf16x2 ? unary<WidenBrain> : unary<WidenHalf>, w, slot);
  return w;
}

/// Compares into predicate slot `to`, with the optional boolean operand.
void compare_to(Decoder& d, uint32_t to, uint32_t second, Type t, uint32_t a, uint32_t b, int combine,
                uint32_t c) {
  const bool plain = !combine && !second;
  Inst& i = d.emit(pick(d, t, d.has("ftz"), plain), to, a, b, c);
  i.sub = uint8_t(combine);
  i.target = second ? int32_t(second) + 1 : 0;
}
int combine_word(Decoder& d) { return d.has("and") ? 1 : d.has("or") ? 2 : d.has("xor") ? 3 : 0; }

void setp_decode(Decoder& d) {
  Type t = d.type();
  const ptx::Operand& out = d.op(0);
  uint32_t first, second = 0;
  if (out.kind == ptx::OperandKind::list) {
    first = d.pred_dst(out.items.at(0));
    if (out.items.size() > 1 && out.items[1].kind != ptx::OperandKind::sink)
      second = d.pred_dst(out.items[1]);
  } else {
    first = d.pred_dst(out);
  }
  const int combine = combine_word(d);
  uint32_t c = combine ? d.pred_src(d.op(3)) : 0;
  if (t == Type::f16x2 || t == Type::bf16x2) {
    // One predicate a half: p for the low, q for the high one.
    uint32_t a = d.src(1, Type::b32), b = d.src(2, Type::b32);
    uint32_t ah = d.temp(false), bh = d.temp(false);
    d.emit(unary<HighHalf>, ah, a);
    d.emit(unary<HighHalf>, bh, b);
    uint32_t al = widen(d, a, t), bl = widen(d, b, t);
    ah = widen(d, ah, t), bh = widen(d, bh, t);
    compare_to(d, first, 0, Type::f32, al, bl, combine, c);
    compare_to(d, second, 0, Type::f32, ah, bh, combine, c);
    return;
  }
  uint32_t a = d.src(1, t), b = d.src(2, t);
  if (t == Type::f16 || t == Type::bf16) {
    a = widen(d, a, t), b = widen(d, b, t);
    t = Type::f32;
  }
  compare_to(d, first, second, t, a, b, combine, c);
}

/// Value from a predicate: d = p ? imm : 0, in the low or high half too.
template <Mode M>
const Inst* from_pred(const Inst* p, Exec& x) {
  uint32_t m = x.pred(p->a);
  auto* d = x.slot<u32a>(p->d);
  const uint32_t v = uint32_t(p->imm);
  const uint32_t keep = p->sub ? 0x0000ffffu : 0;  // the high half of a pair is or-ed in
  constexpr int n = M == Mode::single ? 1 : 32;
  for (int i = 0; i < n; ++i) {
    uint32_t r = ((m >> i & 1) ? v : 0) | (d[i] & keep);
    if constexpr (M == Mode::partial)
      d[i] = x.lanes[i] ? r : d[i];
    else
      d[i] = r;
  }
  return p + 1;
}
constexpr Handlers from_pred_handlers{from_pred<Mode::full>, from_pred<Mode::partial>,
                                      from_pred<Mode::single>};

void set_decode(Decoder& d) {
  Type to = d.type(0), t = d.type(1);
  const int combine = combine_word(d);
  uint32_t c = combine ? d.pred_src(d.op(3)) : 0;
  uint32_t a = d.src(1, ptx::bits(t) == 32 ? (t == Type::f32   ? t
                                              : t == Type::s32 ? t
                                                               : Type::b32)
                                           : t),
           b = d.src(2, t);
  uint32_t p = d.temp(false);
  auto one = [](Type r) -> uint64_t {
    return r == Type::f32 ? 0x3f800000u : r == Type::f16 ? 0x3c00u : r == Type::bf16 ? 0x3f80u : ~0u;
  };
  if (t == Type::f16x2 || t == Type::bf16x2) {
    uint32_t ah = d.temp(false), bh = d.temp(false);
    d.emit(unary<HighHalf>, ah, a);
    d.emit(unary<HighHalf>, bh, b);
    uint32_t al = widen(d, a, t), bl = widen(d, b, t);
    ah = widen(d, ah, t), bh = widen(d, bh, t);
    uint64_t v = to == Type::f16x2 ? 0x3c00 : to == Type::bf16x2 ? 0x3f80 : 0xffff;
    uint32_t out = d.dst(0, Type::b32);
    uint32_t q = d.temp(false);
    compare_to(d, p, 0, Type::f32, al, bl, combine, c);
    compare_to(d, q, 0, Type::f32, ah, bh, combine, c);
    d.emit(from_pred_handlers, out, p).imm = v;
    Inst& i = d.emit(from_pred_handlers, out, q);
    i.imm = v << 16;
    i.sub = 1;
    return;
  }
  if (t == Type::f16 || t == Type::bf16) {
    a = widen(d, a, t), b = widen(d, b, t);
    t = Type::f32;
  }
  compare_to(d, p, 0, t, a, b, combine, c);
  d.emit(from_pred_handlers, d.dst(0, ptx::bits(to) == 64 ? Type::b64 : Type::b32), p).imm =
      ptx::bits(to) == 16 && one(to) == ~0u ? 0xffff : one(to);
}

template <class T, Mode M>
const Inst* selp(const Inst* p, Exec& x) {
  uint32_t m = x.pred(p->c);
  auto *d = x.slot<Slot<T>>(p->d), *a = x.slot<Slot<T>>(p->a), *b = x.slot<Slot<T>>(p->b);
  if constexpr (M == Mode::single) {
    d[0] = m & 1 ? a[0] : b[0];
  } else {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
      Slot<T> r = (m & (1u << i)) ? a[i] : b[i];
      if constexpr (M == Mode::partial)
        d[i] = x.lanes[i] ? r : d[i];
      else
        d[i] = r;
    }
  }
  return p + 1;
}
template <class T>
constexpr Handlers selp_handlers{selp<T, Mode::full>, selp<T, Mode::partial>, selp<T, Mode::single>};

void selp_decode(Decoder& d) {
  Type t = d.type();
  uint32_t a = d.src(1, t), b = d.src(2, t), c = d.pred_src(d.op(3));
  d.emit(ptx::bits(t) == 64 ? selp_handlers<uint64_t> : selp_handlers<uint32_t>, d.dst(0, t), a, b, c);
}
template <class T, class C>
struct Slct {
  using D = T;
  using A = T;
  using B = T;
};
template <class T, bool Float>
void slct_lane(const Inst* p, Exec& x, uint32_t l) {
  // .ftz: a small negative number counts as zero.
  bool first = Float ? x.slot<f32a>(p->c)[l] > (p->sub ? -0x1p-126f : -0x1p-149f)
                     : int32_t(x.slot<u32a>(p->c)[l]) >= 0;
  x.slot<Slot<T>>(p->d)[l] = first ? x.slot<Slot<T>>(p->a)[l] : x.slot<Slot<T>>(p->b)[l];
}
void slct_decode(Decoder& d) {
  Type t = d.type(0), c = d.type(1);
  uint32_t a = d.src(1, t), b = d.src(2, t), s = d.src(3, c);
  const bool w = ptx::bits(t) == 64, f = c == Type::f32;
  d.emit(w ? (f ? per_lane<slct_lane<uint64_t, true>> : per_lane<slct_lane<uint64_t, false>>)
           : (f ? per_lane<slct_lane<uint32_t, true>> : per_lane<slct_lane<uint32_t, false>>),
         d.dst(0, t), a, b, s)
      .sub = d.has("ftz");
}

template <int Op>
const Inst* pred_logic(const Inst* p, Exec& x) {
  uint32_t a = x.pred(p->a), b = x.pred(p->b);
  uint32_t r = Op == 0 ? a & b : Op == 1 ? a | b : Op == 2 ? a ^ b : Op == 3 ? ~a : a;
  uint32_t& d = x.pred(p->d);
  d = (d & ~x.mask) | (r & x.mask);
  return p + 1;
}
/// The predicate of each lane whose word is not 0.
const Inst* pred_of_word(const Inst* p, Exec& x) {
  uint32_t r = 0;
  const uint32_t mask = x.host ? 1 : x.mask;
  DOJO_FOR_LANES(l, mask) r |= uint32_t(x.slot<u32a>(p->a)[l] != 0) << l;
  uint32_t& d = x.pred(p->d);
  d = (d & ~mask) | r;
  return p + 1;
}
template <int Op>
void pred_binary(Decoder& d) {
  if (Op == 4 && d.op(1).kind == OperandKind::special) {  // %is_explicit_cluster
    const uint32_t word = d.src(d.op(1), Type::b32);
    d.emit(pred_of_word, d.pred_dst(d.op(0)), word);
    return;
  }
  uint32_t a = d.pred_src(d.op(1)), b = Op < 3 ? d.pred_src(d.op(2)) : a;
  d.emit(pred_logic<Op>, d.pred_dst(d.op(0)), a, b);
}

constexpr Family kCompareFamilies[] = {
    {"setp", c_any, setp_decode},    {"set", c_any, set_decode},      {"selp", c_any, selp_decode},
    {"slct", c_any, slct_decode},    {"and", c_pred, pred_binary<0>}, {"or", c_pred, pred_binary<1>},
    {"xor", c_pred, pred_binary<2>}, {"not", c_pred, pred_binary<3>}, {"mov", c_pred, pred_binary<4>},
};

}  // namespace

void decode_not_pred(Decoder& d, uint32_t dst, uint32_t src) { d.emit(pred_logic<3>, dst, src, src); }

std::span<const Family> compare_families() { return kCompareFamilies; }

}  // namespace dojo::simt
