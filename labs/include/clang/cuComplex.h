// Complex numbers in C's style, by CUDA's names. Divisions and absolute values scale, so that squares do not overflow.
#pragma once
DOJO_SHIM_BEGIN
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define DOJO_COMPLEX(C, T, S, MAKE, ABS, SQRT)                                                 \
  static inline C make_cu##MAKE(T re, T im) {                                                  \
    C z;                                                                                       \
    z.x = re, z.y = im;                                                                        \
    return z;                                                                                  \
  }                                                                                            \
  static inline T cuCreal##S(C z) { return z.x; }                                              \
  static inline T cuCimag##S(C z) { return z.y; }                                              \
  static inline C cuConj##S(C z) { return make_cu##MAKE(z.x, -z.y); }                          \
  static inline C cuCadd##S(C a, C b) { return make_cu##MAKE(a.x + b.x, a.y + b.y); }          \
  static inline C cuCsub##S(C a, C b) { return make_cu##MAKE(a.x - b.x, a.y - b.y); }          \
  static inline C cuCmul##S(C a, C b) {                                                        \
    return make_cu##MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                        \
  }                                                                                            \
  static inline C cuCfma##S(C a, C b, C c) {                                                   \
    return make_cu##MAKE(a.x * b.x + c.x - a.y * b.y, a.y * b.x + c.y + a.x * b.y);            \
  }                                                                                            \
  static inline C cuCdiv##S(C a, C b) {                                                        \
    const T s = 1 / (ABS(b.x) + ABS(b.y));                                                     \
    const T ax = a.x * s, ay = a.y * s, bx = b.x * s, by = b.y * s, d = 1 / (bx * bx + by * by); \
    return make_cu##MAKE((ax * bx + ay * by) * d, (ay * bx - ax * by) * d);                    \
  }                                                                                            \
  static inline T cuCabs##S(C z) {                                                             \
    const T a = ABS(z.x), b = ABS(z.y), large = a > b ? a : b, small = a > b ? b : a;          \
    if (large == 0 || large + small - large > large) return large + small;                     \
    const T q = small / large;                                                                 \
    return large * SQRT(1 + q * q);                                                            \
  }
DOJO_COMPLEX(cuFloatComplex, float, f, FloatComplex, fabsf, sqrtf)
DOJO_COMPLEX(cuDoubleComplex, double, , DoubleComplex, fabs, sqrt)
#undef DOJO_COMPLEX
static inline cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex(float(z.x), float(z.y));
}
DOJO_SHIM_END
