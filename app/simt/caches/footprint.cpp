// Which blocks are replayed together, and how much of the caches they have.
#include <algorithm>
#include <bit>
#include <cmath>

#include "simt/caches/hierarchy.hpp"

namespace dojo::simt {

/// By linear counting: from the share of a map's bits that the lines' hashes leave unset.
CacheHierarchy::Footprint CacheHierarchy::footprint(std::span<const BlockAccesses* const> blocks) {
  constexpr unsigned bits = 22;
  touched_.assign((size_t(1) << bits) / 64, 0);
  const auto touch = [&](const BlockAccesses& b) {
    for (const LineAccess& a : b.log) {
      const uint64_t h = a.line * 0x9E3779B97F4A7C15ull >> (64 - bits);
      touched_[h / 64] |= uint64_t(1) << h % 64;
    }
  };
  const auto lines = [&] {
    size_t set = 0;
    for (const uint64_t word : touched_) set += size_t(std::popcount(word));
    const double all = double(size_t(1) << bits);
    return -all * std::log(std::max(1.0, all - double(set)) / all);
  };
  const size_t last = (blocks.size() + 3) / 4;
  for (const BlockAccesses* b : blocks.first(blocks.size() - last)) touch(*b);
  const double before = lines();
  for (const BlockAccesses* b : blocks.last(last)) touch(*b);
  const double all = lines();
  return {all, (all - before) / double(last)};
}

/// Where all blocks that the GPU runs at once are here, they are replayed together whatever they touch: warps
/// of whole rows have all been read before most are stored, and the L2 then evicts what was read
/// (tests/microbench/rows.cu: of 24 MiB copied in rows of 4 KiB an H100 writes 0.7 MB, in rows of 512
/// bytes 4.8).
bool CacheHierarchy::overflows_l2(std::span<const BlockAccesses> blocks) {
  uint64_t together = this->together();
  if (!in_part_ && blocks.size() > 1 && blocks.size() < side_by_side(blocks[0].log))
    together = blocks.size();  // the launch's last ones
  if (blocks.size() >= together) return false;
  size_t accesses = 0;
  for (const BlockAccesses& b : blocks) accesses += b.log.size();
  if (together <= 1 || double(accesses) * double(together) / double(blocks.size()) <= double(l2_lines_))
    return false;
  std::vector<const BlockAccesses*> here;
  for (const BlockAccesses& b : blocks) here.push_back(&b);
  const Footprint all = footprint(here);
  return all.lines + all.per_more * double(together - blocks.size()) > double(l2_lines_);
}

/// Between two accesses of a block to a line, its SM touches the lines of all blocks that it runs. Where
/// fewer are replayed together, the L1 shrinks in proportion to their lines. Example: an SM runs 4 blocks
/// with 100 lines each; one replayed alone has a quarter of the L1.
uint64_t CacheHierarchy::l1_share(std::span<const BlockAccesses> blocks, bool one_by_one) {
  const uint64_t whole = l1_bytes_[launch_];
  const size_t together = this->together();
  if (blocks.size() >= together || (!in_part_ && blocks.size() < side_by_side(blocks[0].log))) return whole;
  std::vector<const BlockAccesses*> here;
  for (const BlockAccesses& b : blocks)
    if (b.sm == blocks[0].sm) here.push_back(&b);
  const size_t resident = (together + size_t(sms_) - 1) / size_t(sms_);
  const size_t replayed = one_by_one ? 1 : here.size();
  if (replayed >= resident) return whole;
  // A neighbour of the grid stands for the next block that the SM would get.
  if (here.size() == 1 && blocks.size() > 1) here.push_back(&blocks.back());
  const Footprint f = footprint(here);
  const auto lines = [&](size_t count) {
    return f.lines + f.per_more * (double(count) - double(here.size()));
  };
  return lines(resident) > 0 ? uint64_t(double(whole) * std::max(0.0, lines(replayed)) / lines(resident))
                             : whole;
}

size_t CacheHierarchy::side_by_side(std::span<const LineAccess> log) {
  constexpr size_t most = size_t(1) << 23;  // accesses that wait to be replayed: 128 MB
  const size_t together = this->together();
  return std::max<size_t>(1, std::min(together, most / std::max<size_t>(1, log.size())));
}

}  // namespace dojo::simt
