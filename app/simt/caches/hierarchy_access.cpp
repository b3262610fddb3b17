// One access on its way through L1, L2 and DRAM.
#include <bit>
#include <utility>

#include "simt/caches/walk.hpp"

namespace dojo::simt {
namespace {

/// The other sectors of their 64 bytes: DRAM answers in such pairs, and so does the far half of the L2.
uint8_t pair_sectors(uint8_t sectors) { return uint8_t((sectors & 5) << 1 | (sectors & 10) >> 1); }

int count(unsigned sectors) { return std::popcount(sectors); }

bool writes(const LineAccess& a) { return a.kind == LineAccess::store || a.is_atomic(); }

}  // namespace

void CacheHierarchy::access(Walk& w, uint32_t at) {
  const LineAccess& a = w.log[at];
  const uint8_t mask = a.sectors & 15;
  const uint64_t half_line = a.line * 2 + !(mask & 3);
  int l1_hits = 0;
  const uint8_t beyond_l1 = look_up_l1(w, a, &l1_hits);
  L2Answer l2;
  if (beyond_l1) {
    const int lookups = count(beyond_l1);
    l2 = look_up_l2(w, a, beyond_l1);
    w.sum.l2_lookups += unsigned(lookups);
    count_nsight_lookups(w, a, beyond_l1, l2.hits ? l2.near : uint8_t(0));
    if (!writes(a)) {
      if (a.kind != LineAccess::prefetch) w.sum.fetched += unsigned(lookups), ++w.sum.load_lines;
      join_dram_request(w, half_line, (mask & 3) && (mask & 12), l2.hits < lookups);
    }
    if (a.kind != LineAccess::store && l2.hits < lookups) read_dram(w, a, beyond_l1, l2);
    Totals& t = totals_[launch_];
    t.met_l2 += unsigned(lookups);
    t.dram_write += unsigned(l2.evicted);
    t.written_at += double(l2.evicted) * double(t.met_l2);
    if (writes(a)) w.sum.stored += unsigned(lookups);
    // A lone one may be the end of a row.
    if (const int parts = a.kind == LineAccess::store ? count(a.turns & 15) : 0; parts > 1)
      w.sum.stored_parts += unsigned(parts);
    if (a.is_atomic()) {
      t.atomics += uint64_t(std::popcount(a.sectors));
      t.packets += std::max<uint64_t>(uint64_t(std::popcount(a.sectors)), (a.turns + 2u) / 3u);
      queues_.take(a);
      t.hot_atomics = std::max(t.hot_atomics, queues_.busiest());
    }
  }
  if (w.hits) note_hits(w, at, a, half_line, {uint8_t(l1_hits), uint8_t(l2.hits), l2.far});
}

uint8_t CacheHierarchy::look_up_l1(Walk& w, const LineAccess& a, int* hits) {
  SectoredCache& l1 = *w.l1;
  const uint8_t mask = a.sectors & 15;
  const unsigned sectors = unsigned(count(mask));
  if (a.kind != LineAccess::prefetch && a.kind != LineAccess::invalidate) w.sum.l1_lookups += sectors;
  if (l1.empty()) return mask;
  switch (a.kind) {
    case LineAccess::load:
    case LineAccess::load_nc: {
      const uint8_t present = l1.touch(a.line, mask, false, nullptr);
      *hits = count(present);
      w.sum.l1_hits += unsigned(*hits);
      return mask & uint8_t(~present);
    }
    case LineAccess::store:
      if (l1.has(a.line)) w.sum.l1_hits += sectors;
      l1.touch(a.line, mask, false, nullptr);
      return mask;
    case LineAccess::atomic:
    case LineAccess::atomic_float:
      l1.drop(a.line);
      return mask;
    case LineAccess::invalidate:
      l1.invalidate();
      return mask;
    case LineAccess::load_volatile:
    case LineAccess::prefetch:
      return mask;
  }
  return mask;
}

CacheHierarchy::L2Answer CacheHierarchy::look_up_l2(Walk& w, const LineAccess& a, uint8_t sectors) {
  L2Answer answer;
  const L2Cache::Found found = a.is_atomic() ? l2_.atomic(a.line, sectors, w.side, &answer.evicted)
                               : a.stores_parts(sectors)
                                   ? l2_.store_parts(a.line, sectors, w.side, &answer.evicted)
                               : writes(a) ? l2_.store(a.line, sectors, w.side, &answer.evicted)
                                           : l2_.read(a.line, sectors, w.side, &answer.evicted);
  answer.hits = count(found.present);
  answer.near = found.near;
  answer.far = writes(a) ? found.far : waits_for_far_half(a.line, w.side, found.far);
  if (w.together > 1) apply_reuse_distance(w, a.line, &answer.hits);
  return answer;
}

void CacheHierarchy::apply_reuse_distance(Walk& w, uint64_t line, int* hits) {
  if (const auto own = own_lines_.find(line); own != own_lines_.end()) {
    if ((own_touched_ - own->second) * w.together > l2_lines_) *hits = 0;
    own->second = own_touched_++;
  } else if (*hits == 0) {
    own_lines_.emplace(line, own_touched_++);
  }
}

void CacheHierarchy::join_dram_request(Walk& w, uint64_t half_line, bool both_halves, bool misses) {
  DramRequest& request = dram_requests_[half_line % kDramRequests];
  const uint64_t block_bit = uint64_t(1) << w.number % 64;
  if (misses) {
    request = {half_line, step_, uint32_t(groups_.size())};
    if (both_halves) dram_requests_[(half_line + 1) % kDramRequests] = {half_line + 1, step_, request.group};
    groups_.push_back({block_bit, w.number, 0});
    w.group = request.group;
  } else if (request.half_line == half_line && request.step == step_ && w.group != request.group) {
    groups_[request.group].blocks |= block_bit;
    followers_.emplace_back(request.group, w.number);
    w.group = request.group;
  }
}

void CacheHierarchy::read_dram(Walk& w, const LineAccess& a, uint8_t sectors, L2Answer& l2) {
  const int missed = count(sectors) - l2.hits;
  const uint64_t row = a.line / 8;
  w.sum.missed += unsigned(missed);
  unsigned read = unsigned(missed);
  if (const uint8_t pairs = pair_sectors(sectors) & uint8_t(~sectors))
    read += unsigned(count(pairs) - count(l2_.fill(a.line, pairs, w.side, &l2.evicted)));
  w.sum.dram_read += read;
  if (uint64_t& open = open_rows_[row * 0x9E3779B97F4A7C15ull >> 50]; open != row)
    open = row, ++w.sum.rows_opened;
  if (writes(a))
    w.dram_share += read;
  else
    groups_.back().sectors = read;
}

/// `near`: the sectors that the SM's half of the L2 has. A store always finds room. A load that misses a
/// sector is counted with the other one of its pair; of an atomic the second sector of a pair is there once
/// the first has come.
void CacheHierarchy::count_nsight_lookups(Walk& w, const LineAccess& a, uint8_t sectors, uint8_t near) {
  const bool loads = a.kind == LineAccess::load || a.kind == LineAccess::load_nc;
  const uint8_t sought =
      loads && combined_ > 1 && w.together == 1 ? not_combined(a.line, sectors, w.gpc) : sectors;
  uint8_t missed = sought & uint8_t(~near);
  if (a.kind == LineAccess::store) missed = 0;
  if (a.is_atomic()) missed &= uint8_t(~((missed & 5) << 1));
  w.sum.lookup_hits += unsigned(count(sought & uint8_t(~missed)));
  if (loads) missed |= pair_sectors(missed) & uint8_t(~sectors);
  w.sum.lookup_misses += unsigned(count(missed));
}

void CacheHierarchy::note_hits(Walk& w, uint32_t at, const LineAccess& a, uint64_t half_line,
                               LineHits found) {
  LineHits& hits = (*w.hits)[at] = found;
  const DramRequest& request = dram_requests_[half_line % kDramRequests];
  if (a.kind == LineAccess::store || request.half_line != half_line || request.step != step_) return;
  hits.coming = found.l1 + found.l2 == count(a.sectors & 15);
  hits.far |= l2_.far(a.line, w.side);  // its side has no copy yet
  waiting_hits_.emplace_back(&hits, request.group);
}

uint8_t CacheHierarchy::not_combined(uint64_t line, uint8_t sectors, int gpc) {
  CombinedLoad& last =
      combined_loads_[((line * uint64_t(gpcs_) + uint64_t(gpc)) * 0x9E3779B97F4A7C15ull) >> 50];
  if (last.line == line && last.gpc == gpc && last.step == step_ && last.sectors == sectors &&
      last.sms < combined_) {
    ++last.sms;
    return 0;
  }
  last = {line, step_, gpc, 1, sectors};
  return sectors;
}

bool CacheHierarchy::waits_for_far_half(uint64_t line, int side, bool asks) {
  FarRequest& last = far_requests_[(line * 0x9E3779B97F4A7C15ull) >> 51];
  if (asks) last = {line, step_, side};
  return asks || (last.line == line && last.step == step_ && last.side == side);
}

/// A launch's first blocks fill the first GPC's part, the others go to all GPCs in runs (`places` of
/// tests/microbench/joined.cu).
int CacheHierarchy::gpc_of(int sm) const {
  if (sm < first_gpc_) return 0;
  return (sm - first_gpc_) * gpcs_ / std::max(1, active_sms_ - first_gpc_);
}

}  // namespace dojo::simt
