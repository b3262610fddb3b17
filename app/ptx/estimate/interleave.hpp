#pragma once
// The order in which ptxas issues the operations of a basic block, by rule: it fills the cycles in which one
// operation waits for another with independent ones from further on, as long as registers allow.
//
// Example: eight sums of 64 products each, written one after the other. A product waits four cycles for the
// one before it in its sum, so four sums proceed together.
#include <vector>

#include "ptx/code_shape.hpp"

namespace dojo::ptx {

/// `ops` of one block in the order of the PTX, loads already hoisted. Nothing passes a branch, a barrier, a
/// fence or a call; accesses to memory keep their order where one of them writes. At most `more_registers`
/// more results wait for their users at once than in the order given, and no more than 96 unless that order
/// needs them.
std::vector<ShapeOp> interleave(std::vector<ShapeOp> ops, const Function&, int more_registers);

}  // namespace dojo::ptx
