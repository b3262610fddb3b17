// Mathematics in double precision for kernels: argument reduction and power series or fitted polynomials, written for
// this project. Most results are within 2 ulp of the exact ones; tests/programs/mathematics.cu states and checks each
// bound. Host code takes the C library's functions instead (the calls named __nv_ are the host interpreter's).
#pragma once

#define DOJO_BITS(x) __builtin_bit_cast(unsigned long long, (double)(x))
#define DOJO_DOUBLE(bits) __builtin_bit_cast(double, (unsigned long long)(bits))

/// A number as a sum of two: hi is the sum rounded.
struct __dojo_dd {
  double hi, lo;
};
DOJO_DEVICE __dojo_dd __dojo_two_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
DOJO_DEVICE double __dojo_horner(double, double c) { return c; }
/// c0 + c1 x + c2 x^2 ...
template <class... _C> DOJO_DEVICE double __dojo_horner(double x, double c0, _C... more) {
  return fma(__dojo_horner(x, more...), x, c0);
}
/// x 2^k for |k| < 2046, in two steps: the result may be subnormal or infinite.
DOJO_DEVICE double __dojo_scale(double x, int k) {
  const int half = k / 2;
  return x * DOJO_DOUBLE((unsigned long long)(half + 1023) << 52) *
         DOJO_DOUBLE((unsigned long long)(k - half + 1023) << 52);
}
/// e^r - 1 - r for |r| <= 0.35: the power series.
DOJO_DEVICE double __dojo_exp_tail(double r) {
  return r * r * __dojo_horner(r, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,
                               1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800.0);
}
/// e^(hi + lo): hi = k ln 2 + r.
DOJO_DEVICE double __dojo_exp(double hi, double lo) {
  if (hi != hi) return hi;
  if (hi > 709.9) return __builtin_huge_val();
  if (hi < -745.2) return 0.0;
  const double k = rint(hi * 1.4426950408889634);
  const double r = fma(-k, 0x1.9ef35793c7673p-41, fma(-k, 0x1.62e42fefa2000p-1, hi)) + lo;
  return __dojo_scale(1.0 + (r + __dojo_exp_tail(r)), int(k));
}
/// x = m 2^e with m from sqrt(1/2) to sqrt(2). For positive finite x; subnormal ones are scaled first.
DOJO_DEVICE double __dojo_mantissa(double x, int* e) {
  int shift = 0;
  if (x < 0x1p-1022) x *= 0x1p54, shift = -54;
  const unsigned long long bits = DOJO_BITS(x) + (0x3ff0000000000000ull - 0x3fe6a09e667f3bcdull);
  *e = int(bits >> 52) - 1023 + shift;
  return DOJO_DOUBLE((bits & 0xfffffffffffffull) + 0x3fe6a09e667f3bcdull);
}
/// log(m) for such an m: with f = m - 1 and s = f / (2 + f) it is 2 artanh(s) = f - (f^2/2 - s (f^2/2 + R(s^2))).
DOJO_DEVICE __dojo_dd __dojo_log_mantissa(double m) {
  const double f = m - 1.0, s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
  const double r = z * __dojo_horner(z, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17,
                                     2.0 / 19, 2.0 / 21, 2.0 / 23);
  const double hi = f - half;  // the rest is what this rounding lost, and the series
  return {hi, ((f - hi) - half) + s * (half + r)};
}
DOJO_DEVICE bool __dojo_log_special(double x, double* result) {
  if (x > 0 && x < __builtin_huge_val()) return false;
  *result = x == 0 ? -__builtin_huge_val() : x > 0 ? x : __builtin_nan("");
  return true;
}
/// log(x), x > 0 and finite, with about 65 bits: the two largest terms of the series are sums of two.
DOJO_DEVICE __dojo_dd __dojo_log_exact(double x) {
  int e;
  const double f = __dojo_mantissa(x, &e) - 1.0, d = 2.0 + f, d_lo = f - (d - 2.0);
  const double s = f / d, s_lo = (fma(-s, d, f) - s * d_lo) / d;
  const double z = s * s, z_lo = fma(s, s, -z) + 2.0 * s * s_lo;
  const double p = s * z, p_lo = fma(s, z, -p) + s * z_lo + s_lo * z;  // s^3
  const double c = 2.0 / 3, c_lo = 0x1.5555555555555p-55;
  const double q = p * c, q_lo = fma(p, c, -q) + p * c_lo + p_lo * c;
  const double rest = p * z * __dojo_horner(z, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17,
                                            2.0 / 19, 2.0 / 21, 2.0 / 23);
  const double k = e * 0x1.62e42fefa2000p-1;  // exact: 40 bits times 11
  __dojo_dd a = __dojo_two_sum(k, 2.0 * s), b = __dojo_two_sum(a.hi, q);
  const double lo = b.lo + a.lo + (2.0 * s_lo + q_lo + rest + e * 0x1.9ef35793c7673p-41);
  return __dojo_two_sum(b.hi, lo);
}
static __device__ const unsigned long long __dojo_two_over_pi[19] = {
    0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull, 0xb7246e3a424dd2e0ull,
    0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull, 0xe99c7026b45f7e41ull, 0x3991d639835339f4ull,
    0x9c845f8bbdf9283bull, 0x1ff897ffde05980full, 0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull,
    0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull};
/// For |x| >= 2^30: the mantissa times the 192 bits of 2/pi that decide about quadrant and fraction.
static inline __device__ __dojo_dd __dojo_reduce_large(double x, int* quadrant) {
  const unsigned long long bits = DOJO_BITS(x), m = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
  const int e = int(bits >> 52 & 0x7ff) - 1075;  // |x| = m 2^e
  // Bits of 2/pi with weights of more than 2^(2 - e) give multiples of 4 quadrants only.
  const int first = e > 2 ? e - 2 : 0, word = first / 64, shift = first % 64;
  unsigned long long w[3];
  for (int i = 0; i < 3; ++i) {
    const unsigned long long a = word + i < 19 ? __dojo_two_over_pi[word + i] : 0;
    const unsigned long long b = word + i + 1 < 19 ? __dojo_two_over_pi[word + i + 1] : 0;
    w[i] = shift ? a << shift | b >> (64 - shift) : a;
  }
  // m w, of which 192 bits count, or up to 24 more where e < 2.
  const unsigned long long h2 = __umul64hi(m, w[2]), h1 = __umul64hi(m, w[1]), l1 = m * w[1], l0 = m * w[0];
  unsigned long long p1 = l1 + h2, p0 = l0 + h1 + (p1 < h2), top = __umul64hi(m, w[0]) + (p0 < l0);
  const int down = 2 - (e - first);  // the two bits above the fraction are the quadrant
  if (down > 0) p1 = p1 >> down | p0 << (64 - down), p0 = p0 >> down | top << (64 - down);
  *quadrant = int(p0 >> 62);
  p0 = p0 << 2 | p1 >> 62;
  p1 <<= 2;
  bool negative = false;
  if (p0 >> 63) {  // more than half a quadrant: from the next one
    *quadrant += 1;
    negative = true;
    p1 = 0 - p1;
    p0 = ~p0 + (p1 == 0);
  }
  const double hi = double(p0 >> 11) * 0x1p-53, lo = (double(p0 & 0x7ff) + double(p1) * 0x1p-64) * 0x1p-64;
  const double r = hi * 0x1.921fb54442d18p+0;
  __dojo_dd v = {r, fma(hi, 0x1.921fb54442d18p+0, -r) + hi * 0x1.1a62633145c07p-54 + lo * 0x1.921fb54442d18p+0};
  v = __dojo_two_sum(v.hi, v.lo);
  if (negative) v.hi = -v.hi, v.lo = -v.lo;
  if (x < 0) v.hi = -v.hi, v.lo = -v.lo, *quadrant = -*quadrant;
  return v;
}
/// x minus the nearest multiple of pi/2, as a sum of two; `quadrant`: which multiple, modulo 4.
DOJO_DEVICE __dojo_dd __dojo_reduce(double x, int* quadrant) {
  if (fabs(x) >= 0x1p30) return __dojo_reduce_large(x, quadrant);
  const double k = rint(x * 0.63661977236758134);
  *quadrant = int(k);
  const double a = fma(-k, 0x1.921fb54442d18p+0, x);  // exact
  const double b = fma(-k, 0x1.1a62633145c07p-54, a);
  return {b, fma(-k, 0x1.1a62633145c07p-54, a - b) - k * -0x1.f1976b7ed8fbcp-110};
}
DOJO_DEVICE double __dojo_sin_part(double r, double lo) {
  const double z = r * r;
  const double p = __dojo_horner(z, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
                                 1.0 / 6227020800.0, -1.0 / 1307674368000.0, 1.0 / 355687428096000.0);
  return r + (r * z * p + lo * (1.0 - 0.5 * z));
}
DOJO_DEVICE double __dojo_cos_part(double r, double lo) {
  const double z = r * r, half = 0.5 * z, w = 1.0 - half;
  const double p = __dojo_horner(z, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600,
                                 -1.0 / 87178291200.0, 1.0 / 20922789888000.0);
  return w + (((1.0 - w) - half) + (z * z * p - r * lo));
}
DOJO_DEVICE double __dojo_sin_quadrant(__dojo_dd r, int quadrant) {
  const double v = quadrant & 1 ? __dojo_cos_part(r.hi, r.lo) : __dojo_sin_part(r.hi, r.lo);
  return quadrant & 2 ? -v : v;
}
/// atan(hi + lo) for 0 <= hi: about 0, pi/8, pi/4, or pi/2 minus that of 1/x.
DOJO_DEVICE double __dojo_atan(double x) {
  const bool inverse = x > 1.0;
  const double y = inverse ? 1.0 / x : x;
  const double y_lo = inverse && x < 0x1p1000 ? fma(-y, x, 1.0) * y : 0.0;
  double base = 0, base_lo = 0, centre = 0, centre_lo = 0;
  if (y > 0.66817863791929892)  // tan(3 pi/16)
    base = 0x1.921fb54442d18p-1, base_lo = 0x1.1a62633145c07p-55, centre = 1;
  else if (y > 0.19891236737965801)  // tan(pi/16)
    base = 0x1.921fb54442d18p-2, base_lo = 0x1.1a62633145c07p-56, centre = 0x1.a827999fcef32p-2,
    centre_lo = 0x1.08b2fb1366ea9p-56;
  const double over = y - centre, under = fma(y, centre, 1.0), t = over / under;
  // The quotient's own rest, which matters where the base is 0 or small.
  const double t_lo = (fma(-t, under, over) + (y_lo - centre_lo)) / under;
  const double z = t * t;
  const double p = __dojo_horner(z, -1.0 / 3, 0.2, -0.142857142857140107, 0.11111111111021982, -0.0909090907622640284,
                                 0.0769230630113164568, -0.0666658625236709775, 0.0587946572452544735,
                                 -0.0520006580503100906, 0.0398507284227678222);
  const double small = fma(t * z, p, t_lo + base_lo);
  if (!inverse) return base + (t + small);
  const __dojo_dd a = __dojo_two_sum(base, t);
  const __dojo_dd b = __dojo_two_sum(0x1.921fb54442d18p+0, -a.hi);
  return b.hi + (b.lo - a.lo - small + 0x1.1a62633145c07p-54);
}
/// erfc(x) for x >= 0.4: exp(-x^2) / (1 + 2x) times a polynomial in (x - 4) / (x + 4).
DOJO_DEVICE double __dojo_erfc(double x) {
  if (x > 27.3) return 0.0;
  const double t = (x - 4.0) / (x + 4.0);
  const double p = __dojo_horner(
      t, 1.23299511862555251, -0.139621116840562505, 0.0153796521026200272, 0.0680970542546914728,
      -0.101039066036323957, 0.0937328349984002142, -0.0663303658116829613, 0.0371675155365434065,
      -0.0161977340653625985, 0.00503196998721357043, -0.000757773225598015392, -0.000199256746718322664,
      0.000150621347263637008, -0.0000243990397480037278, -0.0000112209260904782054, 5.70939030718955806e-6,
      2.9140787883583562e-7, -8.25081225781878479e-7, 7.7963926983238332e-8, 1.10000778234470731e-7,
      -2.07039598286687273e-8, -1.43111279291921966e-8, 3.06695020853423604e-9, 1.40128479611580569e-9,
      -1.95625530096801317e-10);
  const double square = x * x, rest = fma(x, x, -square);
  return __dojo_exp(-square, -rest) * (p / fma(2.0, x, 1.0));
}
DOJO_DEVICE double __dojo_erf_small(double x) {
  return x * __dojo_horner(x * x, 1.12837916709551257, -0.376126389031837524, 0.112837916709551202,
                           -0.0268661706451298408, 0.00522397762542329831, -0.00085483270219348296,
                           0.000120553329028887354, -0.0000149256475675193321, 1.64620454414684189e-6,
                           -1.63646421581676153e-7, 1.4792401209404813e-8, -1.21645600572834501e-9,
                           8.70904512905310669e-11, -4.23094582429533782e-12);
}

#ifndef DOJO_HOST_PASS  // kernels
#define DOJO_MATH1(name) DOJO_DEVICE double name(double x)
#define DOJO_MATH2(name) DOJO_DEVICE double name(double x, double y)
#include "dojo_math_kernels.hpp"
#undef DOJO_MATH1
#undef DOJO_MATH2
#else
#define DOJO_CALL1(name)                            \
  extern "C" __device__ double __nv_##name(double); \
  DOJO_DEVICE double name(double x) { return __nv_##name(x); }
#define DOJO_CALL2(name)                                    \
  extern "C" __device__ double __nv_##name(double, double); \
  DOJO_DEVICE double name(double x, double y) { return __nv_##name(x, y); }
DOJO_CALL1(sin) DOJO_CALL1(cos) DOJO_CALL1(tan) DOJO_CALL1(asin) DOJO_CALL1(acos) DOJO_CALL1(atan) DOJO_CALL1(sinh)
DOJO_CALL1(cosh) DOJO_CALL1(tanh) DOJO_CALL1(exp) DOJO_CALL1(exp2) DOJO_CALL1(exp10) DOJO_CALL1(expm1) DOJO_CALL1(log)
DOJO_CALL1(log2) DOJO_CALL1(log10) DOJO_CALL1(log1p) DOJO_CALL1(cbrt) DOJO_CALL1(erf) DOJO_CALL1(erfc)
DOJO_CALL2(pow) DOJO_CALL2(atan2) DOJO_CALL2(fmod) DOJO_CALL2(hypot) DOJO_CALL2(remainder)
DOJO_DEVICE void sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
#undef DOJO_CALL1
#undef DOJO_CALL2
#endif
extern "C" __device__ double __nv_lgamma(double);
extern "C" __device__ double __nv_tgamma(double);
DOJO_DEVICE double lgamma(double x) { return __nv_lgamma(x); }
DOJO_DEVICE double tgamma(double x) { return __nv_tgamma(x); }
