#pragma once
// Single arithmetic operations under one of the four IEEE rounding modes, for PTX's .rn, .rz, .rm and .rp.
// The mode register is set around one instruction in volatile assembly, which the compiler can't move, so no
// other arithmetic runs under that mode.
#include <cstdint>

namespace dojo::simt {

enum class Round : uint8_t { near, zero, down, up };  // indexes mode_bits
enum class RoundedOp : uint8_t { add, sub, mul, div, fma, sqrt, rcp };

// DOJO_ROUNDED(x86 instruction, AArch64 instruction, inputs...) runs the instruction of this architecture
// under the mode `set` and restores the mode in `old`. %[d] is its first operand and its result.
#if defined(__x86_64__)
using ModeBits = uint32_t;
// MXCSR: all exceptions masked, rounding control in bits 13-14 (0 near, 1 down, 2 up, 3 zero).
inline constexpr ModeBits mode_bits[] = {0x1f80, 0x1f80 | 3 << 13, 0x1f80 | 1 << 13, 0x1f80 | 2 << 13};
#define DOJO_ROUNDED(X86, ARM, ...)                                            \
  asm volatile("stmxcsr %[old]\n\tldmxcsr %[set]\n\t" X86 "\n\tldmxcsr %[old]" \
               : [d] "+x"(d), [old] "=m"(old)                                  \
               : [set] "m"(set), ##__VA_ARGS__)
#define DOJO_FLOAT "x"
#elif defined(__aarch64__)
using ModeBits = uint64_t;
// FPCR: no exception traps, rounding mode in bits 22-23 (0 near, 1 up, 2 down, 3 zero).
inline constexpr ModeBits mode_bits[] = {0, 3 << 22, 2 << 22, 1 << 22};
#define DOJO_ROUNDED(X86, ARM, ...)                                                  \
  asm volatile("mrs %[old], fpcr\n\tmsr fpcr, %[set]\n\t" ARM "\n\tmsr fpcr, %[old]" \
               : [d] "+w"(d), [old] "=&r"(old)                                       \
               : [set] "r"(set), ##__VA_ARGS__)
#define DOJO_FLOAT "w"
#endif

/// a op b under the mode; fma: a * b + c; sqrt(a); rcp: 1 / a.
inline float rounded(RoundedOp op, Round r, float a, float b, float c) {
  ModeBits set = mode_bits[int(r)], old;
  float d = a;
  switch (op) {
    case RoundedOp::add:
      DOJO_ROUNDED("vaddss %[b], %[d], %[d]", "fadd %s[d], %s[d], %s[b]", [b] DOJO_FLOAT(b));
      break;
    case RoundedOp::sub:
      DOJO_ROUNDED("vsubss %[b], %[d], %[d]", "fsub %s[d], %s[d], %s[b]", [b] DOJO_FLOAT(b));
      break;
    case RoundedOp::mul:
      DOJO_ROUNDED("vmulss %[b], %[d], %[d]", "fmul %s[d], %s[d], %s[b]", [b] DOJO_FLOAT(b));
      break;
    case RoundedOp::div:
      DOJO_ROUNDED("vdivss %[b], %[d], %[d]", "fdiv %s[d], %s[d], %s[b]", [b] DOJO_FLOAT(b));
      break;
    case RoundedOp::fma:
      DOJO_ROUNDED("vfmadd213ss %[c], %[b], %[d]",
                   "fmadd %s[d], %s[d], %s[b], %s[c]", [b] DOJO_FLOAT(b), [c] DOJO_FLOAT(c));
      break;
    case RoundedOp::sqrt:
      DOJO_ROUNDED("vsqrtss %[d], %[d], %[d]", "fsqrt %s[d], %s[d]");
      break;
    case RoundedOp::rcp:
      d = 1.f;
      DOJO_ROUNDED("vdivss %[b], %[d], %[d]", "fdiv %s[d], %s[d], %s[b]", [b] DOJO_FLOAT(a));
      break;
  }
  return d;
}
inline double rounded(RoundedOp op, Round r, double a, double b, double c) {
  ModeBits set = mode_bits[int(r)], old;
  double d = a;
  switch (op) {
    case RoundedOp::add:
      DOJO_ROUNDED("vaddsd %[b], %[d], %[d]", "fadd %d[d], %d[d], %d[b]", [b] DOJO_FLOAT(b));
      break;
    case RoundedOp::sub:
      DOJO_ROUNDED("vsubsd %[b], %[d], %[d]", "fsub %d[d], %d[d], %d[b]", [b] DOJO_FLOAT(b));
      break;
    case RoundedOp::mul:
      DOJO_ROUNDED("vmulsd %[b], %[d], %[d]", "fmul %d[d], %d[d], %d[b]", [b] DOJO_FLOAT(b));
      break;
    case RoundedOp::div:
      DOJO_ROUNDED("vdivsd %[b], %[d], %[d]", "fdiv %d[d], %d[d], %d[b]", [b] DOJO_FLOAT(b));
      break;
    case RoundedOp::fma:
      DOJO_ROUNDED("vfmadd213sd %[c], %[b], %[d]",
                   "fmadd %d[d], %d[d], %d[b], %d[c]", [b] DOJO_FLOAT(b), [c] DOJO_FLOAT(c));
      break;
    case RoundedOp::sqrt:
      DOJO_ROUNDED("vsqrtsd %[d], %[d], %[d]", "fsqrt %d[d], %d[d]");
      break;
    case RoundedOp::rcp:
      d = 1.0;
      DOJO_ROUNDED("vdivsd %[b], %[d], %[d]", "fdiv %d[d], %d[d], %d[b]", [b] DOJO_FLOAT(a));
      break;
  }
  return d;
}
/// Converts double to float under a mode.
inline float narrow(double a, Round r) {
  ModeBits set = mode_bits[int(r)], old;
  float d = 0;
  DOJO_ROUNDED("vcvtsd2ss %[a], %[d], %[d]", "fcvt %s[d], %d[a]", [a] DOJO_FLOAT(a));
  return d;
}
/// Converts a 64-bit integer to double under a mode; `sign`: v is signed.
inline double int_to_double(uint64_t v, bool sign, Round r) {
  ModeBits set = mode_bits[int(r)], old;
  double d = 0;
  if (sign || !(v >> 63)) {
    DOJO_ROUNDED("vcvtsi2sdq %[v], %[d], %[d]", "scvtf %d[d], %x[v]", [v] "r"(v));
    return d;
  }
  // From 2^63 on the signed instruction can't be used. Halve, keep the lost bit sticky, convert and double:
  // that rounds once.
  uint64_t half = v >> 1 | (v & 1);
  DOJO_ROUNDED("vcvtsi2sdq %[v], %[d], %[d]", "scvtf %d[d], %x[v]", [v] "r"(half));
  return d * 2;
}
/// As int_to_double.
inline float int_to_float(uint64_t v, bool sign, Round r) {
  ModeBits set = mode_bits[int(r)], old;
  float d = 0;
  if (sign || !(v >> 63)) {
    DOJO_ROUNDED("vcvtsi2ssq %[v], %[d], %[d]", "scvtf %s[d], %x[v]", [v] "r"(v));
    return d;
  }
  uint64_t half = v >> 1 | (v & 1);
  DOJO_ROUNDED("vcvtsi2ssq %[v], %[d], %[d]", "scvtf %s[d], %x[v]", [v] "r"(half));
  return d * 2;
}
#undef DOJO_ROUNDED
#undef DOJO_FLOAT

}  // namespace dojo::simt
