#pragma once
// When an access of shared memory is ordered before the one that is checked: the rule, for one lane and for
// eight. A tag is stamp << 10 | thread (SharedShadow). It is ordered before now if a barrier of the block
// came after it, if it is of this thread, or if it is of this warp and the warp has synchronised since.
#include "simt/simd.hpp"
#include "simt/state/exec.hpp"

namespace dojo::simt {

struct SharedNow {
  explicit SharedNow(const Exec& x)
      : barrier(x.block->barrier_stamp << 10),
        sync(x.warp->sync_stamp << 10),
        epoch(x.warp->epoch << 10),
        first(x.block->first_stamp << 10),
        warp(x.warp->index * 32) {}
  /// 1 or 0, of an access by thread `me` of this warp.
  uint32_t ordered(uint32_t tag, uint32_t me) const {
    const uint32_t thread = tag & 1023;
    return uint32_t(tag < barrier) | uint32_t(thread == me) |
           (uint32_t((thread ^ warp) < 32) & uint32_t(tag < sync));
  }
  uint32_t barrier;  ///< of the block's last barrier
  uint32_t sync;     ///< of the warp's last synchronisation
  uint32_t epoch;    ///< of what the warp does now: its tags are epoch | thread
  uint32_t first;    ///< of the block's begin: what is below was never written
  uint32_t warp;     ///< the warp's first thread
};

/// The same for eight lanes at a time.
struct SharedNowOfEight {
  using U32 = simd::U32;
  explicit SharedNowOfEight(const SharedNow& now)
      : barrier(simd::splat(now.barrier)),
        sync(simd::splat(now.sync)),
        epoch(simd::splat(now.epoch)),
        first(simd::splat(now.first)) {}
  /// All ones or zero, of accesses by threads `me`.
  U32 ordered(U32 tag, U32 me) const {
    const U32 diff = tag ^ me, none{};
    const U32 self = simd::same(diff & simd::splat(1023), none),
              same_warp = simd::same(diff & simd::splat(992), none);
    return simd::below(tag, barrier) | self | (same_warp & simd::below(tag, sync));
  }
  U32 barrier, sync, epoch, first;
};

}  // namespace dojo::simt
