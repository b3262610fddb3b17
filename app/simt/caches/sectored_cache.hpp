#pragma once
#include <cstdint>
#include <vector>

namespace dojo::simt {

/// A set-associative cache of sectored lines. Replacement: not recently used, in set order.
class SectoredCache {
 public:
  static constexpr int ways = 16;
  void resize(uint64_t bytes);  ///< capacity; drops everything
  void clear();
  /// The same in no time: sets are cleared when they are next met.
  void invalidate();
  /// Looks a line up for the sectors of `mask`: returns those present. Misses are brought in. `dirty` marks
  /// them written. A line that had to leave adds its dirty sectors to `evicted`.
  uint8_t touch(uint64_t line, uint8_t mask, bool dirty, int* evicted);
  bool has(uint64_t line) const;  ///< a sector of the line
  /// Drops a line, if present.
  void drop(uint64_t line);
  bool empty() const { return sets_ == 0; }
  uint64_t dirty_sectors() const;
  /// Starts to bring the set of a line into the host's cache.
  void prefetch(uint64_t line) const { __builtin_prefetch(&data_[place(line).set]); }

 private:
  struct alignas(64) Set {  // one cache line of the host
    uint16_t tag[ways];     // 0: free
    uint8_t sectors[ways];  // low 4: valid, high 4: dirty
    uint16_t used = 0;      // recently used ways
    uint8_t hand = 0;
    uint32_t epoch = 0;  // of the cache when the set was last met; what an older one holds is gone
  };
  struct Place {
    uint32_t set;
    uint16_t tag;
  };
  /// As many consecutive lines as there are sets go to a set each, from a set on that the next so many don't
  /// share: whatever the stride, lines spread over all sets. (An H100's L1 keeps 256 lines 2 KiB apart:
  /// cusync/12-stream-k at 512 columns takes what it takes at others.) Set and tag tell all lines within 2048
  /// times the cache's size apart.
  Place place(uint64_t line) const {
    const uint32_t x = uint32_t(line) ^ uint32_t(line >> 32) << 24;
    const uint32_t q = uint32_t(static_cast<unsigned __int128>(inverse_) * x >> 64);  // x / sets_
    uint32_t stirred =
        q * 0x9E3779B1u;  // twice: once alone, a stride of 29 lines still came back to few sets
    stirred = (stirred ^ stirred >> 15) * 0x85EBCA6Bu;
    const uint32_t from = uint32_t(uint64_t(stirred) * sets_ >> 32);
    const uint32_t set = x - q * sets_ + from;
    return {set < sets_ ? set : set - sets_, uint16_t(q | 0x8000)};
  }
  int find(const Set&, uint16_t tag) const;
  std::vector<Set> data_;
  uint32_t sets_ = 0, epoch_ = 0;
  uint64_t inverse_ = 0;  // 2^64 / sets_, rounded up
};

}  // namespace dojo::simt
