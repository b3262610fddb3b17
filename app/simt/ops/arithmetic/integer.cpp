// Integer arithmetic: sums, products, carry chains, dot products.
#include "simt/ops/arithmetic/integer_ops.hpp"
#include "simt/ops/emitters.hpp"

namespace dojo::simt {

namespace {

using namespace integer;
using i128 = __int128;
using u128 = unsigned __int128;

DOJO_BINARY(Add, U<T>(a) + U<T>(b))
DOJO_BINARY(Sub, U<T>(a) - U<T>(b))
DOJO_BINARY(Min, a < b ? a : b)
DOJO_BINARY(Max, a > b ? a : b)
DOJO_UNARY(Neg, U<T>(0) - U<T>(a))
DOJO_UNARY(Abs, a < 0 ? T(U<T>(0) - U<T>(a)) : a)

template <class T>
struct MulLo {
  using D = T;
  using A = T;
  using B = T;
  static T f(T a, T b) {
    if constexpr (sizeof(T) < 4)
      return T(uint32_t(a) * uint32_t(b));
    else
      return T(U<T>(a) * U<T>(b));
  }
};
template <class T>
using Wide2 = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, i128, u128>>>;
template <class T>
struct MulHi {
  using D = T;
  using A = T;
  using B = T;
  static T f(T a, T b) { return T((Wide2<T>(a) * Wide2<T>(b)) >> width_of<T>); }
};
template <class T>
struct MulWide {
  using D = Wide2<T>;
  using A = T;
  using B = T;
  static D f(T a, T b) { return D(a) * D(b); }
};
template <class T>
struct MadLo {
  using D = T;
  using A = T;
  using B = T;
  using C = T;
  static T f(T a, T b, T c) { return T(U<T>(MulLo<T>::f(a, b)) + U<T>(c)); }
};
template <class T>
struct MadHi {
  using D = T;
  using A = T;
  using B = T;
  using C = T;
  static T f(T a, T b, T c) { return T(U<T>(MulHi<T>::f(a, b)) + U<T>(c)); }
};
template <class T>
struct MadWide {
  using D = Wide2<T>;
  using A = T;
  using B = T;
  using C = D;
  static D f(T a, T b, D c) { return D(U<D>(D(a) * D(b)) + U<D>(c)); }
};
/// Hi: bits 16 to 47 of the 48-bit product, else 0 to 31.
template <class T, bool Hi>
struct Mul24 {
  using D = T;
  using A = T;
  using B = T;
  static int64_t wide(T a, T b) {
    int64_t x =
        std::is_signed_v<T> ? int64_t(int32_t(uint32_t(a) << 8) >> 8) : int64_t(uint32_t(a) & 0xffffff);
    int64_t y =
        std::is_signed_v<T> ? int64_t(int32_t(uint32_t(b) << 8) >> 8) : int64_t(uint32_t(b) & 0xffffff);
    return x * y;
  }
  static T f(T a, T b) { return T(wide(a, b) >> (Hi ? 16 : 0)); }
};
template <class T, bool Hi>
struct Mad24 : Mul24<T, Hi> {
  using C = T;
  static T f(T a, T b, T c) { return T(uint32_t(Mul24<T, Hi>::f(a, b)) + uint32_t(c)); }
};
struct AddSat {
  using D = int32_t;
  using A = int32_t;
  using B = int32_t;
  static int32_t f(int32_t a, int32_t b) {
    int64_t r = int64_t(a) + b;
    return int32_t(r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : r);
  }
};
struct SubSat : AddSat {
  static int32_t f(int32_t a, int32_t b) {
    int64_t r = int64_t(a) - b;
    return int32_t(r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : r);
  }
};
struct MadHiSat {
  using D = int32_t;
  using A = int32_t;
  using B = int32_t;
  using C = int32_t;
  static int32_t f(int32_t a, int32_t b, int32_t c) { return AddSat::f(MulHi<int32_t>::f(a, b), c); }
};
template <class T>
struct Sad {
  using D = T;
  using A = T;
  using B = T;
  using C = T;
  static T f(T a, T b, T c) { return T(U<T>(c) + (a < b ? U<T>(b) - U<T>(a) : U<T>(a) - U<T>(b))); }
};
template <bool SA, bool SB>
struct Dp4a {
  using D = uint32_t;
  using A = uint32_t;
  using B = uint32_t;
  using C = uint32_t;
  static uint32_t f(uint32_t a, uint32_t b, uint32_t c) {
    for (int i = 0; i < 4; ++i) {
      int32_t x = SA ? int8_t(a >> 8 * i) : int32_t(a >> 8 * i & 0xff);
      int32_t y = SB ? int8_t(b >> 8 * i) : int32_t(b >> 8 * i & 0xff);
      c += uint32_t(x * y);
    }
    return c;
  }
};
template <bool SA, bool SB, int Hi>
struct Dp2a : Dp4a<SA, SB> {
  static uint32_t f(uint32_t a, uint32_t b, uint32_t c) {
    for (int i = 0; i < 2; ++i) {
      int32_t x = SA ? int32_t(int16_t(a >> 16 * i)) : int32_t(a >> 16 * i & 0xffff);
      int32_t y = SB ? int32_t(int8_t(b >> 8 * (i + 2 * Hi))) : int32_t(b >> 8 * (i + 2 * Hi) & 0xff);
      c += uint32_t(x * y);
    }
    return c;
  }
};
// Carry chains: the carry flags of the lanes are a mask at the frame's start (Decoder::carry).
template <class T, bool Subtract>
void add_carry(const Inst* p, Exec& x, uint32_t l) {
  uint32_t& cc = x.pred(p->c);
  T a = T(x.slot<Slot<T>>(p->a)[l]), b = T(x.slot<Slot<T>>(p->b)[l]);
  u128 in = p->flags & 1 ? (cc >> l & 1) : 0, r;
  bool out;
  if (Subtract) {
    r = u128(a) - u128(b) - in;
    out = u128(a) < u128(b) + in;
  } else {
    r = u128(a) + u128(b) + in;
    out = (r >> width_of<T>)&1;
  }
  x.slot<Slot<T>>(p->d)[l] = T(r);
  if (p->flags & 2) cc = (cc & ~(1u << l)) | uint32_t(out) << l;
}
template <class T>
void mad_carry(const Inst* p, Exec& x, uint32_t l) {
  uint32_t& cc = x.pred(uint32_t(p->target));
  T a = T(x.slot<Slot<T>>(p->a)[l]), b = T(x.slot<Slot<T>>(p->b)[l]), c = T(x.slot<Slot<T>>(p->c)[l]);
  u128 product = u128(a) * u128(b);
  if (p->sub == 1) {
    if (p->flags & 4)
      product = sizeof(T) == 4 ? u128(uint32_t(uint64_t(int64_t(int32_t(a)) * int32_t(b)) >> 32))
                               : u128(uint64_t((i128(int64_t(a)) * int64_t(b)) >> 64));
    else
      product >>= width_of<T>;
  }
  u128 r = u128(T(product)) + c + (p->flags & 1 ? (cc >> l & 1) : 0);
  x.slot<Slot<T>>(p->d)[l] = T(r);
  if (p->flags & 2) cc = (cc & ~(1u << l)) | uint32_t((r >> width_of<T>)&1) << l;
}

// ---- decoding -------------------------------------------------------------------------------------------
bool carry(Decoder& d) {
  return d.has("cc") || d.ins->meaning.is({ptx::Op::addc, ptx::Op::subc, ptx::Op::madc});
}

template <bool Subtract>
void add_or_sub(Decoder& d) {
  Type t = d.type();
  if (ptx::is_pair16(t)) return decode_packed_integer(d);
  if (carry(d)) {
    uint32_t a = d.src(1, t), b = d.src(2, t);
    Inst& i = d.emit(ptx::bits(t) == 64 ? per_lane<add_carry<uint64_t, Subtract>>
                                        : per_lane<add_carry<uint32_t, Subtract>>,
                     d.dst(0, t), a, b, d.carry());
    i.flags = uint8_t((d.ins->meaning.is({ptx::Op::addc, ptx::Op::subc}) ? 1 : 0) | (d.has("cc") ? 2 : 0));
    return;
  }
  if (d.has("sat")) return emit2(d, Subtract ? binary<SubSat> : binary<AddSat>, t);
  if (Subtract)
    two<Sub>(d);
  else
    two<Add>(d);
}
void mul(Decoder& d) {
  Type t = d.type();
  if (d.has("wide")) {
    Handlers h;
    switch (t) {
      case Type::u16:
        h = binary<MulWide<uint16_t>>;
        break;
      case Type::s16:
        h = binary<MulWide<int16_t>>;
        break;
      case Type::u32:
        h = binary<MulWide<uint32_t>>;
        break;
      case Type::s32:
        h = binary<MulWide<int32_t>>;
        break;
      default:
        d.refuse("mul.wide of this type");
    }
    uint32_t a = d.src(1, t), b = d.src(2, t);
    d.emit(h, d.dst(0, ptx::bits(t) == 32 ? Type::u64 : Type::u32), a, b);
  } else if (d.has("hi")) {
    two<MulHi>(d);
  } else {
    two<MulLo>(d);
  }
}
void mad(Decoder& d) {
  Type t = d.type();
  if (carry(d)) {
    uint32_t a = d.src(1, t), b = d.src(2, t), c = d.src(3, t);
    Inst& i = d.emit(ptx::bits(t) == 64 ? per_lane<mad_carry<uint64_t>> : per_lane<mad_carry<uint32_t>>,
                     d.dst(0, t), a, b, c);
    i.target = int32_t(d.carry());
    i.flags = uint8_t((d.ins->meaning.op == ptx::Op::madc ? 1 : 0) | (d.has("cc") ? 2 : 0) |
                      (t == Type::s32 || t == Type::s64 ? 4 : 0));
    i.sub = d.has("hi");
    return;
  }
  if (d.has("wide")) {
    Type w = ptx::bits(t) == 32 ? Type::u64 : Type::u32;
    Handlers h;
    switch (t) {
      case Type::u16:
        h = ternary<MadWide<uint16_t>>;
        break;
      case Type::s16:
        h = ternary<MadWide<int16_t>>;
        break;
      case Type::u32:
        h = ternary<MadWide<uint32_t>>;
        break;
      case Type::s32:
        h = ternary<MadWide<int32_t>>;
        break;
      default:
        d.refuse("mad.wide of this type");
    }
    uint32_t a = d.src(1, t), b = d.src(2, t), c = d.src(3, w);
    d.emit(h, d.dst(0, w), a, b, c);
    return;
  }
  Handlers h = d.has("hi") ? (d.has("sat") ? ternary<MadHiSat> : pick3<MadHi>(d, t)) : pick3<MadLo>(d, t);
  uint32_t a = d.src(1, t), b = d.src(2, t), c = d.src(3, t);
  d.emit(h, d.dst(0, t), a, b, c);
}
void mul24(Decoder& d) {
  const bool sign = d.type() == Type::s32, hi = d.has("hi");
  emit2(d,
        hi ? (sign ? binary<Mul24<int32_t, true>> : binary<Mul24<uint32_t, true>>)
           : (sign ? binary<Mul24<int32_t, false>> : binary<Mul24<uint32_t, false>>),
        d.type());
}
void mad24(Decoder& d) {
  const bool hi = d.has("hi");
  Type t = d.type();
  uint32_t a = d.src(1, t), b = d.src(2, t), c = d.src(3, t);
  d.emit(hi ? (t == Type::s32 ? ternary<Mad24<int32_t, true>> : ternary<Mad24<uint32_t, true>>)
            : (t == Type::s32 ? ternary<Mad24<int32_t, false>> : ternary<Mad24<uint32_t, false>>),
         d.dst(0, t), a, b, c);
}
void sad(Decoder& d) {
  Type t = d.type();
  uint32_t a = d.src(1, t), b = d.src(2, t), c = d.src(3, t);
  d.emit(pick3<Sad>(d, t), d.dst(0, t), a, b, c);
}
void dp(Decoder& d) {
  bool sa = d.type(0) == Type::s32, sb = d.type(1) == Type::s32;
  Handlers h;
  if (d.ins->meaning.op == ptx::Op::dp4a) {
    h = sa ? (sb ? ternary<Dp4a<true, true>> : ternary<Dp4a<true, false>>)
           : (sb ? ternary<Dp4a<false, true>> : ternary<Dp4a<false, false>>);
  } else if (d.has("hi")) {
    h = sa ? (sb ? ternary<Dp2a<true, true, 1>> : ternary<Dp2a<true, false, 1>>)
           : (sb ? ternary<Dp2a<false, true, 1>> : ternary<Dp2a<false, false, 1>>);
  } else {
    h = sa ? (sb ? ternary<Dp2a<true, true, 0>> : ternary<Dp2a<true, false, 0>>)
           : (sb ? ternary<Dp2a<false, true, 0>> : ternary<Dp2a<false, false, 0>>);
  }
  uint32_t a = d.src(1, Type::b32), b = d.src(2, Type::b32), c = d.src(3, Type::b32);
  d.emit(h, d.dst(0, Type::b32), a, b, c);
}

/// min, max; .relu (signed types): what is below zero becomes zero.
template <template <class> class Op>
void least_or_greatest(Decoder& d) {
  const Type t = d.type();
  if (ptx::is_pair16(t)) return decode_packed_integer(d);
  two<Op>(d);
  if (!d.has("relu")) return;
  if (t != Type::s32) d.refuse("relu of this type");
  const uint32_t out = d.dst(0, t);
  d.emit(binary<Max<int32_t>>, out, out, d.constant(0, false));
}

constexpr Family kIntegerFamilies[] = {
    {"add", c_int, add_or_sub<false>},
    {"addc", c_int, add_or_sub<false>},
    {"sub", c_int, add_or_sub<true>},
    {"subc", c_int, add_or_sub<true>},
    {"mul", c_int, mul},
    {"mad", c_int, mad},
    {"madc", c_int, mad},
    {"mul24", c_int, mul24},
    {"mad24", c_int, mad24},
    {"min", c_int, least_or_greatest<Min>},
    {"max", c_int, least_or_greatest<Max>},
    {"neg", c_int, one<Neg>},
    {"abs", c_int, one<Abs>},
    {"sad", c_int, sad},
    {"dp4a", c_int, dp},
    {"dp2a", c_int, dp},
};

}  // namespace

std::span<const Family> integer_families() { return kIntegerFamilies; }

}  // namespace dojo::simt
