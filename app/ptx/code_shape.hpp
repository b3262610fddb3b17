#pragma once
// What the GPU executes for a function: ptxas predicates short if-bodies, merges neighbouring loads, drops
// and adds instructions. The functional machine runs PTX; a CodeShape says what is counted and timed.
// Made from machine code where there is a cubin (sass_shape), else by rule (estimate_shape).
#include <array>
#include <memory>

#include "ptx/module.hpp"

namespace dojo::ptx {

/// The pipe an executed instruction occupies.
enum class Pipe : uint8_t {
  alu,
  fma,
  fmaheavy,
  fp64,
  xu,
  lsu,
  tensor,
  uniform,
  branch,
  control,
  barrier,
  constant,
  tex  ///< textures and surfaces
};

/// What an instruction reads of the register file's two banks, even and odd registers: a bank gives one a
/// cycle.
struct RegisterReads {
  std::array<uint8_t, 2> all{};  ///< different registers, by bank
  std::array<uint8_t, 2>
      kept{};  ///< of these, there already if the warp's instruction before was the last one issued
};

/// One instruction as executed, in order within its basic block.
struct ShapeOp {
  Pipe pipe = Pipe::alu;
  uint8_t turns = 1;  ///< of its pipe that it takes; a product of 64 bits two
  uint8_t stall = 0;  ///< fixed issue stall in cycles (control word), 0: not known
  uint8_t write_barrier = 7, read_barrier = 7, wait_mask = 0;  ///< scoreboards; 7: none
  bool yield = false;
  RegisterReads reads;  ///< none where it is not known
  bool load = false, store = false, atomic = false;
  bool bulk = false;     ///< by the copy engine, past the load/store unit and the L1
  bool meets = false;    ///< lanes that parted wait for each other there (BSYNC)
  bool fence = false;    ///< waits until the warp's earlier stores are seen by the whole GPU
  bool cluster = false;  ///< waits for the other blocks of the cluster
  bool spill = false;    ///< local memory that no PTX access asks for: a register, or the frame of a call
  Space space = Space::none;
  uint8_t width = 0;         ///< bytes a lane, of a memory access
  int32_t ptx = -1;          ///< PTX instruction it comes from, -1: none
  int32_t memory = -1;       ///< the PTX memory instruction whose addresses it uses, or -1
  int32_t guard_block = -1;  ///< predicated: runs for the lanes that enter this PTX block; -1: all lanes
  int32_t guard_from = -1;   ///< with guard_block: only those that come from this block (a branch's takers)
  bool rare = false;  ///< predicated inside one PTX instruction's expansion (corrections of a division): its
                      ///< lanes count as off
  /// The PTX atomic without an instruction of its own (floats in shared memory) whose loop of load, addition
  /// and compare-and-swap the op lies in, or -1: it runs once per round. At the loop's end `back` tells how
  /// many ops before this one the next round begins.
  int32_t again = -1;
  uint16_t back = 0;
  bool routine = false;  ///< stands for the call of a routine for rare operands of `ptx` (a division's): one
                         ///< instruction of it, as often as the execution says
  /// Loops that ptxas unrolled again, by visits of the PTX block in a row (a run): the op runs when
  /// visit % period == phase; period 0: once a run of at least `below`. `below`: only in what larger steps
  /// left over of the run, its last (length % below) visits. Period 1 with a phase: not in a run's first
  /// `phase` visits. See runs_at.
  uint16_t period = 1, phase = 0, below = 0;
  std::vector<int32_t> splits;  ///< PTX branches: runs once more for every divergent execution of one (BSYNC)
  std::vector<int32_t> sources;  ///< estimated: ops of the block to wait for; ~i: an earlier PTX load i
};

struct ShapeBlock {
  std::vector<ShapeOp> ops;
  /// This block is executed as part of that block (under a predicate, or just straight on), which has its
  /// ops; `ops` here is empty then.
  int predicated_into = -1;
  /// Blocks whose branch to this one is a predicated exit there: lanes that come from them don't run these
  /// ops.
  std::vector<uint32_t> exits_from;
};

/// How one PTX memory instruction is counted.
struct ShapeAccess {
  bool counted = true;  ///< false: merged into another, or removed
  /// Bytes a lane when several were merged into this one, from its address rounded down to a multiple of
  /// this; 0: its own.
  uint8_t merged_width = 0;
  /// Merged over turns of a loop that ptxas unrolled again: of `of` executions in a row `to` remain, on
  /// average.
  uint16_t to = 1, of = 1;
};

struct CodeShape {
  bool estimated = true;
  std::vector<ShapeBlock> blocks;     ///< one per PTX basic block
  std::vector<ShapeAccess> accesses;  ///< one per PTX instruction
  std::vector<bool>
      divergent_counts;  ///< per PTX instruction: a divergent execution counts as a divergent branch
};

/// `op` becomes a copy between shared and global memory that the copy engine makes.
inline void set_bulk(ShapeOp& op, const Meaning& m) {
  op.bulk = true;
  op.load = m.space == Space::shared, op.store = !op.load;
  op.space = Space::global;
  op.memory = op.ptx;
}

/// The op that stands for one instruction of the routine for rare operands of a PTX instruction. They depend
/// on one another; how long each takes the trace says, of integers' it is four cycles.
inline ShapeOp routine_op(int32_t ptx) {
  ShapeOp op;
  op.stall = 4;
  op.ptx = ptx;
  op.routine = true;
  return op;
}

/// By rule, from PTX alone (shared/DESIGN.md section 5): triangles of at most 11 instructions without call,
/// barrier or label are predicated, innermost first; a branch to the return is a predicated exit.
CodeShape estimate_shape(const Module&, const Function&);

/// From a cubin with line info made from strip_host(module). Falls back to the estimate (estimated = true)
/// for a function it can't map.
CodeShape sass_shape(const Module&, const Function&, const std::vector<std::byte>& cubin);

}  // namespace dojo::ptx
