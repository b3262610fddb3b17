// Races and unwritten bytes of global memory.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "simt/checks/race_advice.hpp"
#include "simt/checks/shadow_bits.hpp"
#include "simt/checks/shadow_cluster.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {

namespace {

struct Me {
  uint64_t floor;  ///< tags below are of launches that are over
  uint64_t ticket;
  uint64_t barrier, sync, epoch;  ///< stamps
  uint32_t warp;
  const Supervisor*
      asked;  ///< of launches with larger tickets that are over all the same; null: there are none
  const Block* block;
};
Me me(Exec& x) {
  const Block& b = *x.block;
  const Grid::Over& over = b.grid->over[b.waited];
  return {over.below << Tag::ticket_shift,     b.ticket,
          b.barrier_stamp - b.first_stamp + 1, x.warp->sync_stamp - b.first_stamp + 1,
          x.warp->epoch - b.first_stamp + 1,   x.warp->index,
          over.mixed ? x.machine : nullptr,    &b};
}
/// Could the other access, not known to be ordered before, be at the same time?
bool unordered(const Me& m, uint64_t t, uint32_t thread) {
  if (t < m.floor) return false;
  if (Tag::ticket(t) != m.ticket) return !m.asked || !m.asked->is_over(Tag::ticket(t), *m.block);
  const uint64_t stamp = Tag::stamp(t);
  if (stamp < m.barrier || stamp == Tag::max_stamp) return false;
  const uint32_t other = Tag::thread(t);
  if (other == thread) return false;
  return !(other / 32 == m.warp && stamp < m.sync);
}

uint64_t race_key(const Inst* p, bool write, uint64_t other, bool other_write) {
  return finding_key(Check::global_race, p->access, Tag::access(other), write, other_write);
}
/// Does a flag, a counter or a cluster's barrier order the other access before this one? A race that was
/// reported isn't looked at again.
bool ordered(Exec& x, const Inst* p, uint64_t address, bool write, bool strong, uint64_t other,
             bool other_write, uint32_t thread) {
  if (!x.tracked) return false;
  if (ordered_by_cluster(x, other)) return true;
  const uint64_t pair = race_key(p, write, other, other_write);
  return !x.machine->known(pair) && ordered_by_flags(x, global_flag(address), other, thread, strong, pair);
}

/// What to do about two strong accesses that race.
const char* strong_advice(const AccessTraits& a, const AccessTraits& b, bool same_block) {
  if (a.is_volatile || b.is_volatile)
    return "volatile orders nothing: use an atomic, or order the two by a fence and a flag.";
  if (!same_block && (a.scope == Scope::block || b.scope == Scope::block))
    return "An atomic with the suffix _block is one only for the threads of one block: use the one without "
           "it.";
  return "Set the word before the launch, or order the setting before its uses.";
}

/// The other side of a race in global memory: of this launch, or of one that runs beside it.
OtherSide side_of(Exec& x, uint64_t other, bool writes) {
  OtherSide o;
  o.access = Tag::access(other), o.writes = writes;
  uint64_t linear = 0;
  const Grid* g = x.machine->grid_of_ticket(Tag::ticket(other), &linear);
  o.same_launch = !g || g == x.block->grid;
  o.same_block = Tag::ticket(other) == x.block->ticket;
  o.same_warp = o.same_block && Tag::thread(other) / 32 == x.warp->index;
  if (!g) return o;
  o.block = g->grid.at(linear);
  o.thread = g->block.at(Tag::thread(other));
  o.name = thread_name(g->block, *o.thread);
  if (!o.same_block) o.name += " of " + block_name(g->grid, *o.block);
  if (!o.same_launch) o.name += " of " + g->code->fn->demangled;
  return o;
}

/// A race of a plain load that is only compared with a plain store: harmless if all such stores write one
/// value. Notes the value; the end of the run decides.
bool may_be_level(Exec& x, const Inst* p, uint32_t lane, uint64_t address, bool write, bool strong,
                  uint64_t other, bool other_write) {
  if (strong || (other & Tag::strong_bit) || write == other_write || p->count != 1 || p->width > 8)
    return false;
  const uint32_t load = write ? Tag::access(other) : p->access;
  if (!x.machine->traits(load).only_compared) return false;
  uint64_t value = 0;
  if (write) {
    value = p->wide & 2 ? x.slot<uint64_t>(p->d)[lane] : x.slot<uint32_t>(p->d)[lane];
    if (p->width < 8) value &= (uint64_t(1) << 8 * p->width) - 1;
  } else {
    const std::byte* at = x.memory->at(address, p->width);
    if (!at) return false;
    std::memcpy(&value, at, p->width);
  }
  const uint64_t writer = write ? Tag::make(x.block->ticket, 0, thread_index(x, int(lane)), false, 0)
                                : Tag::make(Tag::ticket(other), 0, Tag::thread(other), false, 0);
  return x.machine->note_level(write ? p->access : Tag::access(other), value, address, writer);
}

void report_global_race(Exec& x, const Inst* p, uint32_t lane, uint64_t address, bool write, bool strong,
                        uint64_t other, bool other_write) {
  const uint64_t key = race_key(p, write, other, other_write);
  const bool level = may_be_level(x, p, lane, address, write, strong, other, other_write);
  if (!(level ? x.machine->wanted_quietly(key) : x.machine->wanted(key))) {
    if (Tag::ticket(other) == x.block->ticket && Tag::thread(other) / 32 != x.warp->index)
      x.machine->across_warps(key);
    return;
  }
  const OtherSide o = side_of(x, other, other_write);
  const bool both_strong = strong && (other & Tag::strong_bit);
  const std::string advice =
      both_strong ? strong_advice(x.machine->traits(p->access), x.machine->traits(o.access), o.same_block)
                  : separation(x, p, o);
  const std::string element = element_name(x, p, address, uint32_t(p->width) * p->count);
  Diagnostic d = finding(x, p, "race", race_message(x, lane, write, element, o, advice), int(lane));
  d.related.push_back(other_place(x, o));
  if (level)
    x.machine->report_level(
        x, std::move(d), write ? p->access : o.access,
        race_message(x, lane, write, element, o,
                     "All unordered stores here write one value, as in a level of a breadth-first search. "
                     "That is harmless if the comparison may see the old value or the new one."));
  else
    x.machine->report_race(x, std::move(d), key);
}

/// An atomic in a loop that only asks: a compare-and-swap, or one that adds nothing. It waits as a load
/// would.
bool asks(const Exec& x, const Inst* p) {
  const auto& owners = x.program->accesses();
  if (p->access >= owners.size()) return false;
  const AccessOwner& at = owners[p->access];
  const ptx::Function& f = x.program->module().functions[at.function];
  if (!f.blocks[f.block_of[at.ptx]].in_loop) return false;
  const ptx::Instruction& i = f.code[at.ptx];
  const ptx::Change change = i.meaning.change;
  if (change == ptx::Change::cas) return true;
  return (change == ptx::Change::add || change == ptx::Change::or_ || change == ptx::Change::xor_) &&
         i.operands.size() > 2 && i.operands[2].kind == ptx::OperandKind::imm && i.operands[2].value == 0;
}

/// Two strong accesses that nothing orders: are they no race all the same?
bool excused(const AccessTraits& a, const AccessTraits& b, bool same_block) {
  // A flag may be volatile where it is polled.
  if (a.is_volatile || b.is_volatile) return a.polls || b.polls;
  if (!same_block && (a.scope == Scope::block || b.scope == Scope::block)) return false;
  // An initialisation and what adds to the word.
  return !((a.sets && b.counts) || (b.sets && a.counts));
}

void check_global_lane(Exec& x, const Inst* p, RegionShadow& s, const Me& m, Region& region, uint32_t l,
                       uint64_t address, uint32_t bytes, bool write, bool strong) {
  const uint64_t offset = address - region.base;
  const uint32_t thread = thread_index(x, int(l));
  const uint64_t tag = Tag::make(m.ticket, m.epoch, thread, strong, p->access);
  const AccessTraits& mine = x.machine->traits(p->access);
  const bool data = mine.is_volatile && !mine.polls;  // a volatile access that waits for nothing
  const bool atomic = write && strong && !(p->flags & flag::strong);
  if (!write || (atomic && p->sub != 8)) {
    if (!region.initialized && !initialized(s, offset, bytes) &&
        x.machine->wanted(finding_key(Check::global_unwritten, p->access)))
      emit(x, finding(x, p, "uninitialized",
                      fmt::format("{} reads {}, which nothing has written.", subject(x, l),
                                  element_name(x, p, address, bytes)),
                      int(l)));
  }
  const uint64_t first = offset / s.grain, last = (offset + bytes - 1) / s.grain;
  for (uint64_t g = first; g <= last; ++g) {
    const uint64_t w = s.write[g];
    const uint64_t flag_tag = w >= m.floor ? w : 0;
    if (!write && strong) {
      // The functional order may have run the writer first: in time, this reader still comes after it.
      if (x.ordered && x.warp->trace) note_wake(x, *x.block, *x.warp, address);
      if (!data) {
        if (x.tracked) note_strong_read(x, p, global_flag(address), l, flag_tag);
        continue;
      }
    }
    const auto pardoned = [&](uint64_t other) {
      const AccessTraits& theirs = x.machine->traits(Tag::access(other));
      if (strong && (other & Tag::strong_bit)) return excused(mine, theirs, Tag::ticket(other) == m.ticket);
      return (mine.seeds_swap && (other & Tag::strong_bit)) || (theirs.seeds_swap && atomic);
    };
    if (unordered(m, w, thread) && !pardoned(w) && !ordered(x, p, address, write, strong, w, true, thread)) {
      bool benign = false;
      if (write && !atomic) {
        if (Tag::access(w) == p->access && Tag::ticket(w) == m.ticket && Tag::thread(w) / 32 == m.warp &&
            Tag::stamp(w) == m.epoch)
          benign = same_value(x, p, l, Tag::thread(w) & 31);
        else
          benign = keeps_value(x, p, l, region.data + offset);
      }
      if (!benign) report_global_race(x, p, l, address, write, strong, w, true);
    }
    if (atomic && x.ordered && mine.sets) note_set(x, global_flag(address), l, p->access);
    if (atomic && x.ordered && mine.counts)
      if (const uint64_t set = last_set(x, global_flag(address));
          set && unordered(m, set, thread) && !ordered(x, p, address, true, true, set, true, thread))
        report_global_race(x, p, l, address, true, true, set, true);
    if (write) {
      for (uint64_t r : {s.read1[g], s.read2[g]})
        if (unordered(m, r, thread) && !pardoned(r) &&
            !ordered(x, p, address, true, strong, r, false, thread)) {
          report_global_race(x, p, l, address, true, strong, r, false);
          break;
        }
      s.write[g] = tag;
    } else {
      const uint64_t r = s.read1[g];
      if (!unordered(m, r, thread))
        s.read1[g] = tag;
      else
        s.read2[g] = tag;
      if (strong && x.tracked) note_strong_read(x, p, global_flag(address), l, flag_tag);
    }
  }
  if (write) {
    if (!region.initialized) set_initialized(s, offset, bytes);
    if (strong && x.ordered) {
      const bool waits = atomic && asks(x, p);
      if (waits && x.warp->trace) note_wake(x, *x.block, *x.warp, address);
      if (!waits) note_writer(x, address, !mine.counts);
    }
    if (strong && x.tracked) {
      note_strong_write(x, p, global_flag(address), l);
      if (atomic && !(p->flags & flag::unused)) note_strong_read(x, p, global_flag(address), l, 0);
    }
  }
}

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
bool check_consecutive(const Inst* p, RegionShadow& s, const Me& m, const Region& region, const Span& span,
                       uint32_t bytes, bool write, uint64_t group_base) {
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
bool check_apart(const Inst* p, RegionShadow& s, const Me& m, const Region& region, const Span& span,
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
      check_global_lane(x, p, *global_shadow(*r, x.grid->grain_global), me(x), *r, l, span.at(l), bytes,
                        write, strong);
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
  const Me m = me(x);
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
