#include "simt/caches/hierarchy.hpp"

#include <array>
#include <bit>
#include <cmath>

#include "simt/caches/walk.hpp"

namespace dojo::simt {

namespace {
constexpr size_t kAccessesPerStep = 2;  // of a warp
}  // namespace

CacheHierarchy::~CacheHierarchy() = default;

CacheHierarchy::CacheHierarchy(const DeviceModel& m)
    : sms_(m.info.sms),
      l2_lines_(L2Cache::lines(m.info.l2_bytes, m.l2_halves())),
      most_dirty_(uint64_t(double(m.info.l2_bytes) / 32 * m.memory.l2_dirty_share)),
      l1_(m.info.sms),
      l1_launch_(m.info.sms, ~0u),
      queues_(m.memory.atomic_float_turns),
      gpcs_(m.gpcs),
      first_gpc_(m.first_gpc_blocks),
      combined_(m.joined) {
  if (combined_ > 1) combined_loads_.resize(kCombinedLoads);
  l2_.resize(m.info.l2_bytes, m.l2_halves());
  begin({uint64_t(32) * 1024});
}

void CacheHierarchy::begin(std::vector<uint64_t> l1_bytes, std::vector<uint32_t> together) {
  together_ = std::move(together);
  l1_bytes_ = std::move(l1_bytes);
  if (l1_bytes_.empty()) l1_bytes_.push_back(0);
  totals_.assign(l1_bytes_.size(), {});
  std::fill(l1_launch_.begin(), l1_launch_.end(), ~0u);
  launch_ = 0, active_sms_ = 0, l1_share_.reset();
  dirty_at_start_ = dirty_sectors();
  queues_.clear();
}

void CacheHierarchy::select_launch(uint32_t launch, bool in_part) {
  launch = std::min<uint32_t>(launch, uint32_t(totals_.size()) - 1);
  if (launch != launch_)
    queues_.clear(), active_sms_ = 0, l1_share_.reset(), dirty_at_start_ = dirty_sectors();
  launch_ = launch, in_part_ = in_part;
}

void CacheHierarchy::clear() { l2_.clear(), assumed_dirty_ = 0; }

// What a copy stores counts as written to DRAM at once: that time is part of the copy's own.
uint64_t CacheHierarchy::copied(uint64_t to, uint64_t from, uint64_t bytes) {
  constexpr uint8_t whole = 0xF;
  uint64_t missed = 0;
  if (bytes == 0) return 0;
  for (uint64_t line = from / 128; line <= (from + bytes - 1) / 128; ++line) {
    int evicted = 0;
    missed += uint64_t(std::popcount(unsigned(whole & ~l2_.read(line, whole, 0, &evicted).present)));
  }
  for (uint64_t line = to / 128; line <= (to + bytes - 1) / 128; ++line) {
    int evicted = 0;
    l2_.fill(line, whole, 0, &evicted);
  }
  return missed;
}

// ---- Replay -----------------------------------------------------------------------------------------------

// Blocks that would overflow the L2 are replayed one after another, with reuse distances in place of the
// others' accesses: what a block reads a second time is in L2 only if all that the blocks read in between
// fits.
void CacheHierarchy::replay(std::span<BlockAccesses> blocks, bool all) {
  if (blocks.empty()) return;
  const bool one_by_one = !all && overflows_l2(blocks);
  if (!l1_share_ || one_by_one != one_by_one_) {
    l1_share_ = all ? l1_bytes_[launch_] : l1_share(blocks, one_by_one), one_by_one_ = one_by_one;
    std::fill(l1_launch_.begin(), l1_launch_.end(), ~0u);
  }
  if (!one_by_one) return replay_interleaved(blocks, 1);
  for (BlockAccesses& b : blocks) replay_interleaved({&b, 1}, together_[launch_]);
}

size_t CacheHierarchy::interleave_warps(std::span<const LineAccess> log, std::vector<uint32_t>& order) {
  size_t warps = 1;
  order.clear();
  order.reserve(log.size());
  const uint32_t n = uint32_t(log.size());
  for (uint32_t at = 0; at < n;) {
    // While the warps' numbers rise, none of them has passed a barrier.
    runs_.clear();
    for (int warp = -1; at<n&& int(log[at].warp)> warp;) {
      warp = log[at].warp;
      const uint32_t from = at;
      while (at < n && log[at].warp == warp) ++at;
      runs_.emplace_back(from, at);
    }
    warps = std::max(warps, runs_.size());
    while (!runs_.empty()) {
      size_t kept = 0;
      for (auto [next, end] : runs_) {
        order.push_back(next);
        if (++next < end) runs_[kept++] = {next, end};
      }
      runs_.resize(kept);
    }
  }
  return warps;
}

void CacheHierarchy::start_walk(Walk& w, BlockAccesses& b, uint32_t number, uint64_t together) {
  w.log = b.log, w.summary = b.summary, w.sum = {};
  w.hits = b.want_hits ? &b.hits : nullptr;
  if (w.hits) w.hits->assign(b.log.size(), {});
  w.per_step = kAccessesPerStep * interleave_warps(w.log, w.order);
  w.next = 0;
  const size_t sm = size_t(b.sm) % size_t(sms_);
  w.l1 = &l1_[sm];
  w.gpc = gpc_of(int(sm));
  // On a GPU all SMs of a GPC share a side. Here the blocks that are timed are consecutive in the grid, where
  // those of a GPU's SM lie apart: paired, they meet the halves of the L2 as often as those.
  w.side = int(sm / 2 & 1);
  if (l1_launch_[sm] != launch_) {
    l1_launch_[sm] = launch_;
    w.l1->resize(*l1_share_);
  }
  w.together = together;
  w.number = number, w.group = Walk::no_group, w.dram_share = 0;
  if (w.together > 1) own_lines_.clear(), own_touched_ = 0;
}

// Blocks are interleaved in steps of two accesses per warp. This order also gives the host's caches time to
// load the sets of the next step.
void CacheHierarchy::replay_interleaved(std::span<BlockAccesses> blocks, uint64_t together) {
  if (walks_.size() < blocks.size()) walks_.resize(blocks.size());
  for (const BlockAccesses& b : blocks) active_sms_ = std::max(active_sms_, b.sm % sms_ + 1);
  for (size_t i = 0; i < blocks.size(); ++i) start_walk(walks_[i], blocks[i], uint32_t(i), together);
  ++step_;  // all earlier requests have been answered
  groups_.clear(), followers_.clear(), waiting_hits_.clear();
  for (bool more = true; more; ++step_) {
    more = false;
    for (size_t i = 0; i < blocks.size(); ++i) {
      Walk& w = walks_[i];
      const size_t n = w.order.size(), to = std::min(w.next + w.per_step, n);
      const auto prefetch = [&](size_t k) {
        const uint64_t line = w.log[w.order[k]].line;
        l2_.prefetch(line, w.side);
        if (!w.l1->empty()) w.l1->prefetch(line);
      };
      if (w.next == 0)
        for (size_t k = 0; k < to; ++k) prefetch(k);
      for (; w.next < to; ++w.next) {
        if (w.next + w.per_step < n) prefetch(w.next + w.per_step);
        access(w, w.order[w.next]);
      }
      more |= to < n;
    }
  }
  share_dram_reads(blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) add_to_totals(walks_[i]);
}

// A group's bits count its blocks exactly up to 64 blocks. Beyond, several blocks share a bit, and their
// number is estimated from the bits that are unset (linear counting).
void CacheHierarchy::share_dram_reads(size_t blocks) {
  std::array<double, 65> blocks_of_bits;
  for (size_t bits = 0; bits < 64; ++bits)
    blocks_of_bits[bits] = std::max(1.0, -64 * std::log(1 - double(bits) / 64));
  blocks_of_bits[64] = double(std::max<size_t>(blocks, 64));
  if (blocks <= 64)
    for (size_t bits = 1; bits <= 64; ++bits) blocks_of_bits[bits] = double(bits);
  const auto size = [&](const Group& g) { return blocks_of_bits[size_t(std::popcount(g.blocks))]; };
  for (const Group& g : groups_) walks_[g.first].dram_share += g.sectors / size(g);
  for (auto [group, block] : followers_)
    walks_[block].dram_share += groups_[group].sectors / size(groups_[group]);
  for (auto [hits, group] : waiting_hits_)
    hits->askers = uint8_t(std::min(255.0, std::round(size(groups_[group]))));
}

void CacheHierarchy::add_to_totals(const Walk& w) {
  w.summary->l2_sectors += uint32_t(w.sum.l2_lookups);
  w.summary->dram_sectors += uint32_t(std::lround(w.dram_share));
  Totals& t = totals_[launch_];
  t.l1_lookups += w.sum.l1_lookups;
  t.l1_hits += w.sum.l1_hits;
  t.l2_lookups += w.sum.l2_lookups;
  t.lookup_hits += w.sum.lookup_hits;
  t.lookup_misses += w.sum.lookup_misses;
  t.fetched += w.sum.fetched;
  t.missed += w.sum.missed;
  t.dram_read += w.sum.dram_read;
  t.rows_opened += w.sum.rows_opened;
  t.load_lines += w.sum.load_lines;
  t.stored += w.sum.stored;
  t.stored_parts += w.sum.stored_parts;
}

void CacheHierarchy::replay(int sm, std::span<const LineAccess> log, BlockSummary& summary,
                            std::vector<LineHits>* hits) {
  BlockAccesses one;
  summary.l2_sectors = summary.dram_sectors = 0;
  one.sm = sm, one.summary = &summary, one.want_hits = hits != nullptr;
  one.log.assign(log.begin(), log.end());
  replay({&one, 1});
  if (hits) *hits = std::move(one.hits);
}

}  // namespace dojo::simt
