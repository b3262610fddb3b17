#pragma once
// Float arithmetic as a GPU does it: flushing, saturation, the one NaN.
#include <bit>
#include <cmath>
#include <cstdint>

namespace dojo::simt {

inline float flush(float v) {
  uint32_t b = std::bit_cast<uint32_t>(v);
  return std::bit_cast<float>((b & 0x7f800000u) ? b : b & 0x80000000u);
}
/// A float operation's NaN result has one bit pattern on a GPU; doubles keep an operand's, made quiet: the
/// second's before the first's (seen on an H100).
inline float canonical(float v) { return v != v ? std::bit_cast<float>(0x7fffffffu) : v; }
/// `operand`: whose NaN a double's result keeps. A NaN that no operand brought is negative on a GPU, as on
/// x86-64.
inline float canonical(float v, float) { return canonical(v); }
inline double canonical(double v, [[maybe_unused]] double operand) {
#ifdef __aarch64__
  if (v != v) {
    const uint64_t kept = std::bit_cast<uint64_t>(operand) | 0x0008000000000000ull;
    return std::bit_cast<double>(operand != operand ? kept : 0xfff8000000000000ull);
  }
#endif
  return v;
}
inline float saturate(float v) { return v > 0.f ? (v < 1.f ? v : 1.f) : 0.f; }
inline double saturate(double v) { return v; }
inline double flush(double v) { return v; }

inline double quiet(double v) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(v) | 0x0008000000000000ull);
}

/// The result of an operation on a and b that gives the NaN `r`: a float takes r, a double an operand's NaN.
inline float operand_nan(float, float, float r) { return r; }
inline double operand_nan(double a, double b, double r) { return b != b ? quiet(b) : a != a ? quiet(a) : r; }

}  // namespace dojo::simt
