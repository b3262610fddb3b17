// A launch of which only a part of the blocks ran in detail: what the others did is estimated.
#include <cmath>
#include <map>

#include "simt/machine/machine_core.hpp"

namespace dojo::simt {
namespace {

using Summaries = std::vector<const BlockSummary*>;

/// The blocks in detail that those left out are taken to be like: in turn those that executed the same number
/// of instructions, else the nearest number. Blocks of the first run count only where no later one executed
/// as many: they find the caches as the launch does, often cold, and are a smaller part of it than of the
/// sample.
class Likes {
 public:
  Likes(const BlockSample& sample, std::span<const BlockSummary> blocks) {
    std::map<uint32_t, Summaries> first;
    for (uint64_t b = 0; b < blocks.size(); ++b)
      if (sample.has(b))
        (b < sample.first_end() ? first : by_instructions_)[blocks[b].warp_instructions].push_back(
            &blocks[b]);
    by_instructions_.merge(first);  // keeps what is there
  }

  const BlockSummary& of(uint64_t block, uint32_t instructions) const {
    auto above = by_instructions_.lower_bound(instructions);
    if (above == by_instructions_.end()) --above;
    if (above->first != instructions && above != by_instructions_.begin()) {
      const auto below = std::prev(above);
      const double n = instructions + 1.0;
      if (n / (below->first + 1.0) < (above->first + 1.0) / n) above = below;
    }
    return *above->second[block % above->second.size()];
  }

 private:
  std::map<uint32_t, Summaries> by_instructions_;
};

/// Fills in what a block left out did not count.
void take_after(BlockSummary& b, const BlockSummary& like) {
  b.signature = like.signature;
  const double factor = like.warp_instructions ? double(b.warp_instructions) / like.warp_instructions : 1;
  if (b.warp_instructions != like.warp_instructions)
    b.signature ^= b.warp_instructions * 0xD6E8FEB86659FD93ull;
  const auto scaled = [&](uint32_t n) { return uint32_t(std::lround(n * factor)); };
  b.shared_wavefronts = scaled(like.shared_wavefronts);
  b.global_requests = scaled(like.global_requests), b.global_sectors = scaled(like.global_sectors);
  b.l2_sectors = scaled(like.l2_sectors), b.dram_sectors = scaled(like.dram_sectors);
}

}  // namespace

void Machine::estimate_left_out(Grid& g) {
  std::vector<BlockSummary>& blocks = g.trace->blocks;
  const Likes likes(g.sample, blocks);
  double l2[2] = {}, dram[2] = {};  // of the blocks in detail, of all
  for (uint64_t b = 0; b < blocks.size(); ++b) {
    const bool in_detail = g.sample.has(b);
    if (!in_detail) take_after(blocks[b], likes.of(b, blocks[b].warp_instructions));
    for (const bool all : {false, true})
      if (all || in_detail) l2[all] += blocks[b].l2_sectors, dram[all] += blocks[b].dram_sectors;
  }
  if (!config_.hierarchy) return;
  select(g);
  config_.hierarchy->replayed_part(l2[0] > 0 ? l2[1] / l2[0] : 1, dram[0] > 0 ? dram[1] / dram[0] : 1);
}

}  // namespace dojo::simt
