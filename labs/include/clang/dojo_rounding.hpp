// Arithmetic and conversions of a stated rounding, which are one PTX instruction each.
#pragma once

#define DOJO_ROUNDED_1(NAME, OP, T, C)                    \
  DOJO_DEVICE T NAME(T a) {                               \
    T r;                                                  \
    asm(OP " %0, %1;" : "=" C(r) : C(a));                 \
    return r;                                             \
  }
#define DOJO_ROUNDED_2(NAME, OP, T, C)                    \
  DOJO_DEVICE T NAME(T a, T b) {                          \
    T r;                                                  \
    asm(OP " %0, %1, %2;" : "=" C(r) : C(a), C(b));       \
    return r;                                             \
  }
#define DOJO_ROUNDED_3(NAME, OP, T, C)                    \
  DOJO_DEVICE T NAME(T a, T b, T c) {                     \
    T r;                                                  \
    asm(OP " %0, %1, %2, %3;" : "=" C(r) : C(a), C(b), C(c)); \
    return r;                                             \
  }
// Each operation in the directions that dojo_math.hpp lacks.
#define DOJO_DIRECTIONS(MACRO, NAME, OP, T, C, TYPE) \
  MACRO(NAME##_rz, OP ".rz." TYPE, T, C)             \
  MACRO(NAME##_rd, OP ".rm." TYPE, T, C)             \
  MACRO(NAME##_ru, OP ".rp." TYPE, T, C)
DOJO_DIRECTIONS(DOJO_ROUNDED_2, __fadd, "add", float, "f", "f32")
DOJO_DIRECTIONS(DOJO_ROUNDED_2, __fsub, "sub", float, "f", "f32")
DOJO_DIRECTIONS(DOJO_ROUNDED_2, __fmul, "mul", float, "f", "f32")
DOJO_DIRECTIONS(DOJO_ROUNDED_2, __fdiv, "div", float, "f", "f32")
DOJO_DIRECTIONS(DOJO_ROUNDED_3, __fmaf, "fma", float, "f", "f32")
DOJO_DIRECTIONS(DOJO_ROUNDED_1, __frcp, "rcp", float, "f", "f32")
DOJO_DIRECTIONS(DOJO_ROUNDED_1, __fsqrt, "sqrt", float, "f", "f32")
DOJO_DIRECTIONS(DOJO_ROUNDED_2, __dadd, "add", double, "d", "f64")
DOJO_DIRECTIONS(DOJO_ROUNDED_2, __dsub, "sub", double, "d", "f64")
DOJO_DIRECTIONS(DOJO_ROUNDED_2, __dmul, "mul", double, "d", "f64")
DOJO_DIRECTIONS(DOJO_ROUNDED_2, __ddiv, "div", double, "d", "f64")
DOJO_DIRECTIONS(DOJO_ROUNDED_3, __fma, "fma", double, "d", "f64")
DOJO_DIRECTIONS(DOJO_ROUNDED_1, __drcp, "rcp", double, "d", "f64")
DOJO_DIRECTIONS(DOJO_ROUNDED_1, __dsqrt, "sqrt", double, "d", "f64")
DOJO_ROUNDED_2(__fsub_rn, "sub.rn.f32", float, "f")
DOJO_ROUNDED_2(__dsub_rn, "sub.rn.f64", double, "d")
DOJO_ROUNDED_1(__drcp_rn, "rcp.rn.f64", double, "d")
DOJO_ROUNDED_1(__dsqrt_rn, "sqrt.rn.f64", double, "d")
#undef DOJO_DIRECTIONS
#undef DOJO_ROUNDED_1
#undef DOJO_ROUNDED_2
#undef DOJO_ROUNDED_3

#define DOJO_CONVERT(NAME, MODE, TYPES, TO, TO_C, FROM, FROM_C)       \
  DOJO_DEVICE TO NAME(FROM v) {                                       \
    TO r;                                                             \
    asm("cvt." MODE "." TYPES " %0, %1;" : "=" TO_C(r) : FROM_C(v));  \
    return r;                                                         \
  }
#define DOJO_TO_INTEGER(NAME, TYPES, TO, TO_C, FROM, FROM_C)          \
  DOJO_CONVERT(NAME##_rn, "rni", TYPES, TO, TO_C, FROM, FROM_C)       \
  DOJO_CONVERT(NAME##_rz, "rzi", TYPES, TO, TO_C, FROM, FROM_C)       \
  DOJO_CONVERT(NAME##_rd, "rmi", TYPES, TO, TO_C, FROM, FROM_C)       \
  DOJO_CONVERT(NAME##_ru, "rpi", TYPES, TO, TO_C, FROM, FROM_C)
DOJO_TO_INTEGER(__double2int, "s32.f64", int, "r", double, "d")
DOJO_TO_INTEGER(__double2uint, "u32.f64", unsigned, "r", double, "d")
DOJO_TO_INTEGER(__double2ll, "s64.f64", long long, "l", double, "d")
DOJO_TO_INTEGER(__double2ull, "u64.f64", unsigned long long, "l", double, "d")
DOJO_TO_INTEGER(__float2ll, "s64.f32", long long, "l", float, "f")
DOJO_TO_INTEGER(__float2ull, "u64.f32", unsigned long long, "l", float, "f")
DOJO_CONVERT(__float2uint_rz, "rzi", "u32.f32", unsigned, "r", float, "f")
DOJO_CONVERT(__float2uint_rd, "rmi", "u32.f32", unsigned, "r", float, "f")
DOJO_CONVERT(__float2uint_ru, "rpi", "u32.f32", unsigned, "r", float, "f")
#define DOJO_TO_FLOAT(NAME, TYPES, TO, TO_C, FROM, FROM_C)            \
  DOJO_CONVERT(NAME##_rz, "rz", TYPES, TO, TO_C, FROM, FROM_C)        \
  DOJO_CONVERT(NAME##_rd, "rm", TYPES, TO, TO_C, FROM, FROM_C)        \
  DOJO_CONVERT(NAME##_ru, "rp", TYPES, TO, TO_C, FROM, FROM_C)
DOJO_TO_FLOAT(__double2float, "f32.f64", float, "f", double, "d")
DOJO_CONVERT(__double2float_rn, "rn", "f32.f64", float, "f", double, "d")
DOJO_TO_FLOAT(__int2float, "f32.s32", float, "f", int, "r")
DOJO_TO_FLOAT(__uint2float, "f32.u32", float, "f", unsigned, "r")
DOJO_TO_FLOAT(__ll2float, "f32.s64", float, "f", long long, "l")
DOJO_CONVERT(__ll2float_rn, "rn", "f32.s64", float, "f", long long, "l")
DOJO_TO_FLOAT(__ull2float, "f32.u64", float, "f", unsigned long long, "l")
DOJO_CONVERT(__ull2float_rn, "rn", "f32.u64", float, "f", unsigned long long, "l")
DOJO_TO_FLOAT(__ll2double, "f64.s64", double, "d", long long, "l")
DOJO_CONVERT(__ll2double_rn, "rn", "f64.s64", double, "d", long long, "l")
DOJO_TO_FLOAT(__ull2double, "f64.u64", double, "d", unsigned long long, "l")
DOJO_CONVERT(__ull2double_rn, "rn", "f64.u64", double, "d", unsigned long long, "l")
DOJO_DEVICE double __int2double_rn(int v) { return v; }
DOJO_DEVICE double __uint2double_rn(unsigned v) { return v; }
#undef DOJO_TO_FLOAT
#undef DOJO_TO_INTEGER
#undef DOJO_CONVERT
DOJO_DEVICE int __double2hiint(double v) { return int(__builtin_bit_cast(unsigned long long, v) >> 32); }
DOJO_DEVICE int __double2loint(double v) { return int(__builtin_bit_cast(unsigned long long, v)); }
DOJO_DEVICE double __hiloint2double(int hi, int lo) {
  return __builtin_bit_cast(double, (unsigned long long)(unsigned)hi << 32 | (unsigned)lo);
}
