#pragma once
// One lane's access to global memory: races with what is noted of its bytes, and bytes that nothing wrote.
#include "simt/checks/shadow_bits.hpp"

namespace dojo::simt {

/// What orders earlier accesses before the current ones of a warp.
struct GlobalNow {
  uint64_t floor;  ///< tags below are of launches that are over
  uint64_t ticket;
  uint64_t barrier, sync, epoch;  ///< stamps
  uint32_t warp;
  /// Knows the launches with larger tickets that are over all the same; null: there are none.
  const Supervisor* asked;
  const Block* block;
};
GlobalNow global_now(const Exec&);

/// Checks the access and notes it. `address` is in `region`, whose shadow is `s`.
void check_global_lane(Exec&, const Inst*, RegionShadow& s, const GlobalNow&, Region&, uint32_t lane,
                       uint64_t address, uint32_t bytes, bool write, bool strong);

}  // namespace dojo::simt
