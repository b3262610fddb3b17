#include "simt/hierarchy.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace dojo::simt {

void SectoredCache::resize(uint64_t bytes) {
  sets_ = uint32_t(bytes / 128 / ways);
  inverse_ = sets_ ? ~uint64_t(0) / sets_ + 1 : 0;
  if (data_.size() != sets_) data_.resize(sets_);
  clear();
}

void SectoredCache::clear() {
  if (!data_.empty()) std::memset(static_cast<void*>(data_.data()), 0, data_.size() * sizeof(Set));
}

int SectoredCache::find(const Set& s, uint16_t tag) const {
#if defined(__AVX2__)
  const __m256i same = _mm256_cmpeq_epi16(_mm256_set1_epi16(short(tag)),
                                          _mm256_load_si256(reinterpret_cast<const __m256i*>(s.tag)));
  const uint32_t m = uint32_t(_mm256_movemask_epi8(same));
  return m ? std::countr_zero(m) / 2 : -1;
#else
  for (int w = 0; w < ways; ++w)
    if (s.tag[w] == tag) return w;
  return -1;
#endif
}

uint8_t SectoredCache::touch(uint64_t line, uint8_t mask, bool dirty, int* evicted) {
  const Place at = place(line);
  Set& s = data_[at.set];
  const uint8_t marks = uint8_t(mask | (dirty ? mask << 4 : 0));
  int w = find(s, at.tag);
  uint8_t present = 0;
  if (w >= 0) {
    present = s.sectors[w] & mask;
    s.sectors[w] |= marks;
  } else {
    // The first way from the hand on that was not used lately.
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

void SectoredCache::drop(uint64_t line) {
  const Place at = place(line);
  Set& s = data_[at.set];
  const int w = find(s, at.tag);
  if (w < 0) return;
  s.tag[w] = 0;
  s.sectors[w] = 0;
  s.used &= uint16_t(~(1u << w));
}

CacheHierarchy::CacheHierarchy(const DeviceModel& m)
    : sms_(m.info.sms), l2_lines_(m.info.l2_bytes / 128), l1_(m.info.sms), l1_launch_(m.info.sms, ~0u) {
  l2_.resize(m.info.l2_bytes);
  begin({uint64_t(32) * 1024});
}

void CacheHierarchy::begin(std::vector<uint64_t> l1_bytes, std::vector<uint32_t> together) {
  together_ = std::move(together);
  l1_bytes_ = std::move(l1_bytes);
  if (l1_bytes_.empty()) l1_bytes_.push_back(0);
  totals_.assign(l1_bytes_.size(), {});
  std::fill(l1_launch_.begin(), l1_launch_.end(), ~0u);
  launch_ = 0;
  hot_.assign(1024, {});
}

void CacheHierarchy::select_launch(uint32_t launch) {
  launch = std::min<uint32_t>(launch, uint32_t(totals_.size()) - 1);
  if (launch != launch_) hot_.assign(1024, {});
  launch_ = launch;
}

void CacheHierarchy::clear() { l2_.clear(); }

void CacheHierarchy::replay(int sm, std::span<const LineAccess> log, BlockSummary& block,
                            std::vector<std::pair<uint8_t, uint8_t>>* hits) {
  SectoredCache& l1 = l1_[size_t(sm) % size_t(sms_)];
  uint32_t& held = l1_launch_[size_t(sm) % size_t(sms_)];
  if (held != launch_) {
    held = launch_;
    const uint64_t bytes = l1_bytes_[launch_];
    l1.resize(bytes);
  }
  Totals& t = totals_[launch_];
  Totals sum;
  int evicted = 0;
  if (hits) hits->clear(), hits->reserve(log.size());
  const uint64_t together = launch_ < together_.size() ? together_[launch_] : 1;
  const bool crowded = together > 1 && log.size() * together > l2_lines_;
  uint32_t touched = 0;
  if (crowded) own_.clear();
  constexpr size_t ahead = 8;
  const auto prefetch = [&](size_t i) {
    l2_.prefetch(log[i].line);
    if (!l1.empty()) l1.prefetch(log[i].line);
  };
  for (size_t i = 0; i < std::min(ahead, log.size()); ++i) prefetch(i);
  for (size_t i = 0; i < log.size(); ++i) {
    const LineAccess& a = log[i];
    if (i + ahead < log.size()) prefetch(i + ahead);
    const uint8_t mask = a.sectors & 15;
    const int n = std::popcount(unsigned(mask));
    int in_l1 = 0;
    uint8_t rest = mask;
    switch (a.kind) {
      case LineAccess::load:
      case LineAccess::load_nc:
        sum.l1_lookups += unsigned(n);
        if (!l1.empty()) {
          const uint8_t present = l1.touch(a.line, mask, false, nullptr);
          in_l1 = std::popcount(unsigned(present));
          sum.l1_hits += unsigned(in_l1);
          rest = mask & uint8_t(~present);
        }
        break;
      case LineAccess::load_volatile: sum.l1_lookups += unsigned(n); break;
      case LineAccess::store:
      case LineAccess::atomic:
        if (!l1.empty()) l1.drop(a.line);
        break;
      case LineAccess::prefetch: break;
    }
    int in_l2 = 0;
    if (rest) {
      const bool writes = a.kind == LineAccess::store || a.kind == LineAccess::atomic;
      in_l2 = std::popcount(unsigned(l2_.touch(a.line, rest, writes, &evicted)));
      const int to_l2 = std::popcount(unsigned(rest));
      if (crowded) {
        if (const auto own = own_.find(a.line); own != own_.end()) {
          if ((touched - own->second) * together > l2_lines_) in_l2 = 0;  // the others' lines have driven it out
          own->second = touched++;
        } else if (in_l2 == 0) {
          own_.emplace(a.line, touched++);
        }
      }
      sum.l2_lookups += unsigned(to_l2);
      // A store finds room at once: it counts as a hit and reads nothing.
      sum.l2_hits += unsigned(a.kind == LineAccess::store ? to_l2 : in_l2);
      if (a.kind != LineAccess::store) sum.dram_read += unsigned(to_l2 - in_l2);
      if (writes) sum.stored += unsigned(to_l2);
      if (a.kind == LineAccess::atomic) {
        // Space-saving in one slot a line: a newcomer takes over when the old line's count has run out.
        Hot& h = hot_[a.line * 0x9E3779B97F4A7C15ull >> 54];
        const uint64_t turns = a.turns ? a.turns : atomic_turns(a.sectors, 0);
        t.atomics += uint64_t(std::popcount(a.sectors));
        if (h.line == a.line || h.count == 0) {
          h.line = a.line;
          t.hot_atomics = std::max(t.hot_atomics, h.count += turns);
        } else {
          h.count -= std::min(h.count, turns);
        }
      }
    }
    if (hits) hits->emplace_back(uint8_t(in_l1), uint8_t(in_l2));
  }
  block.l2_sectors = uint32_t(sum.l2_lookups);
  block.dram_sectors = uint32_t(sum.dram_read);
  t.l1_lookups += sum.l1_lookups;
  t.l1_hits += sum.l1_hits;
  t.l2_lookups += sum.l2_lookups;
  t.l2_hits += sum.l2_hits;
  t.dram_read += sum.dram_read;
  t.dram_write += unsigned(evicted);
  t.stored += sum.stored;
}

}  // namespace dojo::simt
