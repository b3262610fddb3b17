// bfloat16, from the CUDA Math API's documentation: __nv_bfloat16 and __nv_bfloat162 with their conversions and
// arithmetic. A result is that of single precision, rounded; fused multiply-add has an instruction from sm_80 on.
#pragma once
DOJO_SHIM_BEGIN

struct __nv_bfloat16_raw {
  unsigned short x;
};
/// Rounded to nearest even.
DOJO_DEVICE unsigned short __dojo_bf16_bits(float f) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short r;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(f));
  return r;
#else
  const unsigned b = __builtin_bit_cast(unsigned, f);
  return f != f ? 0x7fff : (unsigned short)((b + 0x7fff + (b >> 16 & 1)) >> 16);
#endif
}
DOJO_DEVICE float __dojo_bf16_float(unsigned short b) { return __builtin_bit_cast(float, unsigned(b) << 16); }

struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  DOJO_MEMBER __nv_bfloat16(__nv_bfloat16_raw r) : __x(r.x) {}
  DOJO_MEMBER __nv_bfloat16(float f) : __x(__dojo_bf16_bits(f)) {}
  DOJO_MEMBER __nv_bfloat16(double d) : __x(__dojo_bf16_bits(float(d))) {}
  DOJO_MEMBER __nv_bfloat16(int i) : __x(__dojo_bf16_bits(float(i))) {}
  DOJO_MEMBER __nv_bfloat16(unsigned i) : __x(__dojo_bf16_bits(float(i))) {}
  DOJO_MEMBER __nv_bfloat16(long i) : __x(__dojo_bf16_bits(float(i))) {}
  DOJO_MEMBER operator float() const { return __dojo_bf16_float(__x); }
  DOJO_MEMBER operator __nv_bfloat16_raw() const { return {__x}; }
};
typedef __nv_bfloat16 nv_bfloat16;
typedef unsigned __dojo_bf16_word __attribute__((may_alias));
typedef unsigned short __dojo_bf16_pair __attribute__((ext_vector_type(2), may_alias));
/// Copied as one word, as __half2 is.
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  DOJO_MEMBER __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
  DOJO_MEMBER __nv_bfloat162(const __nv_bfloat162& v) {
    *reinterpret_cast<__dojo_bf16_pair*>(this) = *reinterpret_cast<const __dojo_bf16_pair*>(&v);
  }
  DOJO_MEMBER __nv_bfloat162& operator=(const __nv_bfloat162& v) {
    *reinterpret_cast<__dojo_bf16_pair*>(this) = *reinterpret_cast<const __dojo_bf16_pair*>(&v);
    return *this;
  }
};
typedef __nv_bfloat162 nv_bfloat162;

DOJO_DEVICE unsigned __dojo_bits(__nv_bfloat162 v) { return *reinterpret_cast<const __dojo_bf16_word*>(&v); }
DOJO_DEVICE __nv_bfloat162 __dojo_bf16_of(unsigned v) {
  __nv_bfloat162 r;
  *reinterpret_cast<__dojo_bf16_word*>(&r) = v;
  return r;
}
DOJO_DEVICE __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) { return __nv_bfloat16_raw{v}; }
DOJO_DEVICE __nv_bfloat16 __short_as_bfloat16(short v) { return __nv_bfloat16_raw{(unsigned short)v}; }
DOJO_DEVICE unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return v.__x; }
DOJO_DEVICE short __bfloat16_as_short(__nv_bfloat16 v) { return short(v.__x); }
DOJO_DEVICE __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
DOJO_DEVICE __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
DOJO_DEVICE __nv_bfloat16 __double2bfloat16(double d) { return __nv_bfloat16(d); }
DOJO_DEVICE __nv_bfloat16 __int2bfloat16_rn(int i) { return __nv_bfloat16(i); }
DOJO_DEVICE float __bfloat162float(__nv_bfloat16 v) { return __dojo_bf16_float(v.__x); }
DOJO_DEVICE int __bfloat162int_rn(__nv_bfloat16 v) { return __float2int_rn(float(v)); }
DOJO_DEVICE int __bfloat162int_rz(__nv_bfloat16 v) { return int(float(v)); }
DOJO_DEVICE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
DOJO_DEVICE __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
DOJO_DEVICE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
DOJO_DEVICE __nv_bfloat162 __float2bfloat162_rn(float f) { return {__nv_bfloat16(f), __nv_bfloat16(f)}; }
DOJO_DEVICE __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {__nv_bfloat16(a), __nv_bfloat16(b)}; }
DOJO_DEVICE __nv_bfloat162 __float22bfloat162_rn(float2 f) { return __floats2bfloat162_rn(f.x, f.y); }
DOJO_DEVICE float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2(float(v.x), float(v.y)); }
DOJO_DEVICE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
DOJO_DEVICE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
DOJO_DEVICE float __low2float(__nv_bfloat162 v) { return float(v.x); }
DOJO_DEVICE float __high2float(__nv_bfloat162 v) { return float(v.y); }
DOJO_DEVICE __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return {v.y, v.x}; }

DOJO_DEVICE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short r;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
  return __ushort_as_bfloat16(r);
#else
  return fmaf(float(a), float(b), float(c));
#endif
}
DOJO_DEVICE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned r;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(__dojo_bits(a)), "r"(__dojo_bits(b)), "r"(__dojo_bits(c)));
  return __dojo_bf16_of(r);
#else
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
#endif
}
#define DOJO_BF16(name, operation)                                                              \
  DOJO_DEVICE __nv_bfloat16 name(__nv_bfloat16 p, __nv_bfloat16 q) {                             \
    const float a = float(p), b = float(q);                                                      \
    return __nv_bfloat16(operation);                                                             \
  }                                                                                              \
  DOJO_DEVICE __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
DOJO_BF16(__hadd, __fadd_rn(a, b))
DOJO_BF16(__hsub, __fadd_rn(a, -b))
DOJO_BF16(__hmul, __fmul_rn(a, b))
DOJO_BF16(__hmax, fmaxf(a, b))
DOJO_BF16(__hmin, fminf(a, b))
#undef DOJO_BF16
DOJO_DEVICE __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return float(a) / float(b); }
DOJO_DEVICE __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
DOJO_DEVICE __nv_bfloat16 __hneg(__nv_bfloat16 a) { return __ushort_as_bfloat16(a.__x ^ 0x8000); }
DOJO_DEVICE __nv_bfloat16 __habs(__nv_bfloat16 a) { return __ushort_as_bfloat16(a.__x & 0x7fff); }
DOJO_DEVICE __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return {__hneg(a.x), __hneg(a.y)}; }
DOJO_DEVICE __nv_bfloat162 __habs2(__nv_bfloat162 a) { return {__habs(a.x), __habs(a.y)}; }
DOJO_DEVICE bool __hisnan(__nv_bfloat16 a) { return (a.__x & 0x7fff) > 0x7f80; }
#define DOJO_BF16(name, operator_name, operation)                                                                  \
  DOJO_DEVICE bool name(__nv_bfloat16 a, __nv_bfloat16 b) { return float(a) operation float(b); }                   \
  DOJO_DEVICE bool operator_name(__nv_bfloat16 a, __nv_bfloat16 b) { return float(a) operation float(b); }
DOJO_BF16(__heq, operator==, ==)
DOJO_BF16(__hne, operator!=, !=)
DOJO_BF16(__hlt, operator<, <)
DOJO_BF16(__hle, operator<=, <=)
DOJO_BF16(__hgt, operator>, >)
DOJO_BF16(__hge, operator>=, >=)
#undef DOJO_BF16
#define DOJO_BF16(operation, name)                                                                                 \
  DOJO_DEVICE __nv_bfloat16 operator operation(__nv_bfloat16 a, __nv_bfloat16 b) { return name(a, b); }             \
  DOJO_DEVICE __nv_bfloat16& operator operation##=(__nv_bfloat16& a, __nv_bfloat16 b) { return a = name(a, b); }    \
  DOJO_DEVICE __nv_bfloat162 operator operation(__nv_bfloat162 a, __nv_bfloat162 b) {                               \
    return {name(a.x, b.x), name(a.y, b.y)};                                                                        \
  }
DOJO_BF16(+, __hadd)
DOJO_BF16(-, __hsub)
DOJO_BF16(*, __hmul)
DOJO_BF16(/, __hdiv)
#undef DOJO_BF16
DOJO_DEVICE __nv_bfloat16 operator-(__nv_bfloat16 a) { return __hneg(a); }
#define DOJO_BF16(name, f) \
  DOJO_DEVICE __nv_bfloat16 name(__nv_bfloat16 a) { return f(float(a)); }
DOJO_BF16(hexp, expf) DOJO_BF16(hlog, logf) DOJO_BF16(hsqrt, sqrtf) DOJO_BF16(hrsqrt, rsqrtf) DOJO_BF16(hsin, sinf)
DOJO_BF16(hcos, cosf) DOJO_BF16(hfloor, floorf) DOJO_BF16(hceil, ceilf) DOJO_BF16(htanh, tanhf)
#undef DOJO_BF16
#define DOJO_BF16(name, lane_type)                                                                            \
  DOJO_DEVICE __nv_bfloat16 name(unsigned m, __nv_bfloat16 v, lane_type l, int w = 32) {                      \
    return __ushort_as_bfloat16((unsigned short)name(m, unsigned(v.__x), l, w));                              \
  }                                                                                                           \
  DOJO_DEVICE __nv_bfloat162 name(unsigned m, __nv_bfloat162 v, lane_type l, int w = 32) {                    \
    return __dojo_bf16_of(name(m, __dojo_bits(v), l, w));                                                     \
  }
DOJO_BF16(__shfl_sync, int)
DOJO_BF16(__shfl_xor_sync, int)
DOJO_BF16(__shfl_down_sync, unsigned)
DOJO_BF16(__shfl_up_sync, unsigned)
#undef DOJO_BF16
DOJO_SHIM_END
