#pragma once
// Which lanes take part in a warp operation: those that their member masks name. Lanes of one instruction may
// give different masks (tiles of a cooperative group); each mask's lanes are on their own.
#include <fmt/format.h>

#include "simt/ops/lanes.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/splits.hpp"

namespace dojo::simt {

/// Runs body(members) for the running lanes of each member mask (in the register slot), once all of its lanes
/// are here. Returns null when they wait for others.
template <class Body>
const Inst* by_members(const Inst* p, Exec& x, uint32_t slot, Body body) {
  const u32a* masks = x.slot<u32a>(slot);
  const uint32_t whole = x.mask, first = masks[std::countr_zero(whole)];
  auto with_mask = [&](uint32_t m) {
    uint32_t lanes = 0;
    DOJO_FOR_LANES(l, whole) lanes |= uint32_t(masks[l] == m) << l;
    return lanes;
  };
  auto check = [&](uint32_t lanes, uint32_t members) {
    if (!x.checks || !(lanes & ~members)) return;
    emit(x, finding(
                x, p, FindingKind::absent_lane,
                fmt::format(
                    "This thread takes part in a warp operation with a mask (0x{:08x}) that doesn't name it. "
                    "Each thread that calls it must be in the mask that it gives.",
                    members),
                std::countr_zero(lanes & ~members)));
  };
  uint32_t differ = 0;
  for (uint32_t l = 0; l < 32; ++l) differ |= (masks[l] ^ first) & (0u - (whole >> l & 1));
  if (!differ) {
    check(whole, first);
    if (!gather_lanes(p, x, first)) return nullptr;
    body(first);
    return p + 1;
  }
  const uint32_t lanes = with_mask(first);
  bool all_here = true;
  DOJO_FOR_LANES(l, whole) all_here &= !(masks[l] & x.live & ~with_mask(masks[l]));
  if (!all_here) {
    // The other masks' lanes come to this instruction by themselves.
    Split rest;
    rest.mask = whole & ~lanes;
    rest.pc = p;
    rest.frame = x.frame;
    rest.conv = x.conv;
    x.warp->splits.push_back(rest);
    x.set_mask(lanes);
    check(lanes, first);
    if (!gather_lanes(p, x, first)) return nullptr;
    body(first);
    return p + 1;
  }
  // Read before a body may write its result over them.
  uint32_t all[32];
  DOJO_FOR_LANES(l, whole) all[l] = masks[l];
  for (uint32_t left = whole; left;) {
    const uint32_t members = all[std::countr_zero(left)];
    uint32_t group = 0;
    DOJO_FOR_LANES(l, left) group |= uint32_t(all[l] == members) << l;
    left &= ~group;
    x.set_mask(group);
    check(group, members);
    body(members);
  }
  x.set_mask(whole);
  return p + 1;
}

}  // namespace dojo::simt
