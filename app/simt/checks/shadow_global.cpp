// Races and unwritten bytes of global memory.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "simt/checks/global_lane.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {

namespace {

constexpr uint64_t lane_step = uint64_t(1) << Tag::thread_shift;

/// Whether the tag is of a launch that is over, or of the thread of tag `mine`.
inline uint64_t is_settled(uint64_t tag, uint64_t mine, uint64_t floor) {
  return uint64_t(tag < floor) | uint64_t(((tag ^ mine) & Tag::block_and_thread) == 0);
}

/// Lane i reads grain at + i. `mine`: the tag of lane 0. False, and nothing done: another thread wrote one.
inline bool read_consecutive(RegionShadow& s, uint64_t at, uint32_t mask, uint64_t mine, uint64_t floor,
                             bool untracked) {
  uint64_t *W = &s.write[at], *R1 = &s.read1[at], *R2 = &s.read2[at];
  uint64_t bad = 0;
#pragma GCC ivdep
  for (uint32_t i = 0; i < 32; ++i) {
    const uint64_t on = -uint64_t(mask >> i & 1);
    bad |= on & (is_settled(W[i], mine + i * lane_step, floor) ^ 1);
  }
  if (bad) return false;
  if (untracked) return true;
  uint64_t second = 0;
#pragma GCC ivdep
  for (uint32_t i = 0; i < 32; ++i) {
    const uint64_t on = -uint64_t(mask >> i & 1), r = R1[i];
    const uint64_t take = on & -is_settled(r, mine + i * lane_step, floor);
    R1[i] = take ? mine + i * lane_step : r;
    second |= on & ~take;
  }
  if (second)
    for (uint32_t i = 0; i < 32; ++i)
      if ((mask >> i & 1) && R1[i] != mine + i * lane_step) R2[i] = mine + i * lane_step;
  return true;
}

/// The same of writes, which all earlier accesses must let through.
inline bool write_consecutive(RegionShadow& s, uint64_t at, uint32_t mask, uint64_t mine, uint64_t floor) {
  uint64_t *W = &s.write[at], *R1 = &s.read1[at], *R2 = &s.read2[at];
  uint64_t bad = 0;
#pragma GCC ivdep
  for (uint32_t i = 0; i < 32; ++i) {
    const uint64_t on = -uint64_t(mask >> i & 1), tag = mine + i * lane_step;
    bad |=
        on &
        ((is_settled(W[i], tag, floor) & is_settled(R1[i], tag, floor) & is_settled(R2[i], tag, floor)) ^ 1);
  }
  if (bad) return false;
#pragma GCC ivdep
  for (uint32_t i = 0; i < 32; ++i) W[i] = (mask >> i & 1) ? mine + i * lane_step : W[i];
  return true;
}

/// The most frequent case of all: lanes with consecutive elements of one grain each, every grain last
/// accessed by the same thread or by launches that are over. Does what check_global_lane() would, or, where
/// one grain is another case, nothing: false. A read that is all right but for a second reader leaves that in
/// read2.
bool check_consecutive(const Inst* p, RegionShadow& s, const GlobalNow& m, const Region& region,
                       const Span& span, uint32_t bytes, bool write, uint64_t group_base) {
  if (!span.affine || bytes != s.grain || span.stride != bytes || span.base < region.base ||
      m.epoch >= Tag::max_stamp)
    return false;
  const uint32_t mask = span.mask;
  const uint64_t at = (span.base - region.base) / s.grain;
  const uint32_t first = uint32_t(std::countr_zero(mask)), n = 32 - uint32_t(std::countl_zero(mask)) - first;
  const uint64_t mine = Tag::make(m.ticket, m.epoch, m.warp * 32, false, p->access);
  if (!write) {
    const bool known = region.initialized || initialized(s, span.low - region.base, uint64_t(n) * bytes);
    return known && read_consecutive(s, at, mask, mine, m.floor, s.untracked == group_base);
  }
  if (!write_consecutive(s, at, mask, mine, m.floor)) return false;
  if (region.initialized) return true;
  if (mask == ~0u || (((mask >> first) + 1) & (mask >> first)) == 0)
    set_initialized(s, span.low - region.base, uint64_t(n) * bytes);
  else
    DOJO_FOR_LANES(l, mask) set_initialized(s, span.at(l) - region.base, bytes);
  return true;
}

/// The most frequent case of lanes whose elements lie apart, in grains of their own: every grain was last
/// accessed by this thread or by launches that are over. Does what check_global_lane() would, or, where one
/// grain is another case, nothing: false.
bool check_apart(const Inst* p, RegionShadow& s, const GlobalNow& m, const Region& region, const Span& span,
                 uint32_t bytes, bool write) {
  const int64_t stride = int64_t(span.stride), grain = s.grain;
  if (!span.affine || m.epoch >= Tag::max_stamp || bytes % s.grain || stride % grain ||
      (std::abs(stride) < int64_t(bytes) && (span.mask & (span.mask - 1))) ||
      (span.low - region.base) % s.grain || !region.contains(span.low, span.high - span.low + bytes))
    return false;
  const int64_t per_lane = bytes / s.grain, step = stride / grain;
  const uint32_t begin = uint32_t(std::countr_zero(span.mask));
  const int64_t start = int64_t((span.at(begin) - region.base) / s.grain) - step * begin;
  const uint64_t mine = Tag::make(m.ticket, m.epoch, m.warp * 32, false, p->access), floor = m.floor;
  const auto fine = [&](uint64_t t, uint64_t tag) {
    return uint64_t(t < floor) | uint64_t(((t ^ tag) & Tag::block_and_thread) == 0);
  };
  const uint64_t *W = s.write.data, *R1 = s.read1.data, *R2 = s.read2.data;
  uint64_t all = 1;
  DOJO_FOR_LANES(l, span.mask) {
    const uint64_t tag = mine + (uint64_t(l) << Tag::thread_shift);
    const int64_t at = start + step * int64_t(l);
    for (int64_t g = at; g < at + per_lane; ++g)
      all &= fine(W[g], tag) & fine(R1[g], tag) & (write ? fine(R2[g], tag) : 1);
  }
  if (!all) return false;
  if (!region.initialized) {
    DOJO_FOR_LANES(l, span.mask) {
      const uint64_t offset = span.at(l) - region.base;
      if (!write && !initialized(s, offset, bytes)) return false;
      if (write) set_initialized(s, offset, bytes);
    }
  }
  uint64_t* to = write ? s.write.data : s.read1.data;
  DOJO_FOR_LANES(l, span.mask) {
    std::fill_n(to + start + step * int64_t(l), per_lane, mine + (uint64_t(l) << Tag::thread_shift));
  }
  return true;
}

}  // namespace

void check_global(Exec& x, const Inst* p, AccessCount& c, const Span& span, uint32_t bytes, bool write,
                  bool strong) {
  Region* region = c.region;
  if (!write && strong && x.ordered) note_look(x, span);
  // A release publishes what came before it, as a fence does.
  if (const AccessTraits& t = x.machine->traits(p->access); write && x.tracked && t.releases)
    note_fence(x, span.mask, t.scope);
  if (!region || !region->contains(span.at(uint32_t(std::countr_zero(span.mask))), bytes)) {
    // Lanes in several regions.
    DOJO_FOR_LANES(l, span.mask) {
      Region* r = x.memory->find(span.at(l));
      if (!r || r->freed || r->owner == Owner::constant) continue;
      check_global_lane(x, p, *global_shadow(*r, x.grid->grain_global), global_now(x), *r, l, span.at(l),
                        bytes, write, strong);
    }
    return;
  }
  if (region->owner == Owner::constant) return;
  auto* s = static_cast<RegionShadow*>(region->shadow.get());
  if (!s || !s->write.size || s->grain > x.grid->grain_global)
    s = global_shadow(*region, x.grid->grain_global);
  const uint32_t mask = span.mask;
  // What no store can reach has no races: whether it was written before is all there is to check.
  if (!write && region->initialized && s->untracked == x.machine->group_base()) return;
  const GlobalNow m = global_now(x);
  if (!strong && check_consecutive(p, *s, m, *region, span, bytes, write, x.machine->group_base())) return;
  if (!strong && check_apart(p, *s, m, *region, span, bytes, write)) return;
  DOJO_FOR_LANES(l, mask) {
    Region* r = region;
    const uint64_t a = span.at(l);
    if (!r->contains(a, bytes)) {
      r = x.memory->find(a);
      if (!r || r->freed) continue;
      check_global_lane(x, p, *global_shadow(*r, x.grid->grain_global), m, *r, l, a, bytes, write, strong);
      continue;
    }
    check_global_lane(x, p, *s, m, *r, l, a, bytes, write, strong);
  }
}

}  // namespace dojo::simt
