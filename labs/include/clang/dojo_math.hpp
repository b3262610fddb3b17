// CUDA's mathematics: what PTX has as instructions, the __ intrinsics on PTX's approximate ones, C++'s overloads, min and
// max. Functions that take a computation are in dojo_math_float.hpp and dojo_math_double.hpp.
#pragma once

#define DOJO_UNARY(name, asm_text)           \
  DOJO_DEVICE float name(float x) {          \
    float r;                                 \
    asm(asm_text : "=f"(r) : "f"(x));        \
    return r;                                \
  }
DOJO_UNARY(__dojo_ex2, "ex2.approx.ftz.f32 %0, %1;")
DOJO_UNARY(__dojo_lg2, "lg2.approx.f32 %0, %1;")
DOJO_UNARY(__dojo_lg2_ftz, "lg2.approx.ftz.f32 %0, %1;")
DOJO_UNARY(__sinf, "sin.approx.f32 %0, %1;")
DOJO_UNARY(__cosf, "cos.approx.f32 %0, %1;")
DOJO_UNARY(__tanhf, "tanh.approx.f32 %0, %1;")
DOJO_UNARY(sqrtf, "sqrt.rn.f32 %0, %1;")
DOJO_UNARY(rsqrtf, "rsqrt.approx.f32 %0, %1;")
DOJO_UNARY(__frsqrt_rn, "rsqrt.approx.f32 %0, %1;")
DOJO_UNARY(__frcp_rn, "rcp.rn.f32 %0, %1;")
DOJO_UNARY(__fsqrt_rn, "sqrt.rn.f32 %0, %1;")
DOJO_UNARY(floorf, "cvt.rmi.f32.f32 %0, %1;")
DOJO_UNARY(ceilf, "cvt.rpi.f32.f32 %0, %1;")
DOJO_UNARY(truncf, "cvt.rzi.f32.f32 %0, %1;")
DOJO_UNARY(rintf, "cvt.rni.f32.f32 %0, %1;")
DOJO_UNARY(nearbyintf, "cvt.rni.f32.f32 %0, %1;")
DOJO_DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
DOJO_DEVICE float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
DOJO_DEVICE float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
DOJO_DEVICE float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
DOJO_DEVICE float copysignf(float a, float b) { return __builtin_copysignf(a, b); }
DOJO_DEVICE float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
DOJO_DEVICE float __fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
DOJO_DEVICE float __fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
DOJO_DEVICE float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
DOJO_DEVICE float __saturatef(float x) { return __nvvm_saturate_f(x); }
DOJO_DEVICE float __fdividef(float a, float b) {
  float r;
  asm("div.approx.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
/// e^x = 2^(x log2 e): the rounding of the product is the error that the guide states.
DOJO_DEVICE float __expf(float x) {
  float r;
  asm("{\n\t.reg .f32 t;\n\tmul.f32 t, %1, 0f3FB8AA3B;\n\tex2.approx.f32 %0, t;\n\t}" : "=f"(r) : "f"(x));
  return r;
}
DOJO_DEVICE float __exp10f(float x) { return __dojo_ex2(x * 3.32192809488736f); }
DOJO_DEVICE float __log2f(float x) { return __dojo_lg2(x); }
DOJO_DEVICE float __logf(float x) { return __dojo_lg2(x) * 0.693147180559945f; }
DOJO_DEVICE float __log10f(float x) { return __dojo_lg2(x) * 0.301029995663981f; }
DOJO_DEVICE float __powf(float x, float y) { return __dojo_ex2(y * __dojo_lg2(x)); }
DOJO_DEVICE float exp2f(float x) {
  float r;
  asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
/// x = n ln 2 + f with |f| <= ln 2 / 2, ln 2 in two parts so that f is exact; e^x = 2^n e^f.
DOJO_DEVICE float expf(float x) {
  const float clamped = fminf(fmaxf(x, -126.0f), 126.0f) ;
  const float n = rintf((x > 88.8f || x < -104.0f ? clamped : x) * 1.44269504f);
  float f = fmaf(n, -0.693145752f, x);
  f = fmaf(n, -1.42860677e-6f, f);
  const float half_n = truncf(n * 0.5f);
  const float scaled = __dojo_ex2(f * 1.44269504f) * __dojo_ex2(half_n) * __dojo_ex2(n - half_n);
  return x > 88.8f ? INFINITY : x < -104.0f ? 0.0f : scaled;
}
DOJO_DEVICE float roundf(float x) { return truncf(x + copysignf(0.49999997f, x)); }
DOJO_DEVICE void __sincosf(float x, float* s, float* c) { *s = __sinf(x), *c = __cosf(x); }
DOJO_DEVICE float __tanf(float x) { return __sinf(x) / __cosf(x); }
DOJO_DEVICE float fdividef(float a, float b) { return a / b; }
DOJO_DEVICE float fdimf(float a, float b) { return a > b ? a - b : 0.0f; }

// Doubles: what PTX has as instructions.
DOJO_DEVICE double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
DOJO_DEVICE double fabs(double x) { return __builtin_fabs(x); }
DOJO_DEVICE double fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
DOJO_DEVICE double fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
DOJO_DEVICE double fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
DOJO_DEVICE double floor(double x) { return __nvvm_floor_d(x); }
DOJO_DEVICE double ceil(double x) { return __nvvm_ceil_d(x); }
DOJO_DEVICE double trunc(double x) { return __nvvm_trunc_d(x); }
DOJO_DEVICE double rint(double x) { return __nvvm_round_d(x); }
DOJO_DEVICE double nearbyint(double x) { return __nvvm_round_d(x); }
DOJO_DEVICE double round(double x) { return trunc(x + __builtin_copysign(0.49999999999999994, x)); }
DOJO_DEVICE double copysign(double a, double b) { return __builtin_copysign(a, b); }
DOJO_DEVICE double rsqrt(double x) { return 1.0 / sqrt(x); }
DOJO_DEVICE double __fma_rn(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
DOJO_DEVICE double __dadd_rn(double a, double b) { return __nvvm_add_rn_d(a, b); }
DOJO_DEVICE double __dmul_rn(double a, double b) { return __nvvm_mul_rn_d(a, b); }
DOJO_DEVICE double __ddiv_rn(double a, double b) { return __nvvm_div_rn_d(a, b); }
DOJO_DEVICE int abs(int x) { return x < 0 ? -x : x; }
DOJO_DEVICE int __dojo_clamp(int v, int most) { return v < -most ? -most : v > most ? most : v; }
DOJO_DEVICE bool signbit(float x) { return __builtin_bit_cast(unsigned, x) >> 31; }
DOJO_DEVICE bool signbit(double x) { return __builtin_bit_cast(unsigned long long, x) >> 63; }
#include "dojo_math_double.hpp"
#include "dojo_math_float.hpp"
DOJO_DEVICE double ldexp(double x, int e) {
  const int k = __dojo_clamp(e, 2200), first = __dojo_clamp(k, 1000);
  return k == first ? __dojo_scale(x, k) : __dojo_scale(__dojo_scale(x, first), k - first);
}
DOJO_DEVICE double frexp(double x, int* e) {
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  const int exponent = int(bits >> 52 & 0x7ff);
  *e = exponent && x == x ? exponent - 1022 : 0;
  return exponent ? __builtin_bit_cast(double, (bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull) : x;
}
DOJO_DEVICE double modf(double x, double* whole) { return *whole = trunc(x), x - *whole; }
DOJO_DEVICE long lround(double x) { return long(round(x)); }

// C++'s overloads for float, and for integers, which C++ takes as doubles.
#define DOJO_OVERLOAD(name)                                  \
  DOJO_DEVICE float name(float x) { return name##f(x); }     \
  DOJO_DEVICE double name(int x) { return name(double(x)); } \
  DOJO_DEVICE double name(unsigned x) { return name(double(x)); } \
  DOJO_DEVICE double name(long x) { return name(double(x)); } \
  DOJO_DEVICE double name(unsigned long x) { return name(double(x)); }
DOJO_OVERLOAD(sqrt) DOJO_OVERLOAD(fabs) DOJO_OVERLOAD(floor) DOJO_OVERLOAD(ceil) DOJO_OVERLOAD(trunc) DOJO_OVERLOAD(rint)
DOJO_OVERLOAD(nearbyint) DOJO_OVERLOAD(round) DOJO_OVERLOAD(sin) DOJO_OVERLOAD(cos) DOJO_OVERLOAD(tan)
DOJO_OVERLOAD(asin) DOJO_OVERLOAD(acos) DOJO_OVERLOAD(atan) DOJO_OVERLOAD(sinh) DOJO_OVERLOAD(cosh) DOJO_OVERLOAD(tanh)
DOJO_OVERLOAD(exp) DOJO_OVERLOAD(exp2) DOJO_OVERLOAD(expm1) DOJO_OVERLOAD(log) DOJO_OVERLOAD(log2) DOJO_OVERLOAD(log10)
DOJO_OVERLOAD(log1p) DOJO_OVERLOAD(cbrt) DOJO_OVERLOAD(erf) DOJO_OVERLOAD(erfc) DOJO_OVERLOAD(rsqrt)
DOJO_DEVICE float fmax(float a, float b) { return fmaxf(a, b); }
DOJO_DEVICE float fmin(float a, float b) { return fminf(a, b); }
DOJO_DEVICE float fma(float a, float b, float c) { return fmaf(a, b, c); }
DOJO_DEVICE float pow(float a, float b) { return powf(a, b); }
DOJO_DEVICE double pow(double a, int b) { return pow(a, double(b)); }
DOJO_DEVICE float pow(float a, int b) { return powf(a, float(b)); }
DOJO_DEVICE double pow(int a, int b) { return pow(double(a), double(b)); }
DOJO_DEVICE float atan2(float a, float b) { return atan2f(a, b); }
DOJO_DEVICE float fmod(float a, float b) { return fmodf(a, b); }
DOJO_DEVICE float hypot(float a, float b) { return hypotf(a, b); }
DOJO_DEVICE float copysign(float a, float b) { return copysignf(a, b); }
DOJO_DEVICE float ldexp(float x, int e) { return ldexpf(x, e); }

DOJO_DEVICE long labs(long x) { return x < 0 ? -x : x; }
DOJO_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }
DOJO_DEVICE long abs(long x) { return labs(x); }
DOJO_DEVICE long long abs(long long x) { return llabs(x); }
DOJO_DEVICE float abs(float x) { return fabsf(x); }
DOJO_DEVICE double abs(double x) { return fabs(x); }
DOJO_DEVICE bool isnan(float x) { return x != x; }
DOJO_DEVICE bool isnan(double x) { return x != x; }
DOJO_DEVICE bool isinf(float x) { return fabsf(x) == INFINITY; }
DOJO_DEVICE bool isinf(double x) { return fabs(x) == __builtin_huge_val(); }
DOJO_DEVICE bool isfinite(float x) { return fabsf(x) < INFINITY; }
DOJO_DEVICE bool isfinite(double x) { return fabs(x) < __builtin_huge_val(); }

// min and max of mixed types, as CUDA's headers have them.
#define DOJO_MINMAX(T)                                        \
  DOJO_DEVICE T min(T a, T b) { return b < a ? b : a; }       \
  DOJO_DEVICE T max(T a, T b) { return a < b ? b : a; }
DOJO_MINMAX(int) DOJO_MINMAX(unsigned) DOJO_MINMAX(long) DOJO_MINMAX(unsigned long) DOJO_MINMAX(long long)
DOJO_MINMAX(unsigned long long)
DOJO_DEVICE float min(float a, float b) { return fminf(a, b); }
DOJO_DEVICE float max(float a, float b) { return fmaxf(a, b); }
DOJO_DEVICE double min(double a, double b) { return fmin(a, b); }
DOJO_DEVICE double max(double a, double b) { return fmax(a, b); }
#define DOJO_MIXED(A, B, R)                                                   \
  DOJO_DEVICE R min(A a, B b) { return min((R)a, (R)b); }                     \
  DOJO_DEVICE R min(B a, A b) { return min((R)a, (R)b); }                     \
  DOJO_DEVICE R max(A a, B b) { return max((R)a, (R)b); }                     \
  DOJO_DEVICE R max(B a, A b) { return max((R)a, (R)b); }
DOJO_MIXED(int, unsigned, unsigned) DOJO_MIXED(int, long, long) DOJO_MIXED(int, unsigned long, unsigned long)
DOJO_MIXED(unsigned, unsigned long, unsigned long) DOJO_MIXED(unsigned, long, long)
DOJO_MIXED(long, unsigned long, unsigned long) DOJO_MIXED(int, long long, long long)
DOJO_MIXED(float, double, double) DOJO_MIXED(int, float, float) DOJO_MIXED(int, double, double)
