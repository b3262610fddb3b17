#include <array>

#include "ptx/module.hpp"

namespace dojo::ptx {
namespace {

struct Entry {
  std::string_view word;
  Type type;
  int bits;
};
constexpr std::array entries = {
    Entry{"pred", Type::pred, 1},      Entry{"b8", Type::b8, 8},        Entry{"b16", Type::b16, 16},
    Entry{"b32", Type::b32, 32},       Entry{"b64", Type::b64, 64},     Entry{"b128", Type::b128, 128},
    Entry{"u8", Type::u8, 8},          Entry{"u16", Type::u16, 16},     Entry{"u32", Type::u32, 32},
    Entry{"u64", Type::u64, 64},       Entry{"s8", Type::s8, 8},        Entry{"s16", Type::s16, 16},
    Entry{"s32", Type::s32, 32},       Entry{"s64", Type::s64, 64},     Entry{"f16", Type::f16, 16},
    Entry{"f16x2", Type::f16x2, 32},   Entry{"bf16", Type::bf16, 16},   Entry{"bf16x2", Type::bf16x2, 32},
    Entry{"tf32", Type::tf32, 32},     Entry{"f32", Type::f32, 32},     Entry{"f64", Type::f64, 64},
    Entry{"e4m3", Type::e4m3, 8},      Entry{"e5m2", Type::e5m2, 8},    Entry{"e4m3x2", Type::e4m3x2, 16},
    Entry{"e5m2x2", Type::e5m2x2, 16}, Entry{"u16x2", Type::u16x2, 32}, Entry{"s16x2", Type::s16x2, 32},
};

constexpr std::array bits_of_types = [] {
  std::array<uint8_t, 256> all{};
  for (const Entry& e : entries) all[size_t(e.type)] = uint8_t(e.bits);
  return all;
}();

}  // namespace

int bits(Type t) { return bits_of_types[size_t(t) & 255]; }

Type type_from(std::string_view word) {
  for (auto& e : entries)
    if (e.word == word) return e.type;
  return Type::none;
}

}  // namespace dojo::ptx
