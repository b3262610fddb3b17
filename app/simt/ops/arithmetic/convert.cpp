// cvt: between integers, floats, halves and small formats; fast loops for the common ones, one general path.
#include "simt/ops/arithmetic/rounding.hpp"
#include "simt/ops/arithmetic/small_float.hpp"
#include "simt/ops/emitters.hpp"
#include "simt/ops/lanes.hpp"
#include "simt/ops/quick/convert_quick.hpp"

namespace dojo::simt {

namespace {

using ptx::Type;

/// Integer to integer: the source's sign extends, the low bits are kept.
template <class To, class From>
struct Resize {
  using D = std::conditional_t<sizeof(To) == 1 && std::is_signed_v<To>, int32_t, To>;
  using A = From;
  static D f(From a) { return D(To(a)); }
};
struct ToFloat {
  using D = float;
  using A = int32_t;
  static float f(int32_t a) { return float(a); }
};
struct FloatToDouble {
  using D = double;
  using A = float;
  static double f(float a) { return double(a); }
};
struct DoubleToFloat {
  using D = float;
  using A = double;
  static float f(double a) { return float(a); }  // a NaN keeps its upper bits
};
struct IntToDouble {
  using D = double;
  using A = int32_t;
  static double f(int32_t a) { return double(a); }
};
struct UintToDouble {
  using D = double;
  using A = uint32_t;
  static double f(uint32_t a) { return double(a); }
};
struct UintToFloat {
  using D = float;
  using A = uint32_t;
  static float f(uint32_t a) { return float(a); }
};
struct TruncToInt {
  using D = int32_t;
  using A = float;
  static int32_t f(float a) {
    int32_t r = int32_t(a >= 2147483648.f || a < -2147483648.f || a != a ? 0.f : a);
    r = a >= 2147483648.f ? INT32_MAX : r;
    return a < -2147483648.f ? INT32_MIN : r;
  }
};
template <Mode M>
const Inst* half_to_float_lanes(const Inst* p, Exec& x) {
  auto* d = x.slot<f32a>(p->d);
  auto* a = x.slot<u32a>(p->a);
  if constexpr (M == Mode::single) {
    d[0] = half_float(a[0]);
    if (d[0] != d[0]) d[0] = std::bit_cast<float>(0x7fffffffu);
  } else {
    for (int i = 0; i < 32; i += 8) {
      const simd::F32 f = simd::halves_to_floats(simd::load(a + i) & simd::splat(0xffff));
      simd::U32 r = simd::select(simd::not_a_number(f), simd::splat(0x7fffffff), simd::U32(f));
      if constexpr (M == Mode::partial) r = simd::select(simd::load(x.lanes + i), r, simd::load(d + i));
      simd::store(d + i, r);
    }
  }
  return p + 1;
}
struct FloatToHalf {
  using D = uint32_t;
  using A = float;
  static uint32_t f(float a) { return float_half(a); }
};
struct FloatToBrain {
  using D = uint32_t;
  using A = float;
  static uint32_t f(float a) { return float_brain(a); }
};
struct BrainToFloat {
  using D = float;
  using A = uint32_t;
  static float f(uint32_t a) {
    return brain_float(a & 0xffff);  // a NaN is only shifted
  }
};

// ---- the general path: any pair of types. sub: rounding (Round | 4 to an integral value | 8 ties away) ----
struct Spec {
  Type to, from;
};
bool is_float(Type t) {
  return t == Type::f16 || t == Type::bf16 || t == Type::f32 || t == Type::f64 || t == Type::tf32;
}
bool is_signed(Type t) { return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64; }
double flush(double v, Type t) {
  return t == Type::f32 && std::fabs(v) < 0x1p-126 ? std::copysign(0.0, v) : v;
}
double to_whole(double v, Round r) {
  switch (r) {
    case Round::near:
      return std::nearbyint(v);
    case Round::zero:
      return std::trunc(v);
    case Round::down:
      return std::floor(v);
    default:
      return std::ceil(v);
  }
}
uint64_t load(const Inst* p, Exec& x, uint32_t offset, Type t, uint32_t l) {
  (void)p;
  return ptx::bits(t) == 64 ? uint64_t(x.slot<u64a>(offset)[l]) : uint64_t(x.slot<u32a>(offset)[l]);
}
void general_lane(const Inst* p, Exec& x, uint32_t l) {
  const Type to = p->type, from = Type(p->count);
  const Round mode = Round(p->sub & 3);
  const bool integral = p->sub & 4, ties_away = p->sub & 8, ftz = p->flags & 1, sat = p->flags & 2,
             relu = p->flags & 4;
  uint64_t raw = load(p, x, p->a, from, l);
  uint64_t out = 0;
  auto store = [&] {
    if (ptx::bits(to) == 64)
      x.slot<u64a>(p->d)[l] = out;
    else
      x.slot<u32a>(p->d)[l] = uint32_t(out);
  };
  if (!is_float(from)) {
    const int n = ptx::bits(from);
    __int128 v = is_signed(from) ? __int128(int64_t(raw << (64 - n)) >> (64 - n))
                                 : __int128(n == 64 ? raw : raw & ((uint64_t(1) << n) - 1));
    if (!is_float(to)) {
      const int m = ptx::bits(to);
      if (sat) {
        __int128 low = is_signed(to) ? -(__int128(1) << (m - 1)) : 0,
                 high = (__int128(1) << (is_signed(to) ? m - 1 : m)) - 1;
        v = v < low ? low : v > high ? high : v;
      }
      out = m == 64         ? uint64_t(v)
            : is_signed(to) ? uint64_t(int64_t(uint64_t(v) << (64 - m)) >> (64 - m))
                            : uint64_t(v) & ((uint64_t(1) << m) - 1);
    } else if (to == Type::f64) {
      out = std::bit_cast<uint64_t>(int_to_double(uint64_t(v), is_signed(from), mode));
    } else if (to == Type::f32) {
      out = std::bit_cast<uint32_t>(int_to_float(uint64_t(v), is_signed(from), mode));
    } else {
      // To a small format: a 64-bit integer with a sticky low bit keeps every rounding right.
      bool neg = v < 0;
      unsigned __int128 m = neg ? (unsigned __int128)(-v) : (unsigned __int128)v;
      bool sticky = false;
      while (m >> 52) sticky |= bool(m & 1), m >>= 1;
      double d = double(uint64_t(m) | uint64_t(sticky));
      if (std::bit_width(uint64_t(neg ? -v : v)) > 52)
        d = std::ldexp(d, std::bit_width(uint64_t(neg ? -v : v)) - 52);
      out = to_small(neg ? -d : d, to == Type::f16 ? f16_format : bf16_format, mode);
    }
    return store();
  }
  double v = 0;
  switch (from) {
    case Type::f16:
      v = half_float(uint32_t(raw));
      break;
    case Type::bf16:
      v = brain_float(uint32_t(raw) & 0xffff);
      break;
    case Type::f64:
      v = std::bit_cast<double>(raw);
      break;
    default:
      v = std::bit_cast<float>(uint32_t(raw));
      break;
  }
  if (ftz && to != Type::f16) v = flush(v, from);  // to halves an H100 keeps small inputs
  if (!is_float(to)) {
    const int m = ptx::bits(to);
    if (v != v) {
      out = from == Type::f64 || m == 64 ? uint64_t(1) << (m - 1) : 0;
      if (m < 64 && is_signed(to)) out = uint64_t(int64_t(out << (64 - m)) >> (64 - m));
      return store();
    }
    double w = to_whole(v, mode);
    const double low = is_signed(to) ? -std::ldexp(1.0, m - 1) : 0,
                 high = std::ldexp(1.0, is_signed(to) ? m - 1 : m);
    if (w < low)
      out = is_signed(to) ? uint64_t(1) << (m - 1) : 0;
    else if (w >= high)
      out = is_signed(to) ? (uint64_t(1) << (m - 1)) - 1 : m == 64 ? ~uint64_t(0) : (uint64_t(1) << m) - 1;
    else
      out = w < 0 ? uint64_t(int64_t(w)) : uint64_t(w);
    if (m < 64 && is_signed(to)) out = uint64_t(int64_t(out << (64 - m)) >> (64 - m));
    return store();
  }
  if (integral) v = to_whole(v, mode);
  if (relu && !(v > 0)) v = v != v ? v : 0.0;  // -0 too becomes +0
  if (sat) v = v > 0 ? (v < 1 ? v : 1) : 0;
  switch (to) {
    case Type::f64:
      out = std::bit_cast<uint64_t>(v) | (v != v ? 0x0008000000000000ull : 0);
      break;
    case Type::f32: {
      float f = v != v              ? (from == Type::f64 ? float(v) : std::bit_cast<float>(0x7fffffffu))
                : from == Type::f64 ? narrow(v, integral ? Round::near : mode)
                                    : float(v);
      if (ftz) f = float(flush(f, Type::f32));
      out = std::bit_cast<uint32_t>(f);
      break;
    }
    case Type::f16:
      // From double a NaN keeps its sign and upper bits.
      out = from == Type::f64 && v != v ? (raw >> 48 & 0x8000) | 0x7e00 | (raw >> 42 & 0x1ff)
                                        : to_small(v, f16_format, mode, p->flags & 8);
      break;
    case Type::bf16:
      out = from == Type::f64 && v != v ? (raw >> 48 & 0x8000) | 0x7fc0 | (raw >> 45 & 0x3f)
                                        : to_small(v, bf16_format, mode, p->flags & 8);
      break;
    case Type::tf32:
      if (ties_away && v != v) {
        out = raw & ~uint64_t(0x1fff);
        break;
      }
      out = uint64_t(to_small(v, tf32_format, mode, p->flags & 8, ties_away)) << 13;
      break;
    default:
      break;
  }
  store();
}

template <class To>
Handlers resize_to(Decoder& d, Type from) {
  switch (from) {
    case Type::u8:
    case Type::b8:
      return unary<Resize<To, uint8_t>>;
    case Type::s8:
      return unary<Resize<To, int8_t>>;
    case Type::u16:
    case Type::b16:
      return unary<Resize<To, uint16_t>>;
    case Type::s16:
      return unary<Resize<To, int16_t>>;
    case Type::u32:
    case Type::b32:
      return unary<Resize<To, uint32_t>>;
    case Type::s32:
      return unary<Resize<To, int32_t>>;
    case Type::u64:
    case Type::b64:
      return unary<Resize<To, uint64_t>>;
    case Type::s64:
      return unary<Resize<To, int64_t>>;
    default:
      d.refuse("a conversion from this type");
  }
}
Handlers resize(Decoder& d, Type to, Type from) {
  switch (to) {
    case Type::u8:
    case Type::b8:
      return resize_to<uint8_t>(d, from);
    case Type::s8:
      return resize_to<int8_t>(d, from);
    case Type::u16:
    case Type::b16:
      return resize_to<uint16_t>(d, from);
    case Type::s16:
      return resize_to<int16_t>(d, from);
    case Type::u32:
    case Type::b32:
      return resize_to<uint32_t>(d, from);
    case Type::s32:
      return resize_to<int32_t>(d, from);
    case Type::u64:
    case Type::b64:
      return resize_to<uint64_t>(d, from);
    case Type::s64:
      return resize_to<int64_t>(d, from);
    default:
      d.refuse("a conversion to this type");
  }
}

bool is_packed(Type t) {
  return t == Type::f16x2 || t == Type::bf16x2 || t == Type::e4m3x2 || t == Type::e5m2x2;
}

void cvt(Decoder& d) {
  const Type to = d.type(0), from = d.type(1);
  if (d.ins->parts.size() > 1 && d.ins->parts[1] == "pack") return decode_pack(d);
  const bool ftz = d.has("ftz"), sat = d.has("sat"), relu = d.has("relu"), satfinite = d.has("satfinite");
  Round mode = Round::near;
  bool integral = false;
  if (d.has("rz") || d.has("rzi")) mode = Round::zero;
  if (d.has("rm") || d.has("rmi")) mode = Round::down;
  if (d.has("rp") || d.has("rpi")) mode = Round::up;
  if (d.has("rni") || d.has("rzi") || d.has("rmi") || d.has("rpi")) integral = true;
  if (is_packed(to) || is_packed(from)) return decode_packed_cvt(d, to, from, mode);
  if (to == Type::none || from == Type::none) d.refuse("these types");
  uint32_t a = d.src(1, from);
  // Narrow results go to 16- or 32-bit registers; a 64-bit register holding a narrow type is refused by
  // dst().
  uint32_t out = d.dst(0, ptx::bits(to) == 64 ? Type::b64 : Type::b32);
  const bool plain = !ftz && !sat && !relu && !satfinite;
  if (!is_float(to) && !is_float(from) && !sat) {
    d.emit(resize(d, to, from), out, a);
    return;
  }
  if (plain) {
    const bool near = mode == Round::near && !integral;
    if (to == Type::f32 && from == Type::s32 && near) return void(d.emit(unary<ToFloat>, out, a));
    if (to == Type::f32 && from == Type::u32 && near) return void(d.emit(unary<UintToFloat>, out, a));
    if (to == Type::f64 && from == Type::s32) return void(d.emit(unary<IntToDouble>, out, a));
    if (to == Type::f64 && from == Type::u32) return void(d.emit(unary<UintToDouble>, out, a));
    if (to == Type::f64 && from == Type::f32 && !integral) return void(d.emit(unary<FloatToDouble>, out, a));
    if (to == Type::f32 && from == Type::f64 && near) return void(d.emit(unary<DoubleToFloat>, out, a));
    if (to == Type::s32 && from == Type::f32 && mode == Round::zero)
      return void(d.emit(unary<TruncToInt>, out, a));
    if (to == Type::f32 && from == Type::f16)
      return void(d.emit(Handlers{half_to_float_lanes<Mode::full>, half_to_float_lanes<Mode::partial>,
                                  half_to_float_lanes<Mode::single>},
                         out, a));
    if (to == Type::f16 && from == Type::f32 && near) return void(d.emit(unary<FloatToHalf>, out, a));
    if (to == Type::bf16 && from == Type::f32 && near) return void(d.emit(unary<FloatToBrain>, out, a));
    if (to == Type::f32 && from == Type::bf16) return void(d.emit(unary<BrainToFloat>, out, a));
  }
  if (!relu && !satfinite && !d.has("rna"))
    if (const auto quick = quick_float_cvt(to, from, mode, integral, ftz, sat))
      return void(d.emit(*quick, out, a, a, a).flags = uint8_t(mode));
  Inst& i = d.emit(per_lane<general_lane>, out, a);
  i.type = to;
  i.count = uint8_t(from);
  i.sub = uint8_t(int(mode) | (integral ? 4 : 0) | (d.has("rna") ? 8 : 0));
  i.flags = uint8_t((ftz ? 1 : 0) | (sat ? 2 : 0) | (relu ? 4 : 0) | (satfinite ? 8 : 0));
}
struct Bmsk {
  using D = uint32_t;
  using A = uint32_t;
  using B = uint32_t;
  static uint32_t clamp(uint32_t a, uint32_t b) {
    if (a > 31 || b == 0) return 0;
    uint32_t m = b >= 32 ? ~0u : (1u << b) - 1;
    return m << a;
  }
  static uint32_t f(uint32_t a, uint32_t b) { return clamp(a, b); }
};
struct BmskWrap : Bmsk {
  static uint32_t f(uint32_t a, uint32_t b) { return clamp(a & 31, b & 31); }
};
void bmsk(Decoder& d) {
  uint32_t a = d.src(1, Type::b32), b = d.src(2, Type::b32);
  d.emit(d.has("wrap") ? binary<BmskWrap> : binary<Bmsk>, d.dst(0, Type::b32), a, b);
}

constexpr Family kConvertFamilies[] = {{"cvt", c_any, cvt}, {"bmsk", c_bits, bmsk}};

}  // namespace

void decode_resize(Decoder& d, uint32_t dst, uint32_t src, bool from_wide) {
  if (from_wide)
    d.emit(unary<Resize<uint32_t, uint64_t>>, dst, src);
  else
    d.emit(unary<Resize<uint64_t, uint32_t>>, dst, src);
}

std::span<const Family> convert_families() { return kConvertFamilies; }

}  // namespace dojo::simt
