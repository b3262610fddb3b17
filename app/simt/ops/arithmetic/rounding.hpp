#pragma once
// The four IEEE rounding modes, for PTX's .rn, .rz, .rm and .rp: around a loop over lanes (RoundingMode), and
// around single conversions. There the mode register is set around one instruction in volatile assembly,
// which the compiler can't move, so no other arithmetic runs under that mode.
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

inline ModeBits mode_register() {
  ModeBits bits;
#if defined(__x86_64__)
  asm volatile("stmxcsr %0" : "=m"(bits));
#elif defined(__aarch64__)
  asm volatile("mrs %0, fpcr" : "=r"(bits));
#endif
  return bits;
}
/// A compiler knows nothing of modes. What is computed between two calls has to come from memory and go to
/// memory that others see: this it moves past neither.
inline void set_mode_register(ModeBits bits) {
#if defined(__x86_64__)
  asm volatile("ldmxcsr %0" ::"m"(bits) : "memory");
#elif defined(__aarch64__)
  asm volatile("msr fpcr, %0" ::"r"(bits) : "memory");
#endif
}

/// Has this thread met a subnormal number since it last asked? Only where that costs time: on x86-64.
inline bool met_subnormal() {
#if defined(__x86_64__)
  constexpr ModeBits denormal_operand = 1 << 1, underflow = 1 << 4;  // flags of MXCSR
  const ModeBits bits = mode_register();
  if (!(bits & (denormal_operand | underflow))) return false;
  set_mode_register(bits & ~(denormal_operand | underflow));
  return true;
#else
  return false;
#endif
}

/// The machine's mode while this lives: to nearest, with subnormal numbers. The thread that a program calls
/// from may have another one, for which `-ffast-math` is enough.
class MachineMode {
 public:
  MachineMode() { set_mode_register(mode_bits[int(Round::near)]); }
  ~MachineMode() { set_mode_register(old_); }
  MachineMode(const MachineMode&) = delete;
  MachineMode& operator=(const MachineMode&) = delete;

 private:
  const ModeBits old_ = mode_register();
};

/// Another mode while this lives, inside the machine's. To read the old one would take as long as 32 lanes.
class RoundingMode {
 public:
  explicit RoundingMode(Round r) { set_mode_register(mode_bits[int(r)]); }
  ~RoundingMode() { set_mode_register(mode_bits[int(Round::near)]); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;
};

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
