#pragma once
// The contract between the machine and the time model: a graph of launches goes in (LaunchNode), what the
// machine left of each comes out (LaunchTrace). Blocks are numbered linearly, x fastest. The machine never
// knows a modelled time, and the time model never knows a value in memory.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/device.hpp"
#include "ptx/code_shape.hpp"
#include "ptx/module.hpp"

namespace dojo::simt {

/// One request of a warp to one 128-byte line of global or local memory, in program order within a block; or
/// (invalidate) an instruction that empties the L1 of its SM.
struct LineAccess {
  uint64_t line;    ///< address / 128
  uint8_t sectors;  ///< mask of the four 32-byte sectors touched
  enum Kind : uint8_t {
    load,
    store,
    atomic,
    atomic_float,
    load_nc,
    load_volatile,
    prefetch,
    invalidate
  } kind;
  uint8_t warp;   ///< warp of the block
  uint8_t turns;  ///< of an atomic: how long it holds its queue in the L2, in thirds of a packet's time
                  ///< (AtomicQueues); of a store: mask of the sectors of which it writes only a part
  uint32_t inst;  ///< PTX instruction of the kernel's code (or of the called function, see TraceStep)
  bool is_atomic() const { return kind == atomic || kind == atomic_float; }
  /// A store that fills none of these sectors.
  bool stores_parts(uint8_t of) const { return kind == store && (of & ~turns) == 0; }
};

/// Thirds of a packet's time for `partial` packets and `full` ones.
inline uint8_t packet_turns(int partial, int full) {
  return uint8_t(std::min(255, 3 * partial + (12 * full + 2) / 5));
}

/// One memory instruction executed by a warp, for detailed traces; or a division or the like that took the
/// routine for rare operands, whose instructions are `wavefronts` and whose cycles are `lsu_wavefronts`.
struct MemoryEvent {
  uint32_t inst = 0;            ///< PTX instruction index in `function`
  uint16_t lanes = 0;           ///< active lanes
  uint16_t wavefronts = 0;      ///< shared: of the data stage; global: 128-byte lines
  uint16_t sectors = 0;         ///< global: 32-byte sectors
  uint16_t rounds = 0;          ///< shared atomics of floats: turns of the loop that they are (atomic.cpp)
  uint16_t lsu_wavefronts = 0;  ///< of the load/store unit, 0: as many as `wavefronts`; textures: samples
  uint16_t l1_hit_sectors = 0, l2_hit_sectors = 0;  ///< filled in by the memory hierarchy
  bool l2_far = false;  ///< one of its lines was asked of the L2's far half; filled in likewise
  bool l2_coming =
      false;  ///< one of its lines was on its way from DRAM, asked for just before; filled in likewise
  uint8_t askers =
      1;  ///< blocks that asked DRAM for one of its lines at once, at most 255; filled in likewise
  bool remote = false;  ///< shared memory of another block of the cluster; `sectors` are of it
  uint32_t half_line =
      0;  ///< global: low bits of the number of the first 64 bytes it touches; filled in likewise
  uint16_t packets = 0;  ///< global atomics: packets that the L2 takes one after another (atomic.cpp)
  /// The mbarrier that a bulk copy reports to, or that a wait looks at, as its number of 8 bytes in shared
  /// memory, of the first lane; no_mbarrier: none.
  static constexpr uint16_t no_mbarrier = UINT16_MAX;
  uint16_t mbarrier = no_mbarrier;
};

/// A visit of a warp split to a basic block.
struct TraceStep {
  static constexpr uint32_t left_out = ~0u;  ///< for `block`: a look that failed while the warp waited
  uint32_t function = 0;                     ///< index into Module::functions
  uint32_t block = 0;                        ///< basic block
  uint32_t mask = 0;                         ///< active lanes
  uint32_t events = 0;  ///< how many MemoryEvents this visit has (consecutive in WarpTrace::events)
};

/// A parked spin that another block ended: the waiter can't pass `step` before the writer passed `by_step`.
struct Wake {
  uint32_t warp = 0, step = 0;
  uint32_t by_launch = 0;
  uint64_t by_block = 0;
  uint32_t by_warp = 0, by_step = 0;
  std::vector<TraceStep> around;  ///< the step before `step`, it and the next, where the trace is shortened
};

struct WarpTrace {
  std::vector<TraceStep> steps;
  std::vector<MemoryEvent> events;
  uint32_t left_out = 0;  ///< steps before these, where the trace is shortened
  uint32_t passed() const { return left_out + uint32_t(steps.size()); }
};

struct BlockTrace {
  uint64_t block = 0;
  std::vector<WarpTrace> warps;
  std::vector<Wake> wakes;
  bool spare = false;      ///< not of the sample: kept only if it has far more work than those before it
  bool shortened = false;  ///< it grew too long to be kept: its last steps, and no events
};

/// What every block leaves, traced in detail or not.
struct BlockSummary {
  uint64_t signature = 0;  ///< equal for blocks with the same steps and the same memory shapes
  uint32_t warp_instructions = 0;
  uint32_t rare = 0;  ///< warp instructions of routines for rare operands
  uint32_t shared_wavefronts = 0, global_requests = 0, global_sectors = 0;
  uint32_t l2_sectors = 0;  ///< beyond L1 (loads missed, stores, atomics)
  uint32_t dram_sectors =
      0;  ///< its share of what DRAM was read for: of what several blocks asked for at once, a part
};

/// Raw counts of one PTX instruction, over all warps of the launch.
struct InstructionCounts {
  uint64_t executed = 0;     ///< visits by a warp (split) with an active lane
  uint64_t lanes = 0;        ///< active lanes, summed
  uint64_t idle_eights = 0;  ///< groups of eight lanes with no active one, summed
  uint64_t requests = 0;     ///< memory: accesses with an active lane, as counted by the shape
  uint64_t request_lanes = 0;
  uint64_t sectors = 0;     ///< global
  uint64_t wavefronts = 0;  ///< shared (data stage), global
  uint64_t ideal_wavefronts =
      0;  ///< shared: fewest for the width (1, 2, 4 per access); conflicts: those beyond, per access
  uint64_t conflicts = 0;
  uint64_t divergent = 0;  ///< branches: executions whose lanes went both ways
  uint64_t lane_bytes = 0;
  uint64_t shared_requests = 0,
           shared_lane_bytes = 0;  ///< of a generic access: the part that went to shared memory
  uint64_t remote_bytes = 0;       ///< those of shared memory of another block of the cluster
  uint64_t exchanged_bytes =
      0;                       ///< shared loads: bytes that another thread stored last (checks/exchanges.hpp)
  uint64_t outside_lanes = 0;  ///< texture fetches: lanes with a coordinate outside the image
  uint64_t rare = 0;           ///< divisions and the like: warp instructions of the routine for rare operands
                               ///< (rare_paths.hpp);
                               ///< shared atomics of floats: rounds after the first (atomic.cpp)
  uint64_t rare_lanes = 0;     ///< the same times the lanes that needed it
};

/// One launch in the order graph that runs between two synchronisations.
struct LaunchNode {
  LaunchSpec spec;
  uint32_t function = 0;              ///< index into Module::functions
  std::vector<uint32_t> after;        ///< indices of nodes that must have finished first
  std::vector<uint32_t> after_start;  ///< programmatic dependence: may start when those nodes' blocks have
                                      ///< all triggered or exited (griddepcontrol.launch_dependents)
  int blocks_per_sm = 1;              ///< residency by the occupancy rules
  int priority = 0;
  double constants_us = 0;  ///< what it waits for its __constant__ variables
};

/// What a launch left.
struct LaunchTrace {
  std::shared_ptr<const ptx::CodeShape> shape;  ///< of the kernel
  /// Of the functions that it calls, by function index.
  std::map<uint32_t, std::shared_ptr<const ptx::CodeShape>> called_shapes;
  std::vector<std::vector<InstructionCounts>>
      counts;  ///< by function index, then PTX instruction (empty: unused)
  std::vector<BlockSummary> blocks;
  std::vector<BlockTrace> detailed;  ///< of the sampled blocks, or of all when spin-coupled
  bool spin_coupled = false;         ///< some wait was ended by another block
  bool ordered = false;              ///< ran in the one fixed order (result depends on order)
  uint64_t warp_instructions = 0, thread_instructions = 0;  ///< PTX, for the benchmark
  /// Blocks that ran in detail, where not all did: what the others did beyond their instructions is estimated
  /// from these. 0: all.
  uint64_t in_detail = 0;
};

}  // namespace dojo::simt
