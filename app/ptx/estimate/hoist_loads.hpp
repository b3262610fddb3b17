#pragma once
// The order in which ptxas issues the instructions of a basic block, estimated. A warp issues in order and
// stops at the first instruction whose operand is not there. So ptxas moves loads up, and waits of several
// loads become one.
//
// Example: PTX `ld a; fma a; ld b; fma b` waits twice for memory; `ld a; ld b; fma a; fma b` waits once.
#include <vector>

#include "ptx/code_shape.hpp"

namespace dojo::ptx {

/// `ops` of one block of `f` in PTX order, `sources` numbering them. Returns them as ptxas would issue them:
/// a load and what computes its address come as early as order of memory allows, independent loads before
/// those whose address was itself loaded. Loads don't pass branches, barriers and fences, nor stores that can
/// have the same address (`ld.global.nc` passes stores). At most `most_in_flight` registers wait for data.
std::vector<ShapeOp> hoist_loads(std::vector<ShapeOp> ops, const Function& f, int most_in_flight);

}  // namespace dojo::ptx
