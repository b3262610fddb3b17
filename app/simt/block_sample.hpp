#pragma once
// Which blocks of a launch run in detail where not all do: a run of consecutive blocks from the first on,
// which finds the caches as the launch does, and three runs spread evenly behind it, the last of which ends
// with the last block. Consecutive, since neighbours share lines. The other blocks run for their results.
//
// Example: 40 of 1000 blocks are 0 to 19, 340 to 345, 665 to 671 and 993 to 999.
#include <algorithm>
#include <cstdint>
#include <vector>

namespace dojo::simt {

class BlockSample {
 public:
  /// All blocks in detail.
  BlockSample() = default;
  /// `in_detail` of `blocks`; 0, or not fewer than there are: all.
  BlockSample(uint64_t blocks, uint64_t in_detail) {
    if (in_detail == 0 || in_detail >= blocks) return;
    const uint64_t first = (in_detail + 1) / 2, rest = in_detail - first;
    const uint64_t later = std::min<uint64_t>(3, rest);
    runs_.push_back({0, first, 0});
    for (uint64_t k = 1; k <= later; ++k) {
      const uint64_t size = rest * k / later - rest * (k - 1) / later;
      const uint64_t end = first + (blocks - first) / later * k + (k == later ? (blocks - first) % later : 0);
      runs_.push_back({end - size, end, runs_.back().before + runs_.back().size()});
    }
  }

  bool whole() const { return runs_.empty(); }
  bool has(uint64_t block) const { return whole() || run_of(block); }
  /// The end of the first run: the blocks in detail below it found the caches as the launch did.
  uint64_t first_end() const { return whole() ? 0 : runs_[0].end; }
  /// Blocks in detail; 0: all.
  uint64_t in_detail() const { return whole() ? 0 : runs_.back().before + runs_.back().size(); }
  /// Whether the time model wants the block's trace: of `most` blocks, evenly among those in detail.
  bool traced(uint64_t block, uint64_t most) const {
    const Run* r = run_of(block);
    if (!r) return false;
    const uint64_t at = r->before + block - r->first, all = in_detail();
    return all <= most || at * most / all != (at + 1) * most / all;
  }

 private:
  struct Run {
    uint64_t first, end;
    uint64_t before;  ///< blocks in detail before this run
    uint64_t size() const { return end - first; }
  };
  const Run* run_of(uint64_t block) const {
    for (const Run& r : runs_)
      if (block >= r.first && block < r.end) return &r;
    return nullptr;
  }
  std::vector<Run> runs_;
};

}  // namespace dojo::simt
