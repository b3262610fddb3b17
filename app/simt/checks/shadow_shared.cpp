// Races and unwritten words of shared memory.
//
// Tags of shared memory: sync stamp << 10 | thread. A tag below the last block barrier's stamp is ordered
// before now; one of the same warp also when it is below the warp's last __syncwarp.
#include <fmt/format.h>

#include <algorithm>

#include "simt/checks/exchanges.hpp"
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

/// All lanes read one word: fine when no thread wrote it since the barrier. False: it may be a finding.
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
  if (x.exchanges && !write) [[unlikely]]
    count_exchanged(x, p, span, bytes);
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
    b.peers_started |= traits.polls;
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
  if (own == span.mask && all < window::reserved) [[likely]]
    return check_own(x, p, span, bytes, write, atomic);
  alignas(32) uint64_t lanes[32];
  DOJO_FOR_LANES(l, own) {
    lanes[l] = span.at(l) & below_rank;
    // The library orders what it keeps in the system's share by itself.
    if (lanes[l] >= window::reserved) own &= ~(1u << l);
  }
  if (!own) return;
  Span places;
  find_span(places, lanes, own);
  check_own(x, p, places, bytes, write, atomic);
}

}  // namespace dojo::simt
