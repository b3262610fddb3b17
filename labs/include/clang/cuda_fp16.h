// Half precision, from the CUDA Math API's documentation: __half and __half2 with their conversions and arithmetic.
#pragma once
DOJO_SHIM_BEGIN

struct __attribute__((aligned(2))) __half {
  _Float16 v;
  __half() = default;
  constexpr __half(_Float16 f) : v(f) {}
  __half(float f) : v(_Float16(f)) {}
  __half(double f) : v(_Float16(f)) {}
  __half(int i) : v(_Float16(i)) {}
  __half(unsigned i) : v(_Float16(i)) {}
  __half(long i) : v(_Float16(i)) {}
  __half(unsigned long i) : v(_Float16(i)) {}
  operator float() const { return float(v); }
};
typedef __half half;
typedef _Float16 __dojo_pair __attribute__((ext_vector_type(2), may_alias));
typedef unsigned __dojo_word __attribute__((may_alias));
// Copied as one word, as CUDA's is: a load of a pair is one load, whichever half is used. LLVM takes a copy of an
// integer apart, not one of a vector.
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  __half2(__half a, __half b) : x(a), y(b) {}
  __half2(const __half2& v) { *reinterpret_cast<__dojo_pair*>(this) = *reinterpret_cast<const __dojo_pair*>(&v); }
  __half2& operator=(const __half2& v) {
    *reinterpret_cast<__dojo_pair*>(this) = *reinterpret_cast<const __dojo_pair*>(&v);
    return *this;
  }
};
typedef __half2 half2;
struct __half_raw {
  unsigned short x;
};

// Two halves in one register: the instructions that work on both at once.
DOJO_DEVICE unsigned __dojo_bits(__half2 v) { return *reinterpret_cast<const __dojo_word*>(&v); }
DOJO_DEVICE __half2 __dojo_halves(unsigned v) {
  __half2 h;
  *reinterpret_cast<__dojo_word*>(&h) = v;
  return h;
}
DOJO_DEVICE unsigned short __dojo_bits(__half v) { return __builtin_bit_cast(unsigned short, v.v); }
DOJO_DEVICE __half __dojo_half(unsigned short v) { return __half(__builtin_bit_cast(_Float16, v)); }

DOJO_DEVICE __half __float2half(float f) { return __half(_Float16(f)); }
DOJO_DEVICE __half __float2half_rn(float f) { return __half(_Float16(f)); }
DOJO_DEVICE __half __float2half_rz(float f) {
  unsigned short r;
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(r) : "f"(f));
  return __dojo_half(r);
}
DOJO_DEVICE __half __double2half(double f) { return __half(_Float16(f)); }
DOJO_DEVICE float __half2float(__half h) { return float(h.v); }
DOJO_DEVICE __half __int2half_rn(int i) { return __half(_Float16(i)); }
DOJO_DEVICE int __half2int_rn(__half h) { return __float2int_rn(float(h.v)); }
DOJO_DEVICE int __half2int_rz(__half h) { return int(float(h.v)); }
DOJO_DEVICE __half __ushort_as_half(unsigned short v) { return __dojo_half(v); }
DOJO_DEVICE __half __short_as_half(short v) { return __dojo_half((unsigned short)v); }
DOJO_DEVICE unsigned short __half_as_ushort(__half h) { return __dojo_bits(h); }
DOJO_DEVICE short __half_as_short(__half h) { return short(__dojo_bits(h)); }
DOJO_DEVICE __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
DOJO_DEVICE __half2 make_half2(__half a, __half b) { return __half2(a, b); }
DOJO_DEVICE __half2 __half2half2(__half a) { return __half2(a, a); }
DOJO_DEVICE __half2 __float2half2_rn(float f) { return __half2half2(__float2half(f)); }
DOJO_DEVICE __half2 __floats2half2_rn(float a, float b) { return __half2(__float2half(a), __float2half(b)); }
DOJO_DEVICE __half2 __float22half2_rn(float2 f) { return __floats2half2_rn(f.x, f.y); }
DOJO_DEVICE float2 __half22float2(__half2 h) { return make_float2(float(h.x.v), float(h.y.v)); }
DOJO_DEVICE __half __low2half(__half2 h) { return h.x; }
DOJO_DEVICE __half __high2half(__half2 h) { return h.y; }
DOJO_DEVICE float __low2float(__half2 h) { return float(h.x.v); }
DOJO_DEVICE float __high2float(__half2 h) { return float(h.y.v); }
DOJO_DEVICE __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
DOJO_DEVICE __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
DOJO_DEVICE __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
DOJO_DEVICE __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
DOJO_DEVICE __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }

#define DOJO_HALF2(name, op)                                                    \
  DOJO_DEVICE __half name(__half a, __half b) {                                 \
    unsigned short r;                                                           \
    asm(op ".f16 %0, %1, %2;" : "=h"(r) : "h"(__dojo_bits(a)), "h"(__dojo_bits(b))); \
    return __dojo_half(r);                                                      \
  }                                                                             \
  DOJO_DEVICE __half2 name##2(__half2 a, __half2 b) {                           \
    unsigned r;                                                                 \
    asm(op ".f16x2 %0, %1, %2;" : "=r"(r) : "r"(__dojo_bits(a)), "r"(__dojo_bits(b))); \
    return __dojo_halves(r);                                                    \
  }
DOJO_HALF2(__hadd, "add")
DOJO_HALF2(__hsub, "sub")
DOJO_HALF2(__hmul, "mul")
DOJO_HALF2(__hadd_rn, "add.rn")
DOJO_HALF2(__hmul_rn, "mul.rn")
// PTX has these from sm_80 on.
DOJO_DEVICE __half __hmax(__half a, __half b) { return __half(fmaxf(float(a.v), float(b.v))); }
DOJO_DEVICE __half __hmin(__half a, __half b) { return __half(fminf(float(a.v), float(b.v))); }
DOJO_DEVICE __half2 __hmax2(__half2 a, __half2 b) { return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
DOJO_DEVICE __half2 __hmin2(__half2 a, __half2 b) { return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
DOJO_DEVICE bool __hisnan(__half a) { return a.v != a.v; }
#define __hmax_nan2 __hmax2_nan
#define __hmin_nan2 __hmin2_nan
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
DOJO_HALF2(__hmax_nan, "max.NaN")
DOJO_HALF2(__hmin_nan, "min.NaN")
#else
DOJO_DEVICE __half __hmax_nan(__half a, __half b) { return a.v != a.v ? a : b.v != b.v ? b : __hmax(a, b); }
DOJO_DEVICE __half __hmin_nan(__half a, __half b) { return a.v != a.v ? a : b.v != b.v ? b : __hmin(a, b); }
DOJO_DEVICE __half2 __hmax2_nan(__half2 a, __half2 b) { return __half2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)); }
DOJO_DEVICE __half2 __hmin2_nan(__half2 a, __half2 b) { return __half2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)); }
#endif
#undef __hmax_nan2
#undef __hmin_nan2
DOJO_DEVICE __half __hfma(__half a, __half b, __half c) {
  unsigned short r;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r) : "h"(__dojo_bits(a)), "h"(__dojo_bits(b)), "h"(__dojo_bits(c)));
  return __dojo_half(r);
}
DOJO_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  unsigned r;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(__dojo_bits(a)), "r"(__dojo_bits(b)), "r"(__dojo_bits(c)));
  return __dojo_halves(r);
}
DOJO_DEVICE __half __hneg(__half a) { return __half(_Float16(-a.v)); }
DOJO_DEVICE __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
DOJO_DEVICE __half __habs(__half a) { return __dojo_half(__dojo_bits(a) & 0x7fff); }
DOJO_DEVICE __half __hdiv(__half a, __half b) { return __float2half(float(a.v) / float(b.v)); }
DOJO_DEVICE __half hexp(__half a) { return __float2half(expf(float(a.v))); }
DOJO_DEVICE __half hexp2(__half a) { return __float2half(exp2f(float(a.v))); }
DOJO_DEVICE __half hlog(__half a) { return __float2half(logf(float(a.v))); }
DOJO_DEVICE __half hsqrt(__half a) { return __float2half(sqrtf(float(a.v))); }
DOJO_DEVICE __half hrsqrt(__half a) { return __float2half(rsqrtf(float(a.v))); }
DOJO_DEVICE __half hrcp(__half a) { return __float2half(1.0f / float(a.v)); }
DOJO_DEVICE __half2 h2exp(__half2 a) { return __half2(hexp(a.x), hexp(a.y)); }
DOJO_DEVICE __half2 h2rcp(__half2 a) { return __half2(hrcp(a.x), hrcp(a.y)); }
DOJO_DEVICE bool __heq(__half a, __half b) { return a.v == b.v; }
DOJO_DEVICE bool __hne(__half a, __half b) { return a.v != b.v; }
DOJO_DEVICE bool __hlt(__half a, __half b) { return a.v < b.v; }
DOJO_DEVICE bool __hle(__half a, __half b) { return a.v <= b.v; }
DOJO_DEVICE bool __hgt(__half a, __half b) { return a.v > b.v; }
DOJO_DEVICE bool __hge(__half a, __half b) { return a.v >= b.v; }

DOJO_DEVICE __half operator+(__half a, __half b) { return __hadd(a, b); }
DOJO_DEVICE __half operator-(__half a, __half b) { return __hsub(a, b); }
DOJO_DEVICE __half operator*(__half a, __half b) { return __hmul(a, b); }
DOJO_DEVICE __half operator/(__half a, __half b) { return __hdiv(a, b); }
DOJO_DEVICE __half operator-(__half a) { return __hneg(a); }
DOJO_DEVICE __half& operator+=(__half& a, __half b) { return a = __hadd(a, b); }
DOJO_DEVICE __half& operator-=(__half& a, __half b) { return a = __hsub(a, b); }
DOJO_DEVICE __half& operator*=(__half& a, __half b) { return a = __hmul(a, b); }
DOJO_DEVICE bool operator==(__half a, __half b) { return a.v == b.v; }
DOJO_DEVICE bool operator!=(__half a, __half b) { return a.v != b.v; }
DOJO_DEVICE bool operator<(__half a, __half b) { return a.v < b.v; }
DOJO_DEVICE bool operator<=(__half a, __half b) { return a.v <= b.v; }
DOJO_DEVICE bool operator>(__half a, __half b) { return a.v > b.v; }
DOJO_DEVICE bool operator>=(__half a, __half b) { return a.v >= b.v; }
DOJO_DEVICE __half2 operator+(__half2 a, __half2 b) { return __hadd2(a, b); }
DOJO_DEVICE __half2 operator-(__half2 a, __half2 b) { return __hsub2(a, b); }
DOJO_DEVICE __half2 operator*(__half2 a, __half2 b) { return __hmul2(a, b); }

DOJO_DEVICE __half2 __shfl_sync(unsigned m, __half2 v, int l, int w = 32) { return __dojo_halves(__shfl_sync(m, __dojo_bits(v), l, w)); }
DOJO_DEVICE __half2 __shfl_xor_sync(unsigned m, __half2 v, int l, int w = 32) { return __dojo_halves(__shfl_xor_sync(m, __dojo_bits(v), l, w)); }
DOJO_DEVICE __half2 __shfl_down_sync(unsigned m, __half2 v, unsigned l, int w = 32) { return __dojo_halves(__shfl_down_sync(m, __dojo_bits(v), l, w)); }
DOJO_DEVICE __half2 __shfl_up_sync(unsigned m, __half2 v, unsigned l, int w = 32) { return __dojo_halves(__shfl_up_sync(m, __dojo_bits(v), l, w)); }
DOJO_DEVICE __half __shfl_xor_sync(unsigned m, __half v, int l, int w = 32) { return __dojo_half((unsigned short)__shfl_xor_sync(m, unsigned(__dojo_bits(v)), l, w)); }
DOJO_DEVICE __half __shfl_down_sync(unsigned m, __half v, unsigned l, int w = 32) { return __dojo_half((unsigned short)__shfl_down_sync(m, unsigned(__dojo_bits(v)), l, w)); }
DOJO_DEVICE __half __shfl_sync(unsigned m, __half v, int l, int w = 32) { return __dojo_half((unsigned short)__shfl_sync(m, unsigned(__dojo_bits(v)), l, w)); }

DOJO_SHIM_END
