// Logic, shifts and bit fields.
#include <cmath>
#include <string_view>
#include <vector>

#include "simt/ops/arithmetic/integer_ops.hpp"

namespace dojo::simt {
namespace {

using namespace integer;

DOJO_BINARY(And, a& b)
DOJO_BINARY(Or, a | b)
DOJO_BINARY(Xor, a ^ b)
DOJO_UNARY(Not, ~a)
DOJO_UNARY(Cnot, a == 0 ? 1 : 0)

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
/// createpolicy.fractional: 1 in bits 60 to 63; the primary priority in 57 to 59 (0 unchanged, 1 first, 2
/// last, 3 normal); bit 56 if the other lines are evicted first; in 52 to 55 the sixteenths of lines with the
/// primary priority, less one. These are the bits of ptxas's code for sm_90: 0.5 and evict_last give 0x147
/// << 52. Accesses take the policy and ignore it: no cache of the model has priorities.
template <int Primary, bool OthersFirst>
struct CreatePolicy {
  using D = uint64_t;
  using A = float;
  static uint64_t f(float fraction) {
    const float sixteenths = std::ceil(std::min(std::max(fraction, 0.0625f), 1.0f) * 16);
    return uint64_t(0x100 + Primary * 0x20 + OthersFirst * 0x10 + int(sixteenths) - 1) << 52;
  }
};
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
  if constexpr (M != Mode::single) return go_on(p, x);
  return p + 1;
}

// ---- decoding -------------------------------------------------------------------------------------------
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
      h = left ? binary<Shl<uint32_t>> : binary<Shr<uint32_t>>;
      break;
    case Type::b64:
    case Type::u64:
      h = left ? binary<Shl<uint64_t>> : binary<Shr<uint64_t>>;
      break;
    case Type::s16:
      h = binary<Shr<int16_t>>;
      break;
    case Type::s32:
      h = binary<Shr<int32_t>>;
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
  const ptx::Op op = d.ins->meaning.op;
  Handlers h;
  if (op == ptx::Op::popc)
    h = w ? unary<Popc<uint64_t>> : unary<Popc<uint32_t>>;
  else if (op == ptx::Op::clz)
    h = w ? unary<Clz<uint64_t>> : unary<Clz<uint32_t>>;
  else if (op == ptx::Op::brev)
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
  d.emit(h, d.dst(0, op == ptx::Op::brev ? t : Type::u32), a);
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
const Inst* lop3_predicate(const Inst* p, Exec& x) {
  uint32_t any = 0;
  DOJO_FOR_LANES(l, x.mask) any |= uint32_t(x.slot<u32a>(p->a)[l] != 0) << l;
  const uint32_t q = x.pred(p->b), r = p->sub ? any | q : any & q;
  uint32_t& d = x.pred(p->d);
  d = (d & ~x.mask) | (r & x.mask);
  return p + 1;
}
template <bool OthersFirst>
Handlers policy(std::string_view primary) {
  if (primary == "L2::evict_unchanged") return unary<CreatePolicy<0, OthersFirst>>;
  if (primary == "L2::evict_first") return unary<CreatePolicy<1, OthersFirst>>;
  if (primary == "L2::evict_last") return unary<CreatePolicy<2, OthersFirst>>;
  return unary<CreatePolicy<3, OthersFirst>>;
}
void create_policy(Decoder& d) {
  if (!d.has("fractional")) d.refuse("of cache policies only createpolicy.fractional is modelled");
  std::vector<std::string_view> priorities;
  for (const std::string_view word : d.ins->parts)
    if (word.starts_with("L2::evict_")) priorities.push_back(word);
  if (priorities.empty() || priorities.size() > 2) d.refuse("this number of priorities");
  const bool others_first = priorities.size() == 2 && priorities[1] == "L2::evict_first";
  const uint32_t fraction = d.operands() > 1 ? d.src(1, Type::f32) : d.constant(0x3f800000, false);
  d.emit(others_first ? policy<true>(priorities[0]) : policy<false>(priorities[0]), d.dst(0, Type::b64),
         fraction);
}
void lop3_decode(Decoder& d) {
  const ptx::Operand& out = d.op(0);
  const bool pair = out.kind == ptx::OperandKind::list;
  if (pair && out.items.size() != 2) d.refuse("this result");
  const ptx::Operand& value = pair ? out.items[0] : out;
  uint32_t a = d.src(1, Type::b32), b = d.src(2, Type::b32), c = d.src(3, Type::b32);
  const uint32_t to = pair && value.kind == ptx::OperandKind::sink ? d.temp(false) : d.dst(value, Type::b32);
  d.emit(Handlers{lop3<Mode::full>, lop3<Mode::partial>, lop3<Mode::single>}, to, a, b, c).imm =
      d.op(4).value;
  if (!pair) return;
  // lop3.or, lop3.and: the predicate says whether any bit of the result is set, joined with another.
  if (!d.has("or") && !d.has("and")) d.refuse("this joining of predicates");
  const uint32_t q = d.pred_src(d.op(5));
  d.emit(lop3_predicate, d.pred_dst(out.items[1]), to, q).sub = d.has("or");
}

constexpr Family kBitFamilies[] = {
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
    {"createpolicy", c_bits, create_policy},
};

}  // namespace

std::span<const Family> bit_families() { return kBitFamilies; }

}  // namespace dojo::simt
