// Integer arithmetic, shifts, logic and bit fields.
#include "simt/lanes.hpp"

namespace dojo::simt {
namespace {

using ptx::Type;
using i128 = __int128;
using u128 = unsigned __int128;

template <class T>
using U = std::make_unsigned_t<T>;
template <class T>
constexpr int width_of = int(sizeof(T) * 8);

#define DOJO_BINARY(NAME, EXPR)              \
  template <class T>                         \
  struct NAME {                              \
    using D = T;                             \
    using A = T;                             \
    using B = T;                             \
    static T f(T a, T b) { return T(EXPR); } \
  };
#define DOJO_UNARY(NAME, EXPR)          \
  template <class T>                    \
  struct NAME {                         \
    using D = T;                        \
    using A = T;                        \
    static T f(T a) { return T(EXPR); } \
  };
DOJO_BINARY(Add, U<T>(a) + U<T>(b))
DOJO_BINARY(Sub, U<T>(a) - U<T>(b))
DOJO_BINARY(Min, a < b ? a : b)
DOJO_BINARY(Max, a > b ? a : b)
DOJO_BINARY(And, a& b)
DOJO_BINARY(Or, a | b)
DOJO_BINARY(Xor, a ^ b)
// A division or a remainder by zero gives all ones (an H100 says so; PTX leaves it open); the most negative
// number by -1 wraps.
DOJO_BINARY(Div, b == 0 ? T(-1) : (std::is_signed_v<T> && b == T(-1)) ? T(U<T>(0) - U<T>(a)) : T(a / b))
DOJO_BINARY(Rem, b == 0 ? T(-1) : (std::is_signed_v<T> && b == T(-1)) ? T(0) : T(a % b))
DOJO_UNARY(Neg, U<T>(0) - U<T>(a))
DOJO_UNARY(Abs, a < 0 ? T(U<T>(0) - U<T>(a)) : a)
DOJO_UNARY(Not, ~a)
DOJO_UNARY(Cnot, a == 0 ? 1 : 0)

// 32-bit division through doubles: exact, and vectorises.
template <>
struct Div<int32_t> {
  using D = int32_t;
  using A = int32_t;
  using B = int32_t;
  static int32_t f(int32_t a, int32_t b) {
    if (b == 0) return -1;
    return int32_t(int64_t(double(a) / double(b)));
  }
};

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
struct Shl {
  using D = T;
  using A = T;
  using B = uint32_t;
  static T f(T a, uint32_t n) {
    return n >= uint32_t(width_of<T>) ? T(0) : T(U<T>(a) << (n & (width_of<T> - 1)));
  }
};
template <class T>
struct Shr {
  using D = T;
  using A = T;
  using B = uint32_t;
  static T f(T a, uint32_t n) {
    if constexpr (std::is_signed_v<T>)
      return T(a >> (n >= uint32_t(width_of<T>) ? width_of<T> - 1 : int(n)));
    else
      return n >= uint32_t(width_of<T>) ? T(0) : T(a >> (n & (width_of<T> - 1)));
  }
};
/// 32-bit shifts: the vector instructions clamp the amount just as a GPU does.
enum class Shift { left, right, arithmetic };
template <Shift S, Mode M>
const Inst* shift32(const Inst* p, Exec& x) {
  if constexpr (M == Mode::single) {
    const uint32_t a = x.slot<u32a>(p->a)[0], n = x.slot<u32a>(p->b)[0];
    x.slot<u32a>(p->d)[0] = S == Shift::left    ? Shl<uint32_t>::f(a, n)
                            : S == Shift::right ? Shr<uint32_t>::f(a, n)
                                                : uint32_t(Shr<int32_t>::f(int32_t(a), n));
    return p + 1;
  }
  const auto *a = x.slot<__m256i>(p->a), *n = x.slot<__m256i>(p->b),
             *on = reinterpret_cast<const __m256i*>(x.lanes);
  auto* d = x.slot<__m256i>(p->d);
  for (int i = 0; i < 4; ++i) {
    const __m256i v = _mm256_load_si256(a + i), k = _mm256_load_si256(n + i);
    __m256i r = S == Shift::left    ? _mm256_sllv_epi32(v, k)
                : S == Shift::right ? _mm256_srlv_epi32(v, k)
                                    : _mm256_srav_epi32(v, k);
    if constexpr (M == Mode::partial)
      r = _mm256_blendv_epi8(_mm256_load_si256(d + i), r, _mm256_load_si256(on + i));
    _mm256_store_si256(d + i, r);
  }
  return p + 1;
}
template <Shift S>
constexpr Handlers shift_handlers{shift32<S, Mode::full>, shift32<S, Mode::partial>,
                                  shift32<S, Mode::single>};

template <bool Left, bool Wrap>
struct Shf {
  using D = uint32_t;
  using A = uint32_t;
  using B = uint32_t;
  using C = uint32_t;
  static uint32_t f(uint32_t lo, uint32_t hi, uint32_t c) {
    uint32_t n = Wrap ? c & 31 : (c < 32 ? c : 32);
    uint64_t v = uint64_t(hi) << 32 | lo;
    return Left ? uint32_t((v << n) >> 32) : uint32_t(v >> n);
  }
};
template <class T>
struct Popc {
  using D = uint32_t;
  using A = T;
  static uint32_t f(T a) { return uint32_t(std::popcount(a)); }
};
template <class T>
struct Clz {
  using D = uint32_t;
  using A = T;
  static uint32_t f(T a) { return uint32_t(std::countl_zero(a)); }
};
template <class T>
struct Brev {
  using D = T;
  using A = T;
  static T f(T a) {
    uint64_t v = a;
    v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
    v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
    v = __builtin_bswap64(v);
    return T(v >> (64 - width_of<T>));
  }
};
template <class T, bool Shift>
struct Bfind {
  using D = uint32_t;
  using A = T;
  static uint32_t f(T a) {
    U<T> v = std::is_signed_v<T> && a < 0 ? U<T>(~a) : U<T>(a);
    if (v == 0) return 0xffffffffu;
    uint32_t at = uint32_t(width_of<T> - 1 - std::countl_zero(v));
    return Shift ? uint32_t(width_of<T> - 1) - at : at;
  }
};
template <class T>
struct Bfe {
  using D = T;
  using A = T;
  using B = uint32_t;
  using C = uint32_t;
  static T f(T a, uint32_t b, uint32_t c) {
    const int msb = width_of<T> - 1;
    // 32-bit fields look at 8 bits of position and length; 64-bit ones, made of several instructions, at all.
    const uint32_t seen = width_of<T> == 64 ? ~0u : 0xffu;
    int pos = int(std::min(b & seen, 256u)), len = int(std::min(c & seen, 256u));
    bool sign = false;
    if (std::is_signed_v<T> && len) sign = (U<T>(a) >> std::min(pos + len - 1, msb)) & 1;
    U<T> d = 0;
    if (len && pos <= msb) {
      d = U<T>(a) >> pos;
      int kept = std::min(len, msb + 1 - pos);
      if (kept <= msb) d &= (U<T>(1) << kept) - 1;
      if (sign && kept <= msb) d |= ~U<T>(0) << kept;
    } else if (sign) {
      d = ~U<T>(0);
    }
    return T(d);
  }
};
template <class T>
T bfi(T a, T b, uint32_t c, uint32_t e) {
  const uint32_t msb = uint32_t(width_of<T> - 1);
  const uint32_t seen = width_of<T> == 64 ? ~0u : 0xffu;  // as bfe
  uint32_t pos = c & seen, len = e & seen;
  if (pos > msb || len == 0) return b;
  uint32_t kept = std::min(len, msb + 1 - pos);
  T mask = kept > msb ? ~T(0) : T(((T(1) << kept) - 1) << pos);
  return T((b & ~mask) | ((a << pos) & mask));
}
/// Four operands: the fourth's slot is in Inst::target.
template <class T>
void bfi_lane(const Inst* p, Exec& x, uint32_t l) {
  x.slot<Slot<T>>(p->d)[l] = bfi<T>(x.slot<Slot<T>>(p->a)[l], x.slot<Slot<T>>(p->b)[l], x.slot<u32a>(p->c)[l],
                                    x.slot<u32a>(uint32_t(p->target))[l]);
}
struct Prmt {
  static uint32_t f(uint32_t a, uint32_t b, uint32_t c, int mode) {
    uint64_t v = uint64_t(b) << 32 | a;
    auto byte = [&](uint32_t i) { return uint32_t(v >> (8 * (i & 7))) & 0xff; };
    uint32_t r = 0;
    for (uint32_t i = 0; i < 4; ++i) {
      uint32_t out = 0;
      switch (mode) {
        case 0: {
          uint32_t s = c >> (4 * i) & 0xf;
          out = byte(s & 7);
          if (s & 8) out = out & 0x80 ? 0xff : 0;
          break;
        }
        case 1:
          out = byte((c & 3) + i);
          break;  // f4e
        case 2:
          out = byte((c & 3) - i + 8);
          break;  // b4e
        case 3:
          out = byte(c & 3);
          break;  // rc8
        case 4:
          out = byte(std::max(i, c & 3));
          break;  // ecl
        case 5:
          out = byte(std::min(i, c & 3));
          break;  // ecr
        case 6:
          out = byte((c & 1) * 2 + (i & 1));
          break;  // rc16
      }
      r |= out << (8 * i);
    }
    return r;
  }
};
void prmt_lane(const Inst* p, Exec& x, uint32_t l) {
  x.slot<u32a>(p->d)[l] =
      Prmt::f(x.slot<u32a>(p->a)[l], x.slot<u32a>(p->b)[l], x.slot<u32a>(p->c)[l], p->sub);
}

template <Mode M>
const Inst* lop3(const Inst* p, Exec& x) {
  auto *d = x.slot<u32a>(p->d), *a = x.slot<u32a>(p->a), *b = x.slot<u32a>(p->b), *c = x.slot<u32a>(p->c);
  uint32_t k[8];
  for (int i = 0; i < 8; ++i) k[i] = -uint32_t(p->imm >> i & 1);
  constexpr int n = M == Mode::single ? 1 : 32;
#pragma GCC ivdep
  for (int i = 0; i < n; ++i) {
    uint32_t A = a[i], B = b[i], C = c[i];
    uint32_t r = (k[0] & ~A & ~B & ~C) | (k[1] & ~A & ~B & C) | (k[2] & ~A & B & ~C) | (k[3] & ~A & B & C) |
                 (k[4] & A & ~B & ~C) | (k[5] & A & ~B & C) | (k[6] & A & B & ~C) | (k[7] & A & B & C);
    if constexpr (M == Mode::partial)
      d[i] = x.lanes[i] ? r : d[i];
    else
      d[i] = r;
  }
  return p + 1;
}
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
template <template <class> class Op>
Handlers pick(Decoder& d, Type t) {
  switch (t) {
    case Type::u16:
    case Type::b16:
      return binary<Op<uint16_t>>;
    case Type::s16:
      return binary<Op<int16_t>>;
    case Type::u32:
    case Type::b32:
      return binary<Op<uint32_t>>;
    case Type::s32:
      return binary<Op<int32_t>>;
    case Type::u64:
    case Type::b64:
      return binary<Op<uint64_t>>;
    case Type::s64:
      return binary<Op<int64_t>>;
    default:
      d.refuse("a type that this operation doesn't take");
  }
}
template <template <class> class Op>
Handlers pick1(Decoder& d, Type t) {
  switch (t) {
    case Type::u16:
    case Type::b16:
      return unary<Op<uint16_t>>;
    case Type::s16:
      return unary<Op<int16_t>>;
    case Type::u32:
    case Type::b32:
      return unary<Op<uint32_t>>;
    case Type::s32:
      return unary<Op<int32_t>>;
    case Type::u64:
    case Type::b64:
      return unary<Op<uint64_t>>;
    case Type::s64:
      return unary<Op<int64_t>>;
    default:
      d.refuse("a type that this operation doesn't take");
  }
}
template <template <class> class Op>
Handlers pick3(Decoder& d, Type t) {
  switch (t) {
    case Type::u16:
      return ternary<Op<uint16_t>>;
    case Type::s16:
      return ternary<Op<int16_t>>;
    case Type::u32:
      return ternary<Op<uint32_t>>;
    case Type::s32:
      return ternary<Op<int32_t>>;
    case Type::u64:
      return ternary<Op<uint64_t>>;
    case Type::s64:
      return ternary<Op<int64_t>>;
    default:
      d.refuse("a type that this operation doesn't take");
  }
}
void emit2(Decoder& d, Handlers h, Type t) {
  uint32_t a = d.src(1, t), b = d.src(2, t);
  d.emit(h, d.dst(0, t), a, b);
}
template <template <class> class Op>
void two(Decoder& d) {
  emit2(d, pick<Op>(d, d.type()), d.type());
}
template <template <class> class Op>
void one(Decoder& d) {
  uint32_t a = d.src(1, d.type());
  d.emit(pick1<Op>(d, d.type()), d.dst(0, d.type()), a);
}
bool carry(Decoder& d) {
  return d.has("cc") || d.ins->parts[0] == "addc" || d.ins->parts[0] == "subc" || d.ins->parts[0] == "madc";
}

template <bool Subtract>
void add_or_sub(Decoder& d) {
  Type t = d.type();
  if (d.has("u16x2") || d.has("s16x2")) d.refuse("packed 16-bit integers");
  if (carry(d)) {
    uint32_t a = d.src(1, t), b = d.src(2, t);
    Inst& i = d.emit(ptx::bits(t) == 64 ? per_lane<add_carry<uint64_t, Subtract>>
                                        : per_lane<add_carry<uint32_t, Subtract>>,
                     d.dst(0, t), a, b, d.carry());
    i.flags = uint8_t((d.ins->parts[0].back() == 'c' ? 1 : 0) | (d.has("cc") ? 2 : 0));
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
    i.flags = uint8_t((d.ins->parts[0] == "madc" ? 1 : 0) | (d.has("cc") ? 2 : 0) |
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
void shift(Decoder& d, bool left) {
  Type t = d.type();
  Handlers h;
  switch (t) {
    case Type::b16:
    case Type::u16:
      h = left ? binary<Shl<uint16_t>> : binary<Shr<uint16_t>>;
      break;
    case Type::b32:
    case Type::u32:
      h = left ? shift_handlers<Shift::left> : shift_handlers<Shift::right>;
      break;
    case Type::b64:
    case Type::u64:
      h = left ? binary<Shl<uint64_t>> : binary<Shr<uint64_t>>;
      break;
    case Type::s16:
      h = binary<Shr<int16_t>>;
      break;
    case Type::s32:
      h = shift_handlers<Shift::arithmetic>;
      break;
    case Type::s64:
      h = binary<Shr<int64_t>>;
      break;
    default:
      d.refuse("a shift of this type");
  }
  uint32_t a = d.src(1, t), b = d.src(2, Type::u32);
  d.emit(h, d.dst(0, t), a, b);
}
void shf(Decoder& d) {
  bool left = d.has("l"), wrap = d.has("wrap");
  uint32_t a = d.src(1, Type::b32), b = d.src(2, Type::b32), c = d.src(3, Type::b32);
  d.emit(left ? (wrap ? ternary<Shf<true, true>> : ternary<Shf<true, false>>)
              : (wrap ? ternary<Shf<false, true>> : ternary<Shf<false, false>>),
         d.dst(0, Type::b32), a, b, c);
}
void count_bits(Decoder& d) {
  Type t = d.type();
  const bool w = ptx::bits(t) == 64;
  const std::string& op = d.ins->parts[0];
  Handlers h;
  if (op == "popc")
    h = w ? unary<Popc<uint64_t>> : unary<Popc<uint32_t>>;
  else if (op == "clz")
    h = w ? unary<Clz<uint64_t>> : unary<Clz<uint32_t>>;
  else if (op == "brev")
    h = w ? unary<Brev<uint64_t>> : unary<Brev<uint32_t>>;
  else {
    bool s = d.has("shiftamt");
    switch (t) {
      case Type::u32:
        h = s ? unary<Bfind<uint32_t, true>> : unary<Bfind<uint32_t, false>>;
        break;
      case Type::s32:
        h = s ? unary<Bfind<int32_t, true>> : unary<Bfind<int32_t, false>>;
        break;
      case Type::u64:
        h = s ? unary<Bfind<uint64_t, true>> : unary<Bfind<uint64_t, false>>;
        break;
      case Type::s64:
        h = s ? unary<Bfind<int64_t, true>> : unary<Bfind<int64_t, false>>;
        break;
      default:
        d.refuse("bfind of this type");
    }
  }
  uint32_t a = d.src(1, t);
  d.emit(h, d.dst(0, op == "brev" ? t : Type::u32), a);
}
void bfe(Decoder& d) {
  Type t = d.type();
  Handlers h;
  switch (t) {
    case Type::u32:
      h = ternary<Bfe<uint32_t>>;
      break;
    case Type::s32:
      h = ternary<Bfe<int32_t>>;
      break;
    case Type::u64:
      h = ternary<Bfe<uint64_t>>;
      break;
    case Type::s64:
      h = ternary<Bfe<int64_t>>;
      break;
    default:
      d.refuse("bfe of this type");
  }
  uint32_t a = d.src(1, t), b = d.src(2, Type::u32), c = d.src(3, Type::u32);
  d.emit(h, d.dst(0, t), a, b, c);
}
void bfi_decode(Decoder& d) {
  Type t = d.type();
  uint32_t a = d.src(1, t), b = d.src(2, t), c = d.src(3, Type::u32), e = d.src(4, Type::u32);
  Inst& i = d.emit(ptx::bits(t) == 64 ? per_lane<bfi_lane<uint64_t>> : per_lane<bfi_lane<uint32_t>>,
                   d.dst(0, t), a, b, c);
  i.target = int32_t(e);
}
void prmt(Decoder& d) {
  uint32_t a = d.src(1, Type::b32), b = d.src(2, Type::b32), c = d.src(3, Type::b32);
  Inst& i = d.emit(per_lane<prmt_lane>, d.dst(0, Type::b32), a, b, c);
  const char* modes[] = {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  for (uint8_t m = 1; m < 7; ++m)
    if (d.has(modes[m])) i.sub = m;
}
void lop3_decode(Decoder& d) {
  if (d.op(0).kind == ptx::OperandKind::list) d.refuse("lop3 with a predicate result");
  uint32_t a = d.src(1, Type::b32), b = d.src(2, Type::b32), c = d.src(3, Type::b32);
  d.emit(Handlers{lop3<Mode::full>, lop3<Mode::partial>, lop3<Mode::single>}, d.dst(0, Type::b32), a, b, c)
      .imm = d.op(4).value;
}
void sad(Decoder& d) {
  Type t = d.type();
  uint32_t a = d.src(1, t), b = d.src(2, t), c = d.src(3, t);
  d.emit(pick3<Sad>(d, t), d.dst(0, t), a, b, c);
}
void dp(Decoder& d) {
  bool sa = d.type(0) == Type::s32, sb = d.type(1) == Type::s32;
  Handlers h;
  if (d.ins->parts[0] == "dp4a") {
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

constexpr Family families[] = {
    {"add", c_int, add_or_sub<false>},
    {"addc", c_int, add_or_sub<false>},
    {"sub", c_int, add_or_sub<true>},
    {"subc", c_int, add_or_sub<true>},
    {"mul", c_int, mul},
    {"mad", c_int, mad},
    {"madc", c_int, mad},
    {"mul24", c_int, mul24},
    {"mad24", c_int, mad24},
    {"div", c_int, two<Div>},
    {"rem", c_int, two<Rem>},
    {"min", c_int, two<Min>},
    {"max", c_int, two<Max>},
    {"neg", c_int, one<Neg>},
    {"abs", c_int, one<Abs>},
    {"and", c_bits, two<And>},
    {"or", c_bits, two<Or>},
    {"xor", c_bits, two<Xor>},
    {"not", c_bits, one<Not>},
    {"cnot", c_bits, one<Cnot>},
    {"shl", c_bits, [](Decoder& d) { shift(d, true); }},
    {"shr", c_bits | c_int, [](Decoder& d) { shift(d, false); }},
    {"shf", c_bits, shf},
    {"popc", c_bits, count_bits},
    {"clz", c_bits, count_bits},
    {"brev", c_bits, count_bits},
    {"bfind", c_int, count_bits},
    {"bfe", c_int, bfe},
    {"bfi", c_bits, bfi_decode},
    {"prmt", c_bits, prmt},
    {"lop3", c_bits, lop3_decode},
    {"sad", c_int, sad},
    {"dp4a", c_int, dp},
    {"dp2a", c_int, dp},
};

}  // namespace

std::span<const Family> integer_families() { return families; }

}  // namespace dojo::simt
