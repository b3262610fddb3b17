#pragma once
// Small tools of the shadow state: which bytes were written, and stores that change nothing.
#include <algorithm>
#include <cstring>

#include "simt/checks/shadow.hpp"

namespace dojo::simt {

/// Bits [from, from + n) of an init map: fn(word index, mask).
template <class F>
void each_word(uint64_t from, uint64_t n, F fn) {
  while (n) {
    const uint64_t bit = from & 63, k = std::min<uint64_t>(n, 64 - bit);
    fn(from / 64, (k == 64 ? ~uint64_t(0) : ((uint64_t(1) << k) - 1)) << bit);
    from += k;
    n -= k;
  }
}
inline bool initialized(const RegionShadow& s, uint64_t from, uint64_t n) {
  bool ok = true;
  each_word(from, n, [&](uint64_t w, uint64_t m) { ok &= (s.init[w] & m) == m; });
  return ok;
}
inline void set_initialized(RegionShadow& s, uint64_t from, uint64_t n) {
  each_word(from, n, [&](uint64_t w, uint64_t m) {
    // Neighbouring blocks on other host threads may set bits of the same word.
    if ((s.init[w] & m) != m) __atomic_fetch_or(&s.init[w], m, __ATOMIC_RELAXED);
  });
}

/// Is what a load reads only ever copied, and never to explicitly global memory?
bool copies_only(Exec& x, const Inst* p);

/// Do two lanes of a store write the same value?
inline bool same_value(Exec& x, const Inst* p, uint32_t l, uint32_t k) {
  if (p->kind != Kind::memory || p->count != 1) return false;
  return p->wide & 2 ? x.slot<uint64_t>(p->d)[l] == x.slot<uint64_t>(p->d)[k]
                     : x.slot<uint32_t>(p->d)[l] == x.slot<uint32_t>(p->d)[k];
}
/// Does a store leave in place what is there?
inline bool keeps_value(Exec& x, const Inst* p, uint32_t l, const std::byte* at) {
  if (p->kind != Kind::memory || p->count != 1 || !at) return false;
  uint64_t v = p->wide & 2 ? x.slot<uint64_t>(p->d)[l] : x.slot<uint32_t>(p->d)[l];
  return std::memcmp(&v, at, p->width) == 0;
}

}  // namespace dojo::simt
