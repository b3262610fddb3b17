// cvt of packed pairs: two floats to two halves, bfloats or 8-bit floats, and back.
#include "simt/ops/arithmetic/rounding.hpp"
#include "simt/ops/arithmetic/small_float.hpp"
#include "simt/ops/emitters.hpp"
#include "simt/ops/lanes.hpp"

namespace dojo::simt {
namespace {

using ptx::Type;

struct PackHalf {  // d = {a high, b low}
  using D = uint32_t;
  using A = float;
  using B = float;
  static uint32_t f(float a, float b) { return float_half(a) << 16 | float_half(b); }
};
struct PackBrain {
  using D = uint32_t;
  using A = float;
  using B = float;
  static uint32_t f(float a, float b) { return float_brain(a) << 16 | float_brain(b); }
};

/// Two floats (or one packed pair) to a packed pair of a small format, and back. sub: Round; wide: to; count:
/// from.
SmallFormat packed_format(Type t) {
  switch (t) {
    case Type::f16x2:
      return f16_format;
    case Type::bf16x2:
      return bf16_format;
    case Type::e4m3x2:
      return e4m3_format;
    default:
      return e5m2_format;
  }
}
void packed_lane(const Inst* p, Exec& x, uint32_t l) {
  const Type to = p->type, from = Type(p->count);
  double hi, lo;
  if (from == Type::f32) {
    hi = x.slot<f32a>(p->a)[l];
    lo = x.slot<f32a>(p->b)[l];
  } else {
    const SmallFormat f = packed_format(from);
    const int n = f.exponent + f.mantissa + 1;
    uint32_t raw = x.slot<u32a>(p->a)[l];
    lo = from_small(raw & ((1u << n) - 1), f);
    hi = from_small(raw >> n & ((1u << n) - 1), f);
  }
  if (p->flags & 4) hi = hi > 0 ? hi : hi != hi ? hi : 0, lo = lo > 0 ? lo : lo != lo ? lo : 0;
  const SmallFormat f = packed_format(to);
  const int n = f.exponent + f.mantissa + 1;
  const bool sat = p->flags & 8;
  x.slot<u32a>(p->d)[l] =
      to_small(hi, f, Round(p->sub & 3), sat) << n | to_small(lo, f, Round(p->sub & 3), sat);
}

bool is_packed(Type t) {
  return t == Type::f16x2 || t == Type::bf16x2 || t == Type::e4m3x2 || t == Type::e5m2x2;
}

}  // namespace

void decode_packed_cvt(Decoder& d, Type to, Type from, Round mode) {
  const bool relu = d.has("relu"), satfinite = d.has("satfinite");
  if (!is_packed(to) || !(is_packed(from) || from == Type::f32)) d.refuse("this packed conversion");
  const Type out = ptx::bits(to) == 16 ? Type::b16 : Type::b32;
  uint32_t a = d.src(1, from == Type::f32 ? Type::f32 : ptx::bits(from) == 16 ? Type::b16 : Type::b32);
  uint32_t b = from == Type::f32 ? d.src(2, Type::f32) : a;
  if (from == Type::f32 && mode == Round::near && !relu && !satfinite &&
      (to == Type::f16x2 || to == Type::bf16x2)) {
    d.emit(to == Type::f16x2 ? binary<PackHalf> : binary<PackBrain>, d.dst(0, out), a, b);
    return;
  }
  Inst& i = d.emit(per_lane<packed_lane>, d.dst(0, out), a, b);
  i.type = to;
  i.count = uint8_t(from);
  i.sub = uint8_t(mode);
  i.flags = uint8_t((relu ? 4 : 0) | (satfinite || ptx::bits(to) == 16 ? 8 : 0));
}

}  // namespace dojo::simt
