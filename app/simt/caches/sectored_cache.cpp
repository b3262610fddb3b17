#include "simt/caches/sectored_cache.hpp"

#include <bit>
#include <cstring>

#include "simt/simd.hpp"

namespace dojo::simt {

void SectoredCache::resize(uint64_t bytes) {
  sets_ = uint32_t(bytes / 128 / ways);
  inverse_ = sets_ ? ~uint64_t(0) / sets_ + 1 : 0;
  if (data_.size() != sets_) data_.resize(sets_);
  clear();
}

void SectoredCache::clear() {
  if (!data_.empty()) std::memset(static_cast<void*>(data_.data()), 0, data_.size() * sizeof(Set));
  epoch_ = 0;
}

void SectoredCache::invalidate() {
  if (++epoch_ == 0) clear();
}

int SectoredCache::find(const Set& s, uint16_t tag) const {
  static_assert(ways == 16);
  return simd::find16(s.tag, tag);
}

uint8_t SectoredCache::touch(uint64_t line, uint8_t mask, bool dirty, int* evicted) {
  const Place at = place(line);
  Set& s = data_[at.set];
  if (s.epoch != epoch_) s = {}, s.epoch = epoch_;
  const uint8_t marks = uint8_t(mask | (dirty ? mask << 4 : 0));
  int w = find(s, at.tag);
  uint8_t present = 0;
  if (w >= 0) {
    present = s.sectors[w] & mask;
    s.sectors[w] |= marks;
  } else {
    // The victim: the first way from the hand on that was not recently used.
    const uint32_t free = uint16_t(~s.used);
    const uint32_t behind = free >> s.hand << s.hand;
    w = std::countr_zero(behind ? behind : free);
    s.hand = uint8_t((w + 1) % ways);
    if (evicted) *evicted += std::popcount(unsigned(s.sectors[w] >> 4));
    s.tag[w] = at.tag;
    s.sectors[w] = marks;
  }
  s.used |= uint16_t(1u << w);
  if (s.used == 0xFFFF) s.used = uint16_t(1u << w);
  return present;
}

uint64_t SectoredCache::dirty_sectors() const {
  uint64_t n = 0;
  for (const Set& s : data_)
    for (uint8_t sectors : s.sectors) n += unsigned(std::popcount(unsigned(sectors >> 4)));
  return n;
}

bool SectoredCache::has(uint64_t line) const {
  const Place at = place(line);
  return data_[at.set].epoch == epoch_ && find(data_[at.set], at.tag) >= 0;
}

void SectoredCache::drop(uint64_t line) {
  const Place at = place(line);
  Set& s = data_[at.set];
  const int w = find(s, at.tag);
  if (w < 0) return;
  s.tag[w] = 0;
  s.sectors[w] = 0;
  s.used &= uint16_t(~(1u << w));
}

}  // namespace dojo::simt
