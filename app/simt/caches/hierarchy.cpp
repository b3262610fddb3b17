#include "simt/caches/hierarchy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace dojo::simt {

namespace {
constexpr size_t kTurn = 2;  // accesses of a warp

/// The sectors' neighbours: DRAM gives 64 bytes at a time, and so does the far half of the L2.
uint8_t neighbours(uint8_t sectors) { return uint8_t((sectors & 5) << 1 | (sectors & 10) >> 1); }
}  // namespace

struct CacheHierarchy::Walk {
  std::span<const LineAccess> log;
  std::vector<uint32_t> order;
  BlockSummary* summary = nullptr;
  std::vector<LineHits>* hits = nullptr;
  SectoredCache* l1 = nullptr;
  int side = 0;           // the half of the L2 that its SM asks
  int gpc = 0;            // of its SM
  uint64_t together = 1;  // 1: the others' accesses are replayed beside these
  uint32_t number = 0;
  uint32_t joined = ~0u;  // the group that it waits with last
  double share = 0;       // of the sectors that DRAM was read for
  size_t warps = 1;
  size_t next = 0, step = 1;  // of its accesses, and how many a turn
  Totals sum;
};

CacheHierarchy::~CacheHierarchy() = default;

CacheHierarchy::CacheHierarchy(const DeviceModel& m)
    : sms_(m.info.sms),
      l2_lines_(L2Cache::lines(m.info.l2_bytes, m.l2_halves())),
      l1_(m.info.sms),
      l1_launch_(m.info.sms, ~0u),
      gpcs_(m.gpcs),
      first_gpc_(m.first_gpc_blocks),
      joined_(m.joined) {
  if (joined_ > 1) on_their_way_.resize(kOnTheirWay);
  l2_.resize(m.info.l2_bytes, m.l2_halves());
  begin({uint64_t(32) * 1024});
}

void CacheHierarchy::begin(std::vector<uint64_t> l1_bytes, std::vector<uint32_t> together) {
  together_ = std::move(together);
  l1_bytes_ = std::move(l1_bytes);
  if (l1_bytes_.empty()) l1_bytes_.push_back(0);
  totals_.assign(l1_bytes_.size(), {});
  std::fill(l1_launch_.begin(), l1_launch_.end(), ~0u);
  launch_ = 0, active_ = 0, l1_left_.reset();
  queues_.clear();
}

void CacheHierarchy::select_launch(uint32_t launch) {
  launch = std::min<uint32_t>(launch, uint32_t(totals_.size()) - 1);
  if (launch != launch_) queues_.clear(), active_ = 0, l1_left_.reset();
  launch_ = launch;
}

void CacheHierarchy::clear() { l2_.clear(); }

// What it stores is taken to be in DRAM at once: its time is in the copy's own.
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

/// By how many bits of a map the lines' hashes leave unset (linear counting).
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

/// Where all blocks that the GPU runs at once are here they are replayed side by side whatever they touch:
/// warps of whole rows have all been read before most are stored, and the L2 then gives up what was read
/// (rows.cu: of 24 MiB copied in rows of 4 KiB an H100 writes 0.7 MB, in rows of 512 bytes 4.8).
bool CacheHierarchy::crowded(std::span<const BlockAccesses> blocks) {
  uint64_t together = this->together();
  if (blocks.size() > 1 && blocks.size() < side_by_side(blocks[0].log))
    together = blocks.size();  // the last ones
  if (blocks.size() >= together) return false;
  size_t accesses = 0;
  for (const BlockAccesses& b : blocks) accesses += b.log.size();
  if (together <= 1 || double(accesses) * double(together) / double(blocks.size()) <= double(l2_lines_))
    return false;
  std::vector<const BlockAccesses*> here;
  for (const BlockAccesses& b : blocks) here.push_back(&b);
  const Footprint all = footprint(here);
  return all.lines + all.each * double(together - blocks.size()) > double(l2_lines_);
}

/// Between two visits of a block to a line its SM touches the lines of all blocks that it runs: where only
/// some of them, or one (`alone`), are replayed side by side, the L1 is smaller by as much as their lines are
/// fewer.
uint64_t CacheHierarchy::l1_left(std::span<const BlockAccesses> blocks, bool alone) {
  const uint64_t whole = l1_bytes_[launch_];
  const size_t together = this->together();
  if (blocks.size() >= together || blocks.size() < side_by_side(blocks[0].log)) return whole;
  std::vector<const BlockAccesses*> here;
  for (const BlockAccesses& b : blocks)
    if (b.sm == blocks[0].sm) here.push_back(&b);
  const size_t resident = (together + size_t(sms_) - 1) / size_t(sms_), beside = alone ? 1 : here.size();
  if (beside >= resident) return whole;
  if (here.size() == 1 && blocks.size() > 1)
    here.push_back(&blocks.back());  // a neighbour for the next one that comes to the SM
  const Footprint f = footprint(here);
  const auto lines = [&](size_t blocks_there) {
    return f.lines + f.each * (double(blocks_there) - double(here.size()));
  };
  return lines(resident) > 0 ? uint64_t(double(whole) * std::max(0.0, lines(beside)) / lines(resident))
                             : whole;
}

size_t CacheHierarchy::side_by_side(std::span<const LineAccess> log) {
  constexpr size_t most = size_t(1) << 23;  // accesses that wait to be replayed: 128 MB
  const size_t together = this->together();
  return std::max<size_t>(1, std::min(together, most / std::max<size_t>(1, log.size())));
}

size_t CacheHierarchy::line_up(std::span<const LineAccess> log, std::vector<uint32_t>& order) {
  size_t warps = 1;
  order.clear();
  order.reserve(log.size());
  const uint32_t n = uint32_t(log.size());
  for (uint32_t at = 0; at < n;) {
    // As far as the warps' numbers rise, none of them has met a barrier yet.
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

/// A launch's first blocks fill the first GPC's part, the others go to all GPCs in runs (joined.cu,
/// `places`).
int CacheHierarchy::gpc_of(int sm) const {
  if (sm < first_gpc_) return 0;
  return (sm - first_gpc_) * gpcs_ / std::max(1, active_ - first_gpc_);
}

uint8_t CacheHierarchy::not_joined(uint64_t line, uint8_t sectors, int gpc) {
  OnItsWay& r = on_their_way_[((line * uint64_t(gpcs_) + uint64_t(gpc)) * 0x9E3779B97F4A7C15ull) >> 50];
  if (r.line == line && r.gpc == gpc && r.turn == turn_ && r.sectors == sectors && r.askers < joined_) {
    ++r.askers;
    return 0;
  }
  r = {line, turn_, gpc, 1, sectors};
  return sectors;
}

/// Of the `rest` that an access wants of the L2, `near` is there. A store finds room at once. A load that
/// misses a sector is counted with the neighbour that comes with it; of an atomic the second sector of 64
/// bytes is there once the first has come.
void CacheHierarchy::count_lookups(Walk& w, const LineAccess& a, uint8_t rest, uint8_t near) {
  const bool loads = a.kind == LineAccess::load || a.kind == LineAccess::load_nc;
  const uint8_t sought = loads && joined_ > 1 && w.together == 1 ? not_joined(a.line, rest, w.gpc) : rest;
  uint8_t missed = sought & uint8_t(~near);
  if (a.kind == LineAccess::store) missed = 0;
  if (a.is_atomic()) missed &= uint8_t(~((missed & 5) << 1));
  w.sum.lookup_hits += unsigned(std::popcount(unsigned(sought & uint8_t(~missed))));
  if (loads) missed |= neighbours(missed) & uint8_t(~rest);
  w.sum.lookup_misses += unsigned(std::popcount(unsigned(missed)));
}

/// Does a load of a line that its half of the L2 asks the other for (`far`), or has by now, wait for it?
bool CacheHierarchy::crosses(uint64_t line, int side, bool far) {
  Crossing& last = crossings_[(line * 0x9E3779B97F4A7C15ull) >> 51];
  if (far) last = {line, turn_, side};
  return far || (last.line == line && last.turn == turn_ && last.side == side);
}

void CacheHierarchy::access(Walk& w, uint32_t at) {
  const LineAccess& a = w.log[at];
  SectoredCache& l1 = *w.l1;
  Totals& t = totals_[launch_];
  const uint8_t mask = a.sectors & 15;
  const int n = std::popcount(unsigned(mask));
  int in_l1 = 0, in_l2 = 0;
  bool far = false;
  uint8_t rest = mask;
  const uint64_t half = a.line * 2 + !(mask & 3);
  switch (a.kind) {
    case LineAccess::load:
    case LineAccess::load_nc:
      w.sum.l1_lookups += unsigned(n);
      if (!l1.empty()) {
        const uint8_t present = l1.touch(a.line, mask, false, nullptr);
        in_l1 = std::popcount(unsigned(present));
        w.sum.l1_hits += unsigned(in_l1);
        rest = mask & uint8_t(~present);
      }
      break;
    case LineAccess::load_volatile:
      w.sum.l1_lookups += unsigned(n);
      break;
    case LineAccess::store:
      w.sum.l1_lookups += unsigned(n);
      if (l1.empty()) break;
      if (l1.has(a.line)) w.sum.l1_hits += unsigned(n);
      l1.touch(a.line, mask, false, nullptr);
      break;
    case LineAccess::atomic:
    case LineAccess::atomic_float:
      w.sum.l1_lookups += unsigned(n);
      if (!l1.empty()) l1.drop(a.line);
      break;
    case LineAccess::prefetch:
      break;
    case LineAccess::invalidate:
      if (!l1.empty()) l1.invalidate();
      break;
  }
  if (rest) {
    const bool writes = a.kind == LineAccess::store || a.is_atomic();
    int evicted = 0;
    const L2Cache::Found found = a.is_atomic()          ? l2_.atomic(a.line, rest, w.side, &evicted)
                                 : a.stores_parts(rest) ? l2_.store_parts(a.line, rest, w.side, &evicted)
                                 : writes               ? l2_.store(a.line, rest, w.side, &evicted)
                                                        : l2_.read(a.line, rest, w.side, &evicted);
    in_l2 = std::popcount(unsigned(found.present));
    far = writes ? found.far : crosses(a.line, w.side, found.far);
    const int to_l2 = std::popcount(unsigned(rest));
    if (w.together > 1) {
      if (const auto own = own_.find(a.line); own != own_.end()) {
        if ((own_touched_ - own->second) * w.together > l2_lines_)
          in_l2 = 0;  // the others' lines have driven it out
        own->second = own_touched_++;
      } else if (in_l2 == 0) {
        own_.emplace(a.line, own_touched_++);
      }
    }
    w.sum.l2_lookups += unsigned(to_l2);
    count_lookups(w, a, rest, in_l2 ? found.near : uint8_t(0));
    if (!writes && a.kind != LineAccess::prefetch) w.sum.fetched += unsigned(to_l2);
    if (!writes) {
      Asked& asked = asked_[half % kAsked];
      if (in_l2 < to_l2) {
        asked = {half, turn_, uint32_t(groups_.size())};
        if ((mask & 3) && (mask & 12)) asked_[(half + 1) % kAsked] = {half + 1, turn_, asked.group};
        groups_.push_back({uint64_t(1) << w.number % 64, w.number, 0});
        w.joined = asked.group;
      } else if (asked.half_line == half && asked.turn == turn_ && w.joined != asked.group) {
        groups_[asked.group].blocks |= uint64_t(1) << w.number % 64;
        followers_.emplace_back(asked.group, w.number);
        w.joined = asked.group;
      }
    }
    if (a.kind != LineAccess::store && in_l2 < to_l2) {
      w.sum.missed += unsigned(to_l2 - in_l2);
      // DRAM gives 64 bytes at a time.
      const uint8_t more = neighbours(rest) & uint8_t(~rest);
      unsigned read = unsigned(to_l2 - in_l2);
      if (more)
        read += unsigned(std::popcount(unsigned(more)) -
                         std::popcount(unsigned(l2_.fill(a.line, more, w.side, &evicted))));
      w.sum.dram_read += read;
      if (!writes)
        groups_.back().sectors = read;
      else
        w.share += read;
    }
    t.met_l2 += unsigned(to_l2);
    t.dram_write += unsigned(evicted);
    t.written_at += double(evicted) * double(t.met_l2);
    if (writes) w.sum.stored += unsigned(to_l2);
    if (a.is_atomic()) {
      t.atomics += uint64_t(std::popcount(a.sectors));
      queues_.take(a);
      t.hot_atomics = std::max(t.hot_atomics, queues_.busiest());
    }
  }
  if (!w.hits) return;
  LineHits& hits = (*w.hits)[at] = {uint8_t(in_l1), uint8_t(in_l2), far};
  const Asked& asked = asked_[half % kAsked];
  if (a.kind == LineAccess::store || asked.half_line != half || asked.turn != turn_) return;
  hits.coming = in_l1 + in_l2 == n;
  hits.far |= l2_.far(a.line, w.side);  // its side has no copy yet
  questions_.emplace_back(&hits, asked.group);
}

/// Divides what DRAM was read for among those who waited for it.
void CacheHierarchy::share_out(size_t blocks) {
  std::array<double, 65> many;  // blocks of a group, by its bits (linear counting)
  for (size_t bits = 0; bits < 64; ++bits) many[bits] = std::max(1.0, -64 * std::log(1 - double(bits) / 64));
  many[64] = double(std::max<size_t>(blocks, 64));
  if (blocks <= 64)
    for (size_t bits = 1; bits <= 64; ++bits) many[bits] = double(bits);
  const auto size = [&](const Group& g) { return many[size_t(std::popcount(g.blocks))]; };
  for (const Group& g : groups_) walks_[g.first].share += g.sectors / size(g);
  for (auto [group, block] : followers_) walks_[block].share += groups_[group].sectors / size(groups_[group]);
  for (auto [hits, group] : questions_)
    hits->askers = uint8_t(std::min(255.0, std::round(size(groups_[group]))));
}

void CacheHierarchy::replay(std::span<BlockAccesses> blocks, bool all) {
  if (blocks.empty()) return;
  const bool alone = !all && crowded(blocks);
  if (!l1_left_ || alone != alone_) {
    l1_left_ = all ? l1_bytes_[launch_] : l1_left(blocks, alone), alone_ = alone;
    std::fill(l1_launch_.begin(), l1_launch_.end(), ~0u);
  }
  if (!alone) return replay_together(blocks, 1);
  for (BlockAccesses& b : blocks) replay_together({&b, 1}, together_[launch_]);
}

void CacheHierarchy::replay_together(std::span<BlockAccesses> blocks, uint64_t together) {
  if (walks_.size() < blocks.size()) walks_.resize(blocks.size());
  for (const BlockAccesses& b : blocks) active_ = std::max(active_, b.sm % sms_ + 1);
  for (size_t i = 0; i < blocks.size(); ++i) {
    BlockAccesses& b = blocks[i];
    Walk& w = walks_[i];
    w.log = b.log, w.summary = b.summary, w.sum = {};
    w.hits = b.want_hits ? &b.hits : nullptr;
    if (w.hits) w.hits->assign(b.log.size(), {});
    w.warps = line_up(w.log, w.order);
    w.next = 0, w.step = kTurn * w.warps;
    const size_t sm = size_t(b.sm) % size_t(sms_);
    w.l1 = &l1_[sm];
    w.gpc = gpc_of(int(sm));
    // On a GPU all SMs of a GPC share a side. But here the blocks that are timed follow one another in the
    // grid, where those that a GPU's SM holds lie apart: by pairs they meet the halves of the L2 as these do.
    w.side = int(sm / 2 & 1);
    if (l1_launch_[sm] != launch_) {
      l1_launch_[sm] = launch_;
      w.l1->resize(*l1_left_);
    }
    w.together = together;
    w.number = uint32_t(i), w.joined = ~0u, w.share = 0;
    if (w.together > 1) own_.clear(), own_touched_ = 0;
  }
  // In turns of two accesses a warp: the blocks go side by side, and the host's caches have time to bring the
  // next sets.
  ++turn_;  // what came before is there
  groups_.clear(), followers_.clear(), questions_.clear();
  for (bool more = true; more; ++turn_) {
    more = false;
    for (size_t i = 0; i < blocks.size(); ++i) {
      Walk& w = walks_[i];
      const size_t n = w.order.size(), to = std::min(w.next + w.step, n);
      const auto prefetch = [&](size_t k) {
        const uint64_t line = w.log[w.order[k]].line;
        l2_.prefetch(line, w.side);
        if (!w.l1->empty()) w.l1->prefetch(line);
      };
      if (w.next == 0)
        for (size_t k = 0; k < to; ++k) prefetch(k);
      for (; w.next < to; ++w.next) {
        if (w.next + w.step < n) prefetch(w.next + w.step);
        access(w, w.order[w.next]);
      }
      more |= to < n;
    }
  }
  share_out(blocks.size());
  Totals& t = totals_[launch_];
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Totals& sum = walks_[i].sum;
    walks_[i].summary->l2_sectors += uint32_t(sum.l2_lookups);
    walks_[i].summary->dram_sectors += uint32_t(std::lround(walks_[i].share));
    t.l1_lookups += sum.l1_lookups;
    t.l1_hits += sum.l1_hits;
    t.l2_lookups += sum.l2_lookups;
    t.lookup_hits += sum.lookup_hits;
    t.lookup_misses += sum.lookup_misses;
    t.fetched += sum.fetched;
    t.missed += sum.missed;
    t.dram_read += sum.dram_read;
    t.stored += sum.stored;
  }
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
