#pragma once
// From what the functional machine saw of the PTX (visits, lanes) to what the GPU executed, by a CodeShape:
// the counters smsp__inst_executed, thread_inst_executed and their relatives, in all and per PTX instruction.
#include <cstdint>
#include <span>
#include <vector>

#include "ptx/code_shape.hpp"
#include "ptx/module.hpp"

namespace dojo::ptx {

/// What the functional machine counted for one PTX instruction, over all warps of a launch.
struct Visited {
  uint64_t executed = 0;   ///< by a warp (split) with an active lane
  uint64_t lanes = 0;      ///< active lanes, summed
  uint64_t divergent = 0;  ///< branches: executions whose lanes went both ways
  int64_t taken =
      -1;  ///< branches: lanes that jump, summed; -1: not known (then it is worked out, see edge_lanes)
  /// Warp and thread instructions of the routine for rare operands (ShapeOp::routine). Of an atomic that is a
  /// loop (ShapeOp::again): rounds after the first, and the lanes in them.
  uint64_t rare = 0, rare_lanes = 0;
  uint64_t idle_eights = 0;  ///< groups of eight lanes with no active one, summed
};

struct Executed {
  uint64_t warp = 0;       ///< warp instructions
  uint64_t thread = 0;     ///< thread instructions, predicated off or not
  uint64_t thread_on = 0;  ///< of these, with their predicate on
};

struct ExecutedCounts {
  bool estimated = true;  ///< the shape was estimated from PTX
  Executed all;
  std::vector<Executed>
      by_instruction;  ///< per PTX instruction; ops of no PTX line go to a neighbour in their block
  uint64_t divergent_branches = 0;  ///< smsp__sass_branch_targets_threads_divergent
  /// Executed memory instructions by kind, those with all lanes predicated off included
  /// (smsp__inst_executed_op_*). Generic accesses count in none.
  uint64_t shared_loads = 0, shared_stores = 0, global_loads = 0, global_stores = 0;
  /// Local memory that no PTX access asks for (ShapeOp::spill). A word of a warp lies in one piece: eight
  /// lanes' are a sector.
  uint64_t spill_loads = 0, spill_stores = 0, spill_load_sectors = 0, spill_store_sectors = 0;
};

/// `visited`: one entry per PTX instruction of the function, all of one launch (calls to this function
/// summed).
ExecutedCounts count_executed(const CodeShape&, const Function&, std::span<const Visited> visited);

/// Whether an op runs in visit number `visit` (from 0) of a run of `length` visits of its block in a row.
bool runs_at(const ShapeOp&, uint64_t visit, uint64_t length);
/// In how many visits of a run of that length it runs.
uint64_t runs_in(const ShapeOp&, uint64_t length);

/// How many lanes went along each edge: result[b][i] for Function::blocks[b].successors[i]; solved from the
/// blocks' lane counts by conservation. Where that leaves freedom the later edges get 0.
std::vector<std::vector<uint64_t>> edge_lanes(const Function&, std::span<const Visited> visited);

}  // namespace dojo::ptx
