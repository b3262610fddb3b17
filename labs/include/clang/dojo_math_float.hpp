// Mathematics in single precision for kernels, within the bounds of the CUDA C++ Programming Guide's table: argument
// reduction and fitted polynomials, written for this project. tests/programs/mathematics.cu states and checks each bound.
#pragma once

DOJO_DEVICE float __dojo_hornerf(float, float c) { return c; }
template <class... _C> DOJO_DEVICE float __dojo_hornerf(float x, float c0, _C... more) {
  return fmaf(__dojo_hornerf(x, more...), x, c0);
}
struct __dojo_ff {
  float hi, lo;
};
DOJO_DEVICE __dojo_ff __dojo_two_sumf(float a, float b) {
  const float s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
/// x 2^k for |k| < 254.
DOJO_DEVICE float __dojo_scalef(float x, int k) {
  const int half = k / 2;
  return x * __int_as_float((half + 127) << 23) * __int_as_float((k - half + 127) << 23);
}
/// e^r - 1 - r for |r| <= 0.35.
DOJO_DEVICE float __dojo_exp_tailf(float r) {
  return r * r * __dojo_hornerf(r, 1.0f / 2, 1.0f / 6, 1.0f / 24, 1.0f / 120, 1.0f / 720, 1.0f / 5040);
}
DOJO_DEVICE float __dojo_expf(float hi, float lo) {
  if (hi != hi) return hi;
  if (hi > 88.8f) return INFINITY;
  if (hi < -104.0f) return 0.0f;
  const float k = rintf(hi * 1.44269502f);
  const float r = fmaf(-k, 1.42860677e-6f, fmaf(-k, 0.693145752f, hi)) + lo;
  return __dojo_scalef(1.0f + (r + __dojo_exp_tailf(r)), int(k));
}
/// x = m 2^e with m from 2/3 to 4/3, for positive finite x.
DOJO_DEVICE float __dojo_mantissaf(float x, int* e) {
  int shift = 0;
  if (x < 1.17549435e-38f) x *= 8388608.0f, shift = -23;
  const int bits = __float_as_int(x), over = (bits - 0x3f2aaaab) & int(0xff800000);
  *e = (over >> 23) + shift;
  return __int_as_float(bits - over);
}
/// log(1 + f) - f for |f| <= 1/3.
DOJO_DEVICE float __dojo_log_tailf(float f) {
  const float q = __dojo_hornerf(f, 0.3333333333f, -0.2499994419f, 0.1999994835f, -0.1667331625f, 0.1429186718f,
                                 -0.1228872161f, 0.1091565479f, -0.1242220058f, 0.1133061739f);
  return f * f * fmaf(f, q, -0.5f);
}
DOJO_DEVICE bool __dojo_log_specialf(float x, float* result) {
  if (x > 0 && x < INFINITY) return false;
  *result = x == 0 ? -INFINITY : x > 0 ? x : NAN;
  return true;
}
#ifndef DOJO_HOST_PASS  // kernels
DOJO_DEVICE float logf(float x) {
  float special;
  if (__dojo_log_specialf(x, &special)) return special;
  int e;
  const float f = __dojo_mantissaf(x, &e) - 1.0f;
  return fmaf(float(e), 0.693145752f, f + fmaf(float(e), 1.42860677e-6f, __dojo_log_tailf(f)));
}
/// log(x) / ln(base): `one` is 1 / ln(base) as a sum of two, `per` the logarithm of 2.
DOJO_DEVICE float __dojo_log_basef(float x, float one, float one_lo, float per, float per_lo) {
  float special;
  if (__dojo_log_specialf(x, &special)) return special;
  int e;
  const float f = __dojo_mantissaf(x, &e) - 1.0f, a = f * one;
  const float lo = fmaf(f, one, -a) + fmaf(__dojo_log_tailf(f), one, f * one_lo);
  const __dojo_ff s = __dojo_two_sumf(float(e) * per, a);
  return s.hi + (s.lo + fmaf(float(e), per_lo, lo));
}
DOJO_DEVICE float log2f(float x) { return __dojo_log_basef(x, 1.44269502f, 1.92596303e-8f, 1.0f, 0.0f); }
DOJO_DEVICE float log10f(float x) {
  return __dojo_log_basef(x, 0.434294492f, -1.010305e-8f, 0x1.344p-2f, 0x1.3509f8p-18f);
}
DOJO_DEVICE float log1pf(float x) {
  if (!(x < 16777216.0f)) return logf(x);
  const float u = 1.0f + x;
  return x <= -1.0f ? logf(u) : logf(u) + (x - (u - 1.0f)) / u;
}
DOJO_DEVICE float expm1f(float x) {
  if (!(x < 80.0f)) return __dojo_expf(x, 0.0f);
  if (x < -20.0f) return -1.0f;
  const float k = rintf(x * 1.44269502f);
  const float hi = fmaf(-k, 0.693145752f, x), lo = k * -1.42860677e-6f, r = hi + lo;
  const float p = r + ((lo - (r - hi)) + __dojo_exp_tailf(r)), two_k = __dojo_scalef(1.0f, int(k));
  return k == 0 ? p : fmaf(two_k, p, two_k - 1.0f);
}
DOJO_DEVICE float exp10f(float x) {
  if (!(fabsf(x) < 60.0f)) return x != x ? x : x > 0 ? INFINITY : 0.0f;
  const float k = rintf(x * 3.32192802f);
  const float f = fmaf(-k, 0x1.3509f8p-18f, fmaf(-k, 0x1.344p-2f, x)), r = f * 2.30258512f;
  const float lo = fmaf(f, 2.30258512f, -r) + f * -3.19754356e-8f;
  return __dojo_scalef(1.0f + (r + (__dojo_exp_tailf(r) + lo)), int(k));
}
/// x minus the nearest multiple of pi/2; `quadrant`: which one, modulo 4.
DOJO_DEVICE float __dojo_reducef(float x, int* quadrant) {
  if (fabsf(x) > 48039.0f) {
    const __dojo_dd r = __dojo_reduce(double(x), quadrant);
    return float(r.hi);
  }
  const float k = rintf(x * 0.636619747f);
  *quadrant = int(k);
  return fmaf(-k, -1.71512451e-15f, fmaf(-k, -4.37113883e-8f, fmaf(-k, 1.57079637f, x)));
}
DOJO_DEVICE float __dojo_sin_partf(float r) {
  const float z = r * r;
  return fmaf(r * z, __dojo_hornerf(z, -0.1666666466f, 0.008332748271f, -0.0001958789088f), r);
}
DOJO_DEVICE float __dojo_cos_partf(float r) {
  const float z = r * r;
  return fmaf(z * z, __dojo_hornerf(z, 0.04166666466f, -0.001388830304f, 2.454794209e-5f), fmaf(z, -0.5f, 1.0f));
}
DOJO_DEVICE float __dojo_sin_quadrantf(float r, int quadrant) {
  const float v = quadrant & 1 ? __dojo_cos_partf(r) : __dojo_sin_partf(r);
  return quadrant & 2 ? -v : v;
}
DOJO_DEVICE float sinf(float x) {
  if (!(fabsf(x) < INFINITY)) return NAN;
  int q;
  const float r = __dojo_reducef(x, &q);
  return x == 0 ? x : __dojo_sin_quadrantf(r, q);
}
DOJO_DEVICE float cosf(float x) {
  if (!(fabsf(x) < INFINITY)) return NAN;
  int q;
  const float r = __dojo_reducef(x, &q);
  return __dojo_sin_quadrantf(r, q + 1);
}
DOJO_DEVICE void sincosf(float x, float* s, float* c) {
  int q = 0;
  const float r = fabsf(x) < INFINITY ? __dojo_reducef(x, &q) : NAN;
  *s = x == 0 ? x : __dojo_sin_quadrantf(r, q);
  *c = __dojo_sin_quadrantf(r, q + 1);
}
DOJO_DEVICE float tanf(float x) {
  if (!(fabsf(x) < INFINITY)) return NAN;
  int q;
  const float r = __dojo_reducef(x, &q), s = __dojo_sin_partf(r), c = __dojo_cos_partf(r);
  return x == 0 ? x : q & 1 ? -c / s : s / c;
}
/// sin(pi x): the quadrant is exact.
DOJO_DEVICE float sinpif(float x) {
  if (!(fabsf(x) < INFINITY)) return NAN;
  const float y = fabsf(x) < 8388608.0f ? x - 2.0f * rintf(0.5f * x) : 0.0f, k = rintf(2.0f * y);
  return __dojo_sin_quadrantf(fmaf(k, -0.5f, y) * 3.14159274f, int(k));
}
DOJO_DEVICE float cospif(float x) {
  if (!(fabsf(x) < INFINITY)) return NAN;
  const float y = fabsf(x) < 16777216.0f ? x - 2.0f * rintf(0.5f * x) : 0.0f, k = rintf(2.0f * y);
  return __dojo_sin_quadrantf(fmaf(k, -0.5f, y) * 3.14159274f, int(k) + 1);
}
/// atan(x) for x >= 0.
DOJO_DEVICE float __dojo_atanf(float x) {
  const float y = x > 1.0f ? 1.0f / x : x, z = y * y;
  const float p = __dojo_hornerf(z, -0.333333231f, 0.1999868117f, -0.1425704493f, 0.1086575908f, -0.08009681717f,
                                 0.04891432154f, -0.02002674764f, 0.003866738914f);
  const float r = fmaf(y * z, p, y);
  return x > 1.0f ? 1.57079637f - (r + 4.37113883e-8f) : r;
}
DOJO_DEVICE float atanf(float x) { return x != x ? x : copysignf(__dojo_atanf(fabsf(x)), x); }
DOJO_DEVICE float atan2f(float y, float x) {
  if (x != x || y != y) return x + y;
  const float a = fabsf(y), b = fabsf(x);
  float r = a == 0 ? 0.0f : a == b ? 0.785398185f : __dojo_atanf(a / b);
  if (signbit(x)) r = 3.14159274f - (r + 8.74227766e-8f);
  return copysignf(r, y);
}
DOJO_DEVICE float __dojo_asin_tailf(float z) {
  return z * __dojo_hornerf(z, 0.1666667241f, 0.07498855073f, 0.04500138007f, 0.02655454221f, 0.03808502356f);
}
DOJO_DEVICE float asinf(float x) {
  const float a = fabsf(x);
  if (!(a <= 1.0f)) return NAN;
  if (a <= 0.5f) return fmaf(x, __dojo_asin_tailf(x * x), x);
  const float z = 0.5f * (1.0f - a), s = sqrtf(z);
  return copysignf(1.57079637f - (fmaf(2.0f * s, __dojo_asin_tailf(z), 2.0f * s) + 4.37113883e-8f), x);
}
DOJO_DEVICE float acosf(float x) {
  const float a = fabsf(x);
  if (!(a <= 1.0f)) return NAN;
  if (a <= 0.5f) return 1.57079637f - (fmaf(x, __dojo_asin_tailf(x * x), x) + 4.37113883e-8f);
  const float z = 0.5f * (1.0f - a), s = sqrtf(z), h = 2.0f * fmaf(s, __dojo_asin_tailf(z), s);
  return x > 0 ? h : 3.14159274f - (h + 8.74227766e-8f);
}
DOJO_DEVICE float sinhf(float x) {
  const float a = fabsf(x), z = x * x;
  if (a < 1.0f) return fmaf(x * z, __dojo_hornerf(z, 0.1666666665f, 0.008333339676f, 0.0001983810197f, 2.806280258e-6f), x);
  if (a > 88.0f) {
    const float h = __dojo_expf(0.5f * a, 0.0f);
    return copysignf(0.5f * h * h, x);
  }
  const float e = __dojo_expf(a, 0.0f);
  return copysignf(0.5f * e - 0.5f / e, x);
}
DOJO_DEVICE float coshf(float x) {
  const float a = fabsf(x);
  if (a > 88.0f) {
    const float h = __dojo_expf(0.5f * a, 0.0f);
    return 0.5f * h * h;
  }
  const float e = __dojo_expf(a, 0.0f);
  return 0.5f * e + 0.5f / e;
}
DOJO_DEVICE float tanhf(float x) {
  const float a = fabsf(x), z = x * x;
  if (a < 0.6f)
    return fmaf(x * z, __dojo_hornerf(z, -0.3333333033f, 0.1333291537f, -0.05387394885f, 0.02111095905f, -0.00626911972f), x);
  return x != x ? x : copysignf(1.0f - 2.0f / (expf(2.0f * a) + 1.0f), x);
}
DOJO_DEVICE float cbrtf(float x) {
  const float a = fabsf(x);
  if (a == 0 || !(a < INFINITY)) return x + x;
  int e, scale = 0;
  const float m = __dojo_mantissaf(a, &e);
  while (e % 3 != 0) --e, ++scale;
  const float v = scale == 0 ? m : scale == 1 ? 2.0f * m : 4.0f * m;
  float t = 0.63f + 0.4f * v - 0.035f * v * v;
  for (int i = 0; i < 2; ++i) t -= (t * t * t - v) / (3.0f * t * t);
  const float s = t * t, c = fmaf(s, t, -v) + fmaf(t, t, -s) * t;
  return copysignf(__dojo_scalef(t - c / (3.0f * s), e / 3), x);
}
DOJO_DEVICE float hypotf(float x, float y) {
  const float a = fmaxf(fabsf(x), fabsf(y)), b = fminf(fabsf(x), fabsf(y));
  if (a == INFINITY) return a;
  if (x != x || y != y) return x + y;
  const float t = a == 0 ? 0.0f : b / a;
  return a * sqrtf(fmaf(t, t, 1.0f));
}
DOJO_DEVICE float fmodf(float x, float y) {
  float a = fabsf(x);
  const float b = fabsf(y);
  if (!(a < INFINITY) || !(b > 0)) return NAN;
  while (a >= b && b < INFINITY) {
    int of_a, of_b;
    __dojo_mantissaf(a, &of_a), __dojo_mantissaf(b, &of_b);
    const float c = of_a - of_b > 21 ? __dojo_scalef(b, of_a - of_b - 21) : b;
    a = fmaf(-truncf(a / c), c, a);
    if (a < 0) a += c;
    if (a >= c) a -= c;
  }
  return copysignf(a, x);
}
DOJO_DEVICE float powf(float x, float y) {
  if (y == 0 || x == 1.0f) return 1.0f;
  if (x != x || y != y) return x + y;
  const float a = fabsf(x);
  const bool whole = truncf(y) == y, odd = whole && fabsf(y) < 16777216.0f && truncf(y * 0.5f) != y * 0.5f;
  const float sign = odd && signbit(x) ? -1.0f : 1.0f;
  if (fabsf(y) == INFINITY) return a == 1.0f ? 1.0f : (a > 1.0f) == (y > 0) ? INFINITY : 0.0f;
  if (a == 0 || a == INFINITY) return (a == 0) == (y > 0) ? sign * 0.0f : sign * INFINITY;
  if (x < 0 && !whole) return NAN;
  int e;  // log(a) as in __dojo_log_exact
  const float f = __dojo_mantissaf(a, &e) - 1.0f, d = 2.0f + f, d_lo = f - (d - 2.0f);
  const float s = f / d, s_lo = (fmaf(-s, d, f) - s * d_lo) / d, z = s * s, z_lo = fmaf(s, s, -z) + 2.0f * s * s_lo;
  const float p = s * z, p_lo = fmaf(s, z, -p) + s * z_lo + s_lo * z, q = p * 0.666666687f;
  const float q_lo = fmaf(p, 0.666666687f, -q) + p * -1.98682155e-8f + p_lo * 0.666666687f;
  const float rest = p * z * __dojo_hornerf(z, 2.0f / 5, 2.0f / 7, 2.0f / 9, 2.0f / 11, 2.0f / 13);
  const __dojo_ff t = __dojo_two_sumf(float(e) * 0.693145752f, 2.0f * s), u = __dojo_two_sumf(t.hi, q);
  const __dojo_ff l = __dojo_two_sumf(u.hi, u.lo + t.lo + (2.0f * s_lo + q_lo + rest + float(e) * 1.42860677e-6f));
  const float n = y * l.hi;
  if (fabsf(n) > 110.0f) return n > 0 ? sign * INFINITY : sign * 0.0f;
  return sign * __dojo_expf(n, fmaf(y, l.hi, -n) + y * l.lo);
}
DOJO_DEVICE float erff(float x) {
  const float a = fabsf(x);
  if (a < 1.0f)
    return x * __dojo_hornerf(x * x, 1.128379166f, -0.3761262667f, 0.1128359472f, -0.02685421201f, 0.005189087423f,
                              -0.0008016864287f, 7.875875063e-5f);
  if (!(a < 4.0f)) return x != x ? x : copysignf(1.0f, x);
  const float p = __dojo_hornerf(a, -0.0003201380497f, 1.130233435f, 0.6318260516f, 0.1100800829f, -0.02642113601f,
                                 0.004759596293f, -0.0005968056257f, 4.605804269e-5f, -1.637151415e-6f);
  return copysignf(1.0f - expf(-p), x);
}
DOJO_DEVICE float erfcf(float x) {
  const float a = fabsf(x);
  if (a < 0.5f || x != x) return 1.0f - erff(x);
  if (a > 10.1f) return x > 0 ? 0.0f : 2.0f;
  const float t = (a - 4.0f) / (a + 4.0f), square = a * a, rest = fmaf(a, a, -square);
  const float p = __dojo_hornerf(t, 1.232995118f, -0.1396210728f, 0.01537980845f, 0.06809468552f, -0.1010440835f,
                                 0.09376663893f, -0.06626533708f, 0.03699385612f, -0.01656394298f, 0.005283062637f,
                                 2.602518052e-6f);
  const float c = __dojo_expf(-square, -rest) * (p / fmaf(2.0f, a, 1.0f));
  return x > 0 ? c : 2.0f - c;
}
#else  // host code: the C library's result, rounded
#define DOJO_CALL1(name) \
  DOJO_DEVICE float name##f(float x) { return float(name(double(x))); }
#define DOJO_CALL2(name) \
  DOJO_DEVICE float name##f(float x, float y) { return float(name(double(x), double(y))); }
DOJO_CALL1(log) DOJO_CALL1(log2) DOJO_CALL1(log10) DOJO_CALL1(log1p) DOJO_CALL1(expm1) DOJO_CALL1(exp10)
DOJO_CALL1(sin) DOJO_CALL1(cos) DOJO_CALL1(tan) DOJO_CALL1(atan) DOJO_CALL1(asin) DOJO_CALL1(acos)
DOJO_CALL1(sinh) DOJO_CALL1(cosh) DOJO_CALL1(tanh) DOJO_CALL1(cbrt) DOJO_CALL1(erf) DOJO_CALL1(erfc)
DOJO_CALL2(atan2) DOJO_CALL2(hypot) DOJO_CALL2(fmod) DOJO_CALL2(pow)
#undef DOJO_CALL1
#undef DOJO_CALL2
DOJO_DEVICE void sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
DOJO_DEVICE float sinpif(float x) { return float(sin(3.14159265358979312 * fmod(double(x), 2.0))); }
DOJO_DEVICE float cospif(float x) { return float(cos(3.14159265358979312 * fmod(double(x), 2.0))); }
#endif
DOJO_DEVICE float ldexpf(float x, int e) {
  const int k = __dojo_clamp(e, 300), first = __dojo_clamp(k, 150);
  return k == first ? __dojo_scalef(x, k) : __dojo_scalef(__dojo_scalef(x, first), k - first);
}
