// Races and unwritten words of shared memory.
//
// Tags of shared memory: sync stamp << 10 | thread. A tag below the last block barrier's stamp is ordered
// before now; one of the same warp also when it is below the warp's last __syncwarp.
#include <fmt/format.h>

#include <algorithm>

#include "simt/checks/race_advice.hpp"
#include "simt/checks/shadow_bits.hpp"
#include "simt/checks/shadow_cluster.hpp"
#include "simt/checks/shadow_vectors.hpp"
#include "simt/checks/shared_arrays.hpp"
#include "simt/checks/shared_order.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/launch_names.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {

namespace {
constexpr uint32_t max_shared_stamp = (1u << 22) - 2;
}

void prepare_shared_shadow(Block& b, uint32_t grain) {
  SharedShadow& s = b.shadow;
  const size_t n = b.shared_bytes / grain + 96;
  const bool reset = s.grain != grain || b.stamp > max_shared_stamp / 2;
  if (s.write.size() < n || reset) {
    for (auto* v : {&s.write, &s.read1, &s.read2, &s.writer_inst, &s.read1_inst, &s.read2_inst})
      v->assign(std::max(n, v->size()), 0);
    s.grain = grain;
    if (b.stamp > max_shared_stamp / 2) b.stamp = 1, b.first_stamp = b.barrier_stamp = ++b.stamp;
  }
}

namespace {

void report_shared_race(Exec& x, const Inst* p, uint32_t lane, uint64_t offset, bool write,
                        uint32_t other_thread, uint32_t other_access, bool other_write) {
  const uint64_t key = finding_key(Check::shared_race, p->access, other_access, write, other_write);
  const bool same_warp = other_thread / 32 == x.warp->index;
  if (!x.machine->wanted(key)) {
    if (!same_warp) x.machine->across_warps(key);
    return;
  }
  const OtherSide o = other_side(x, x.block, other_thread, other_access, other_write);
  const std::string element = shared_name(x, p, offset, uint32_t(p->width) * p->count);
  Diagnostic d =
      finding(x, p, "race", race_message(x, lane, write, element, o, separation(x, p, o)), int(lane));
  d.related.push_back(other_place(x, o));
  x.machine->report_race(x, std::move(d), key);
}
void report_shared_uninit(Exec& x, const Inst* p, uint32_t lane, uint64_t offset) {
  const uint64_t key = finding_key(Check::shared_unwritten, p->access);
  if ((!x.machine->known(key) && in_library(x, p)) || !x.machine->wanted(key)) return;
  emit(x, finding(x, p, "uninitialized",
                  fmt::format("{} reads {}, which no thread of the block has written.", subject(x, lane),
                              shared_name(x, p, offset, uint32_t(p->width) * p->count)),
                  int(lane)));
}

void report_copy(Exec& x, const Inst* p, uint32_t lane, uint64_t offset, bool write,
                 const CopiesInFlight::Copy& copy) {
  if (!x.machine->wanted(finding_key(Check::copy_in_flight, p->access, copy.access, write))) return;
  Diagnostic d = finding(
      x, p, "race",
      fmt::format("Race: {} {} {} while a cp.async may still be writing it. Wait for the copy's group "
                  "(cp.async.wait_group, __pipeline_wait_prior) in the thread that copies, then "
                  "__syncthreads().",
                  lane_name(x, lane), write ? "writes" : "reads",
                  shared_name(x, p, offset, uint32_t(p->width) * p->count)),
      int(lane));
  const auto& owners = x.program->accesses();
  if (copy.access < owners.size()) {
    const AccessOwner& o = owners[copy.access];
    d.related.push_back({place_of(*x.program, o.function, o.ptx), "the copy starts here", x.block->index,
                         thread_of(x, copy.thread)});
  }
  emit(x, std::move(d));
}

}  // namespace

void check_shared_lane(Exec& x, const Inst* p, uint32_t l, uint64_t offset, uint32_t bytes, bool write,
                       bool atomic) {
  Block& b = *x.block;
  SharedShadow& s = b.shadow;
  const SharedNow now(x);
  const uint32_t thread = thread_index(x, int(l)), tag = now.epoch | thread;
  const AccessTraits& mine = x.machine->traits(p->access);
  const bool strong = atomic || mine.strong;
  auto conflict = [&](uint32_t t) { return !now.ordered(t, thread); };
  // Does a flag order the other access before this one?
  auto ordered = [&](uint32_t t, uint32_t access, bool other_write, bool other_strong) {
    if (!x.tracked ||
        x.machine->known(finding_key(Check::shared_race, p->access, access, write, other_write)))
      return false;
    const uint64_t other = Tag::make(b.ticket, (t >> 10) - b.first_stamp + 1, t & 1023, other_strong, access);
    return Tag::stamp(other) == Tag::max_stamp ||
           ordered_by_flags(x, shared_flag(b, offset), other, thread, strong,
                            finding_key(Check::shared_race, p->access, access, write, other_write));
  };
  for (uint64_t g = offset / s.grain, end = (offset + bytes - 1) / s.grain; g <= end; ++g) {
    uint32_t w = s.write[g];
    if (w >= copy_tag) {
      const CopiesInFlight::Copy* copy = copy_in_flight(x, g * s.grain);
      if (copy) report_copy(x, p, l, g * s.grain, write, *copy);
      w = s.write[g] = copy ? tag : 0;  // 0: the copy was of an earlier block
    }
    const bool was_atomic = s.writer_inst[g] & 0x80000000u;
    const uint32_t access = s.writer_inst[g] & 0x7fffffffu;
    const AccessTraits& theirs = x.machine->traits(access);
    const uint64_t flag_tag = w < now.first ? 0
                                            : Tag::make(b.ticket, (w >> 10) - b.first_stamp + 1, w & 1023,
                                                        was_atomic || theirs.is_volatile, access);
    // 8: an exchange, whose old value need not be used.
    if ((!write || (atomic && p->sub != 8)) && w < now.first) report_shared_uninit(x, p, l, offset);
    // A flag that is polled is there to be read while another thread writes it.
    if (!write && strong && (mine.polls || !mine.is_volatile)) {
      if (x.shared_flags) note_strong_read(x, p, shared_flag(b, offset), l, flag_tag);
      continue;
    }
    const bool pardoned =
        (atomic && was_atomic && !((mine.sets && theirs.counts) || (theirs.sets && mine.counts))) ||
        (strong && !atomic && was_atomic && theirs.polls) || (atomic && mine.polls && theirs.is_volatile) ||
        (mine.seeds_swap && was_atomic);
    if (conflict(w) && !pardoned && !ordered(w, access, true, was_atomic)) {
      const uint32_t other = w & 1023;
      bool benign = false;
      if (write && !atomic) {
        if (access == p->access && other / 32 == x.warp->index && (w & ~1023u) == (tag & ~1023u))
          benign = same_value(x, p, l, other & 31);
        else
          benign = keeps_value(x, p, l, b.shared.data() + offset);
      }
      if (!benign) report_shared_race(x, p, l, offset, write, other, access, true);
    }
    if (atomic && mine.sets) {
      // Blocks that run at once keep no such notes.
      if (!x.machine->serial()) x.machine->give_up_attempt();
      note_set(x, shared_flag(b, offset), l, p->access);
    }
    if (atomic && mine.counts && x.machine->serial())
      if (const uint64_t set = last_set(x, shared_flag(b, offset))) {
        const uint32_t by = uint32_t(Tag::stamp(set) - 1 + b.first_stamp) << 10 | Tag::thread(set);
        if (conflict(by) && !ordered(by, Tag::access(set), true, true))
          report_shared_race(x, p, l, offset, true, by & 1023, Tag::access(set), true);
      }
    if (write) {
      for (const auto& [r, by] : {std::pair(s.read1[g], s.read1_inst[g]), {s.read2[g], s.read2_inst[g]}}) {
        if (!conflict(r) || (atomic && x.machine->traits(by).seeds_swap) || ordered(r, by, false, false))
          continue;
        report_shared_race(x, p, l, offset, true, r & 1023, by, false);
        break;
      }
      s.write[g] = tag;
      s.writer_inst[g] = p->access | (atomic ? 0x80000000u : 0);
    } else {
      if (!conflict(s.read1[g]))
        s.read1[g] = tag, s.read1_inst[g] = p->access;
      else
        s.read2[g] = tag, s.read2_inst[g] = p->access;
    }
    if (strong && x.shared_flags) {
      if (write) note_strong_write(x, p, shared_flag(b, offset), l);
      if (!write || (atomic && !(p->flags & flag::unused)))
        note_strong_read(x, p, shared_flag(b, offset), l, write ? 0 : flag_tag);
    }
  }
}

namespace {

/// Consecutive lanes at consecutive words, of a grain each. Eight lanes at a time. False: one of them may be
/// a finding, and nothing but readers was noted.
inline bool check_consecutive(Exec& x, const Inst* p, const Span& span, bool write, SharedNow now) {
  SharedShadow& s = x.block->shadow;
  const uint32_t mask = span.mask;
  const uint64_t at = span.base / s.grain;
  uint32_t* W = s.write.data() + at;
  uint32_t* R1 = s.read1.data() + at;
  uint32_t* R2 = s.read2.data() + at;
  const uint32_t warp = x.warp->index, base_tag = now.epoch | warp * 32;
  using simd::U32;
  const SharedNowOfEight eight(now);
  const U32 access = simd::splat(p->access), step = simd::splat(8);
  U32 bad{}, second{};
  U32 me = U32{0, 1, 2, 3, 4, 5, 6, 7} + simd::splat(warp * 32);
  auto fine = [&](U32 tag) { return eight.ordered(tag, me); };
  if (!write) {
    // One pass: what is recorded here does no harm should the slow path look again.
    uint32_t *inst = s.read1_inst.data() + at, *inst2 = s.read2_inst.data() + at;
    for (int i = 0; i < 32; i += 8, me += step) {
      if (!(mask >> i & 0xff)) continue;
      const U32 on = simd::lane_mask(mask, i), w = simd::load(W + i), r = simd::load(R1 + i);
      bad |= on & ((~fine(w) & on) | simd::below(w, eight.first));
      const U32 take = on & fine(r);
      simd::store(R1 + i, simd::select(take, me | eight.epoch, r));
      simd::store(inst + i, simd::select(take, access, simd::load(inst + i)));
      second |= ~take & on;
    }
    if (simd::any(second))
      for (uint32_t i = 0; i < 32; ++i)
        if ((mask >> i & 1) && R1[i] != base_tag + i) R2[i] = base_tag + i, inst2[i] = p->access;
    if (!simd::any(bad)) [[likely]]
      return true;
  } else {
    const U32 begin = me;
    for (int i = 0; i < 32; i += 8, me += step) {
      if (!(mask >> i & 0xff)) continue;
      const U32 all = fine(simd::load(W + i)) & fine(simd::load(R1 + i)) & fine(simd::load(R2 + i));
      bad |= ~all & simd::lane_mask(mask, i);
    }
    if (!simd::any(bad)) [[likely]] {
      uint32_t* inst = s.writer_inst.data() + at;
      me = begin;
      for (int i = 0; i < 32; i += 8, me += step) {
        if (!(mask >> i & 0xff)) continue;
        const U32 on = simd::lane_mask(mask, i);
        simd::store(W + i, simd::select(on, me | eight.epoch, simd::load(W + i)));
        simd::store(inst + i, simd::select(on, access, simd::load(inst + i)));
      }
      return true;
    }
  }
  return false;
}

/// All lanes read one word: fine when nobody wrote it since the barrier. False: it may be a finding.
inline bool check_one_word(Exec& x, const Inst* p, const Span& span, SharedNow now) {
  SharedShadow& s = x.block->shadow;
  const uint32_t mask = span.mask;
  const uint64_t g = span.base / s.grain;
  const uint32_t w = s.write[g];
  if (w < now.barrier && w >= now.first) [[likely]] {
    const uint32_t l0 = uint32_t(std::countr_zero(mask)), l1 = 31 - uint32_t(std::countl_zero(mask));
    const uint32_t a = now.epoch | (x.warp->index * 32 + l0), z = now.epoch | (x.warp->index * 32 + l1);
    if (s.read1[g] < now.barrier) s.read1[g] = a, s.read1_inst[g] = p->access;
    if (l1 != l0 || s.read1[g] != a) s.read2[g] = z, s.read2_inst[g] = p->access;
    return true;
  }
  return false;
}

/// Any addresses, one grain per lane. False: one of them may be a finding, and nothing but readers was noted.
inline bool check_grains(Exec& x, const Inst* p, const Span& span, uint32_t bytes, bool write,
                         SharedNow now) {
  SharedShadow& s = x.block->shadow;
  const uint32_t mask = span.mask;
  const uint32_t shift = uint32_t(std::countr_zero(s.grain)), me = x.warp->index * 32;
  auto fine = [&](uint32_t tag, uint32_t l) { return now.ordered(tag, me + l); };
  uint32_t bad = 0;
  if (!write) {
    // What is recorded here does no harm should the slow path look again.
    uint32_t* const W = s.write.data();
    uint32_t* const R[2] = {s.read2.data(), s.read1.data()};
    uint32_t* const inst[2] = {s.read2_inst.data(), s.read1_inst.data()};
    auto read = [&](uint32_t l, uint32_t g) {
      const uint32_t w = W[g];
      bad |= (fine(w, l) ^ 1) | uint32_t(w < now.first);
      const uint32_t first = fine(R[1][g], l);
      R[first][g] = now.epoch | (me + l);
      inst[first][g] = p->access;
    };
    if (mask == ~0u && span.affine) {
      const uint32_t step = uint32_t(span.stride >> shift);
      uint32_t g = uint32_t(span.base >> shift);
      for (uint32_t l = 0; l < 32; ++l, g += step) read(l, g);
    } else {
      DOJO_FOR_LANES(l, mask) read(l, uint32_t(span.at(l) >> shift));
    }
    if (!bad) return true;
  } else {
    uint32_t at[32];
    DOJO_FOR_LANES(l, mask) {
      const uint32_t g = at[l] = uint32_t(span.at(l) >> shift);
      const uint32_t w = s.scratch[l] = s.write[g];
      bad |= (fine(w, l) & fine(s.read1[g], l) & fine(s.read2[g], l)) ^ 1;
    }
    if (!bad) {
      // Lanes that meet in one word conflict with each other: seen by the tag they leave.
      DOJO_FOR_LANES(l, mask) {
        if (s.write[at[l]] >= now.epoch && s.write[at[l]] != s.scratch[l]) {
          check_shared_lane(x, p, l, span.at(l), bytes, true, false);
        } else {
          s.write[at[l]] = now.epoch | (me + l);
          s.writer_inst[at[l]] = p->access;
        }
      }
      return true;
    }
  }
  return false;
}

/// check_shared of lanes whose addresses are places in the block's own shared memory: the fast ways first,
/// each of which leaves what may be a finding to check_shared_lane.
void check_own(Exec& x, const Inst* p, const Span& span, uint32_t bytes, bool write, bool atomic) {
  Block& b = *x.block;
  SharedShadow& s = b.shadow;
  const AccessTraits& traits = x.machine->traits(p->access);
  const SharedNow now(x);
  if (traits.array_end) {
    const bool inside =
        span.affine && span.low >= traits.array_begin && span.high + bytes <= traits.array_end;
    if (!inside) [[unlikely]]
      check_array(x, p, traits, span, bytes, write);
  }
  const bool strong = atomic || traits.strong;
  if (span.affine && bytes == s.grain && span.stride == bytes && !strong && int64_t(span.base) >= 0) {
    if (check_consecutive(x, p, span, write, now)) [[likely]]
      return;
  } else if (!write && !strong && span.affine && span.stride == 0 && bytes <= s.grain) {
    if (check_one_word(x, p, span, now)) [[likely]]
      return;
  }
  if (bytes == s.grain && !strong && !b.cluster && check_grains(x, p, span, bytes, write, now)) return;
  const uint32_t grains = bytes / s.grain;
  if (!strong && !b.cluster && bytes % s.grain == 0 && (grains == 2 || grains == 4) &&
      check_vectors(x, p, span, bytes, write))
    return;
  DOJO_FOR_LANES(l, span.mask) {
    const uint64_t a = span.at(l);
    if (a + bytes <= b.shared_bytes) check_shared_lane(x, p, l, a, bytes, write, atomic);
  }
}

}  // namespace

void check_shared(Exec& x, const Inst* p, const Span& span, uint32_t bytes, bool write, bool atomic) {
  Block& b = *x.block;
  if (b.stamp > max_shared_stamp) return;
  const AccessTraits& traits = x.machine->traits(p->access);
  if (write && x.tracked && traits.releases) note_fence(x, span.mask, traits.scope);
  uint32_t own = span.mask;
  if (b.cluster) {
    b.cluster->signals |= traits.polls;
    const bool alone = b.cluster->peers.empty() && span.affine && span.high < b.shared_bytes;
    if (!alone) {
      DOJO_FOR_LANES(l, span.mask) {
        if (check_peer(x, p, l, span.at(l), bytes, write, atomic)) own &= ~(1u << l);
      }
    }
    if (!own) return;
  }
  // Cluster addresses of the block's own memory are places in it; a block by itself is rank 0 of its own
  // cluster.
  constexpr uint64_t below_rank = (uint64_t(1) << window::cta_shift) - 1;
  uint64_t all = span.affine ? span.high : 0;
  if (!span.affine) DOJO_FOR_LANES(l, span.mask) all |= span.lanes[l];
  if (own == span.mask && all <= below_rank) [[likely]]
    return check_own(x, p, span, bytes, write, atomic);
  alignas(32) uint64_t lanes[32];
  DOJO_FOR_LANES(l, own) lanes[l] = span.at(l) & below_rank;
  Span places;
  find_span(places, lanes, own);
  check_own(x, p, places, bytes, write, atomic);
}

}  // namespace dojo::simt
