#include "core/types.hpp"

#include <algorithm>
#include <bit>

namespace dojo {

std::string size_argument(const Size& size) {
  std::string s;
  for (const auto& [extent, v] : size) s += (s.empty() ? "" : ",") + extent + "=" + std::to_string(v);
  return s;
}

const Diagnostic* first_error(const std::vector<Diagnostic>& all) {
  const auto at = std::ranges::find(all, Severity::error, &Diagnostic::severity);
  return at == all.end() ? nullptr : &*at;
}

size_t size_of(Elem e) {
  switch (e) {
    case Elem::f64:
    case Elem::i64:
      return 8;
    case Elem::f32:
    case Elem::i32:
    case Elem::u32:
      return 4;
    case Elem::f16:
    case Elem::bf16:
      return 2;
    case Elem::i8:
    case Elem::u8:
      return 1;
  }
  return 0;
}

float half_to_float(uint16_t h) {
  const uint32_t sign = uint32_t(h & 0x8000) << 16;
  const uint32_t exponent = h >> 10 & 31, mantissa = h & 1023;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  // Zero or subnormal: the mantissa counts units of 2^-24, which a float holds exactly.
  const float magnitude = float(mantissa) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
}

uint16_t float_to_half(float f) {
  const uint32_t x = std::bit_cast<uint32_t>(f);
  const uint16_t sign = uint16_t(x >> 16 & 0x8000);
  const uint32_t a = x & 0x7FFFFFFF;
  if (a > 0x7F800000) return sign | 0x7E00 | uint16_t(a >> 13 & 0x1FF);  // NaN: quiet, payload kept
  if (a >= 0x47800000) return sign | 0x7C00;                             // 65536 and more
  if (a < 0x33000000) return sign;                                       // below half of the least subnormal
  if (a < 0x38800000) {                                                  // subnormal: units of 2^-24
    const uint32_t shift = 126 - (a >> 23);
    const uint32_t mantissa = (a & 0x7FFFFF) | 0x800000;
    uint32_t q = mantissa >> shift;
    const uint32_t rest = mantissa & ((1u << shift) - 1), halfway = 1u << (shift - 1);
    if (rest > halfway || (rest == halfway && (q & 1))) ++q;
    return sign | uint16_t(q);
  }
  uint32_t q = (a - 0x38000000) >> 13;
  const uint32_t rest = a & 0x1FFF;
  if (rest > 0x1000 || (rest == 0x1000 && (q & 1))) ++q;  // may carry into infinity, as it must
  return sign | uint16_t(q);
}

float bf16_to_float(uint16_t b) { return std::bit_cast<float>(uint32_t(b) << 16); }

uint16_t float_to_bf16(float f) {
  const uint32_t x = std::bit_cast<uint32_t>(f);
  if ((x & 0x7FFFFFFF) > 0x7F800000) return uint16_t(x >> 16 | 0x40);  // NaN stays a NaN
  return uint16_t((x + 0x7FFF + (x >> 16 & 1)) >> 16);
}

}  // namespace dojo
