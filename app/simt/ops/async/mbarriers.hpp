#pragma once
// mbarriers as asynchronous copies use them. A place in shared memory is as cta_of() has it
// (state/access.hpp).
#include "simt/state/exec.hpp"

namespace dojo::simt {

/// `bytes` of a transaction of the lane are done: the mbarrier at the place expects fewer, and its phase may
/// end. A place outside the block's shared memory ends the run.
void complete_transaction(Exec&, const Inst*, uint32_t lane, uint64_t place, uint64_t bytes);
/// Notes in the warp's last event which mbarrier it is about.
void trace_mbarrier(Exec&, uint64_t place);
/// Machine code takes the operands from uniform registers, in a loop of one lane per round (ShapeOp::again).
void one_lane_a_round(const Exec&, AccessCount&);

}  // namespace dojo::simt
