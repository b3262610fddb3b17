// Approximate functions, within the stated distance of what a GPU gives (tests/truth).
#include "simt/ops/arithmetic/float_lanes.hpp"
#include "simt/ops/lanes.hpp"

namespace dojo::simt {
namespace {

using ptx::Type;

template <bool Ftz>
struct Rsqrt {
  using D = float;
  using A = float;
  static float f(float a) {
    if constexpr (Ftz) a = flush(a);
    float r = canonical(float(1.0 / std::sqrt(double(a))));
    if constexpr (Ftz) r = flush(r);
    return r;
  }
};
/// The 64-bit approximations with .ftz work on the upper 32 bits.
template <bool Ftz>
struct RsqrtDouble {
  using D = double;
  using A = double;
  static double f(double a) {
    if (Ftz) a = std::bit_cast<double>(std::bit_cast<uint64_t>(a) & ~0xffffffffull);
    if (Ftz && std::fabs(a) < 0x1p-1022) a = std::copysign(0.0, a);
    const double r = 1.0 / std::sqrt(a);
    return Ftz ? std::bit_cast<double>(std::bit_cast<uint64_t>(r) & ~0xffffffffull) : r;
  }
};
/// 2^a: range reduction and a polynomial in double, rounded once; below 1 ulp of the exact value.
template <bool Ftz>
struct Ex2 {
  using D = float;
  using A = float;
  static float f(float v) {
    if constexpr (Ftz) v = flush(v);
    float clamped = v < -160.f ? -160.f : v > 160.f ? 160.f : v;
    clamped = v != v ? 0.f : clamped;
    double whole = std::nearbyint(double(clamped));
    double t = (double(clamped) - whole) * 0.693147180559945309;
    double s = 1.0 / 40320;
    s = s * t + 1.0 / 5040;
    s = s * t + 1.0 / 720;
    s = s * t + 1.0 / 120;
    s = s * t + 1.0 / 24;
    s = s * t + 1.0 / 6;
    s = s * t + 0.5;
    s = s * t + 1.0;
    s = s * t + 1.0;
    double scale = std::bit_cast<double>(uint64_t(int64_t(int32_t(whole)) + 1023) << 52);
    float r = float(s * scale);
    r = v != v ? std::bit_cast<float>(0x7fffffffu) : r;
    if constexpr (Ftz) r = flush(r);
    return r;
  }
};
void lg2_lane(const Inst* p, Exec& x, uint32_t l) {
  float a = x.slot<f32a>(p->a)[l];
  if (p->flags & 4) a = flush(a);
  x.slot<f32a>(p->d)[l] = canonical(float(std::log2(double(a))));
}
void sin_lane(const Inst* p, Exec& x, uint32_t l) {
  float a = x.slot<f32a>(p->a)[l];
  if (p->flags & 4) a = flush(a);
  float r = canonical(float(std::sin(double(a))));
  x.slot<f32a>(p->d)[l] = p->flags & 4 ? flush(r) : r;
}
void cos_lane(const Inst* p, Exec& x, uint32_t l) {
  float a = x.slot<f32a>(p->a)[l];
  x.slot<f32a>(p->d)[l] = canonical(float(std::cos(double(a))));
}
void tanh_lane(const Inst* p, Exec& x, uint32_t l) {
  x.slot<f32a>(p->d)[l] = canonical(float(std::tanh(double(x.slot<f32a>(p->a)[l]))));
}

// ---- decoding -------------------------------------------------------------------------------------------
void rsqrt(Decoder& d) {
  Type t = d.type();
  uint32_t a = d.src(1, t);
  d.emit(t == Type::f64 ? (d.has("ftz") ? unary<RsqrtDouble<true>> : unary<RsqrtDouble<false>>)
         : d.has("ftz") ? unary<Rsqrt<true>>
                        : unary<Rsqrt<false>>,
         d.dst(0, t), a);
}
void ex2(Decoder& d) {
  uint32_t a = d.src(1, Type::f32);
  d.emit(d.has("ftz") ? unary<Ex2<true>> : unary<Ex2<false>>, d.dst(0, Type::f32), a);
}
template <void (*F)(const Inst*, Exec&, uint32_t)>
void approx(Decoder& d) {
  uint32_t a = d.src(1, Type::f32);
  d.emit(per_lane<F>, d.dst(0, Type::f32), a).flags = d.has("ftz") ? 4 : 0;
}

constexpr Family kApproxFamilies[] = {
    {"rsqrt", c_f32 | c_f64, rsqrt},  {"ex2", c_f32, ex2},
    {"lg2", c_f32, approx<lg2_lane>}, {"sin", c_f32, approx<sin_lane>},
    {"cos", c_f32, approx<cos_lane>}, {"tanh", c_f32, approx<tanh_lane>},
};

}  // namespace

std::span<const Family> approx_families() { return kApproxFamilies; }

}  // namespace dojo::simt
