#pragma once
// A 64-bit fingerprint of a text: FNV-1a (Fowler, Noll and Vo, 1991; RFC 9923). It tells versions of our own
// files apart; it resists no attacker.
#include <cstdint>
#include <string_view>

namespace dojo {

constexpr uint64_t fingerprint(std::string_view text, uint64_t hash = 0xcbf29ce484222325ull) {
  for (const char c : text) hash = (hash ^ uint8_t(c)) * 0x100000001b3ull;
  return hash;
}

/// Spreads a fingerprint over all 64 bits, so that its remainder by any number is as good as drawn: the
/// finaliser of MurmurHash3 (Appleby, 2011).
constexpr uint64_t spread(uint64_t h) {
  h = (h ^ h >> 33) * 0xff51afd7ed558ccdull;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53ull;
  return h ^ h >> 33;
}

}  // namespace dojo
