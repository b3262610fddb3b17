#pragma once
// One operation under a directed rounding mode. The mode register is set around a single instruction, in
// assembly that the compiler can't move, so no other arithmetic ever sees it.
#include <cstdint>

namespace dojo::simt {

enum class Round : uint8_t { near, zero, down, up };
enum class RoundedOp : uint8_t { add, sub, mul, div, fma, sqrt, rcp, narrow };

#define DOJO_ROUNDED(TEXT, ...)                                                 \
  asm volatile("stmxcsr %[old]\n\tldmxcsr %[set]\n\t" TEXT "\n\tldmxcsr %[old]" \
               : [d] "+x"(d), [old] "=m"(old)                                   \
               : [set] "m"(set), ##__VA_ARGS__)

inline uint32_t mode_bits(Round r) {
  // MXCSR: all exceptions masked, rounding control in bits 13-14 (0 near, 1 down, 2 up, 3 zero).
  static constexpr uint32_t bits[] = {0x1f80, 0x1f80 | 3 << 13, 0x1f80 | 1 << 13, 0x1f80 | 2 << 13};
  return bits[int(r)];
}
inline float rounded(RoundedOp op, Round r, float a, float b, float c) {
  uint32_t set = mode_bits(r), old;
  float d = a;
  switch (op) {
    case RoundedOp::add:
      DOJO_ROUNDED("vaddss %[b], %[d], %[d]", [b] "x"(b));
      break;
    case RoundedOp::sub:
      DOJO_ROUNDED("vsubss %[b], %[d], %[d]", [b] "x"(b));
      break;
    case RoundedOp::mul:
      DOJO_ROUNDED("vmulss %[b], %[d], %[d]", [b] "x"(b));
      break;
    case RoundedOp::div:
      DOJO_ROUNDED("vdivss %[b], %[d], %[d]", [b] "x"(b));
      break;
    case RoundedOp::fma:
      DOJO_ROUNDED("vfmadd213ss %[c], %[b], %[d]", [b] "x"(b), [c] "x"(c));
      break;
    case RoundedOp::sqrt:
      DOJO_ROUNDED("vsqrtss %[d], %[d], %[d]");
      break;
    case RoundedOp::rcp:
      d = 1.f;
      DOJO_ROUNDED("vdivss %[b], %[d], %[d]", [b] "x"(a));
      break;
    case RoundedOp::narrow:
      break;
  }
  return d;
}
inline double rounded(RoundedOp op, Round r, double a, double b, double c) {
  uint32_t set = mode_bits(r), old;
  double d = a;
  switch (op) {
    case RoundedOp::add:
      DOJO_ROUNDED("vaddsd %[b], %[d], %[d]", [b] "x"(b));
      break;
    case RoundedOp::sub:
      DOJO_ROUNDED("vsubsd %[b], %[d], %[d]", [b] "x"(b));
      break;
    case RoundedOp::mul:
      DOJO_ROUNDED("vmulsd %[b], %[d], %[d]", [b] "x"(b));
      break;
    case RoundedOp::div:
      DOJO_ROUNDED("vdivsd %[b], %[d], %[d]", [b] "x"(b));
      break;
    case RoundedOp::fma:
      DOJO_ROUNDED("vfmadd213sd %[c], %[b], %[d]", [b] "x"(b), [c] "x"(c));
      break;
    case RoundedOp::sqrt:
      DOJO_ROUNDED("vsqrtsd %[d], %[d], %[d]");
      break;
    case RoundedOp::rcp:
      d = 1.0;
      DOJO_ROUNDED("vdivsd %[b], %[d], %[d]", [b] "x"(a));
      break;
    case RoundedOp::narrow:
      break;
  }
  return d;
}
/// double -> float under a mode.
inline float narrow(double a, Round r) {
  uint32_t set = mode_bits(r), old;
  float d = 0;
  DOJO_ROUNDED("vcvtsd2ss %[a], %[d], %[d]", [a] "x"(a));
  return d;
}
/// A 64-bit integer to float or double under a mode (unsigned: sign = false).
inline double int_to_double(uint64_t v, bool sign, Round r) {
  uint32_t set = mode_bits(r), old;
  double d = 0;
  if (sign || !(v >> 63)) {
    DOJO_ROUNDED("vcvtsi2sdq %[v], %[d], %[d]", [v] "r"(v));
    return d;
  }
  // Halve, keeping the lost bit sticky, convert, double: exact apart from the one rounding.
  uint64_t half = v >> 1 | (v & 1);
  DOJO_ROUNDED("vcvtsi2sdq %[v], %[d], %[d]", [v] "r"(half));
  return d * 2;
}
inline float int_to_float(uint64_t v, bool sign, Round r) {
  uint32_t set = mode_bits(r), old;
  float d = 0;
  if (sign || !(v >> 63)) {
    DOJO_ROUNDED("vcvtsi2ssq %[v], %[d], %[d]", [v] "r"(v));
    return d;
  }
  uint64_t half = v >> 1 | (v & 1);
  DOJO_ROUNDED("vcvtsi2ssq %[v], %[d], %[d]", [v] "r"(half));
  return d * 2;
}
#undef DOJO_ROUNDED

}  // namespace dojo::simt
