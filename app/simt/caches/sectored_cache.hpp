#pragma once
// The tag array of a set-associative cache: lines of four sectors, each valid and dirty on its own. It holds
// no data.
//
// A set has 16 ways. Replacement is NRU (not recently used): each access marks its way as used; when all ways
// are marked, only the last one stays so. A miss takes the next unmarked way from the hand on. Example with 4
// ways: after accesses to ways 0, 1, 3 a miss replaces way 2, and then all marks but that of way 2 are
// cleared.
#include <cstdint>
#include <vector>

namespace dojo::simt {

class SectoredCache {
 public:
  static constexpr int ways = 16;
  void resize(uint64_t bytes);  ///< sets the capacity; drops all lines
  void clear();
  /// As clear(), in constant time: each set is cleared at its next access.
  void invalidate();
  /// Accesses the sectors of `mask` of a line: returns those present and brings in the others. `dirty` marks
  /// all of them dirty. If a line is evicted, its dirty sectors are added to `evicted`: the write-back
  /// traffic.
  uint8_t touch(uint64_t line, uint8_t mask, bool dirty, int* evicted);
  bool has(uint64_t line) const;  ///< is a sector of the line present?
  /// Drops a line, if present, without write-back.
  void drop(uint64_t line);
  bool empty() const { return sets_ == 0; }
  uint64_t dirty_sectors() const;
  /// Starts to load the set of a line into the host's cache.
  void prefetch(uint64_t line) const { __builtin_prefetch(&data_[place(line).set]); }

 private:
  struct alignas(64) Set {  // one cache line of the host
    uint16_t tag[ways];     // 0: free
    uint8_t sectors[ways];  // low 4: valid, high 4: dirty
    uint16_t used = 0;      // recently used ways
    uint8_t hand = 0;       // the way from which the next victim is looked for
    uint32_t epoch = 0;     // of the cache at the last access; a set of an older epoch is empty
  };
  struct Place {
    uint32_t set;
    uint16_t tag;
  };
  /// The set and tag of a line. Each run of `sets_` consecutive lines covers all sets once, starting at a set
  /// that is hashed from the run's number: so lines of any stride spread over all sets (an H100's L1 keeps
  /// 256 lines 2 KiB apart). Set and tag tell all lines within 2048 times the cache's size apart.
  Place place(uint64_t line) const {
    const uint32_t x = uint32_t(line) ^ uint32_t(line >> 32) << 24;
    const uint32_t q = uint32_t(static_cast<unsigned __int128>(inverse_) * x >> 64);  // x / sets_
    uint32_t stirred =
        q * 0x9E3779B1u;  // hashed twice: after one round, lines of stride 29 still share few sets
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
