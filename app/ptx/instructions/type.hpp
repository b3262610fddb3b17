#pragma once
// PTX's fundamental types and state spaces.
#include <cstdint>
#include <string_view>

namespace dojo::ptx {

/// PTX fundamental types.
enum class Type : uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
  u16x2,
  s16x2,
};
/// Two 16-bit integers in a 32-bit register?
inline bool is_pair16(Type t) { return t == Type::u16x2 || t == Type::s16x2; }
int bits(Type);                         ///< width in bits; pred 1
Type type_from(std::string_view word);  ///< "f32" -> f32; none when not a type

enum class Space : uint8_t { none, reg, param, shared, global, local, constant };

}  // namespace dojo::ptx
