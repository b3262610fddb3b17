#pragma once
// One SM in detail. Four schedulers issue one operation per cycle each from their warps' streams; pipes have
// issue intervals; accesses pass the load/store unit and the SM's share of L2 and DRAM (memory.hpp); blocks
// follow one another in the SM's slots. Traced blocks go in, cycles and stall reasons come out. All times in
// cycles of the SM's clock.
//
// A warp's operation issues at the first cycle at which its dependences (scoreboards, control words) let it
// go, its pipe accepts it, its quarter's dispatcher is free, and the scheduler picks the warp. The cycles
// that it waits for each are its stall reasons.
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simt/gpu/device_model.hpp"
#include "simt/time/stream.hpp"

namespace dojo::simt {

/// Why a warp did not issue, under Nsight's names (smsp__average_warps_issue_stalled_NAME_per_issue_active).
enum class Stall : uint8_t {
  selected,
  not_selected,
  wait,
  short_scoreboard,
  long_scoreboard,
  barrier,
  math_pipe_throttle,
  mio_throttle,
  lg_throttle,
  tex_throttle,
  branch_resolving,
  dispatch_stall,
  membar,
  sleeping,
  no_instruction,
  drain,
  count
};
const char* to_string(Stall);

struct SmInputs {
  const DeviceModel* model = nullptr;
  ShapeTable* shapes = nullptr;
  std::vector<const BlockTrace*> blocks;  ///< to run, in order
  int resident = 1;                       ///< blocks resident at a time
  int active_sms = 1;                     ///< SMs that share L2 and DRAM
  double l1_bytes = 1e9;                  ///< of the L1 that shared memory leaves
  double fetched = 1;                     ///< DRAM sectors read per sector that loads miss in L2
  double scattered_rows = 0;              ///< rows that DRAM opens per sector read, beyond those of a stream
  double dram_bytes = 0;                  ///< read from DRAM per SM, in the whole launch
  double write_share = 0;                 ///< sectors written back per sector read from DRAM or stored
  double hot_turns = 0;  ///< LineAccess::turns at the line that has most, for each sector of an atomic
  uint64_t max_ops = ~uint64_t(0);  ///< no further block starts after so many operations
  bool line_stalls = false;
  int reached = -1;             ///< the warp of the first block for which SmResult::reached is filled in
  double l1_emptied_every = 0;  ///< cycles after which others on the SM empty its L1; 0: never
  int64_t cluster_barrier_cycles = 0;  ///< of a cluster's barrier beyond the block's
  bool until_arrived = false;  ///< blocks end when what they stored has come to the L2: others wait for it
};

struct SmBlock {
  int64_t start = 0, end = 0;
};

struct SmResult {
  std::vector<SmBlock> blocks;  ///< as far as they were run, in the order given
  int64_t end = 0;
  int64_t issued_end = 0;  ///< when the last instruction had issued: after it only stores are in flight
  int64_t drained = 0;     ///< when what the blocks stored has left the SM too
  uint64_t issued = 0;
  int64_t warp_cycles = 0;                             ///< sum over warps of their time on the SM
  std::array<int64_t, size_t(Stall::count)> stalls{};  ///< warp-cycles
  std::array<int64_t, 16> pipe_busy{};                 ///< cycles of all four quarters, by ptx::Pipe
  std::array<int64_t, 2> register_reads{};  ///< from each bank of the register file, of all four quarters
  int64_t lsu_busy =
      0;  ///< cycles of the load/store unit for addresses: with all lanes off too, and shuffles
  int64_t tex_busy = 0;                  ///< cycles of the texture units
  int64_t shared_busy = 0, l1_busy = 0;  ///< cycles of wavefronts: shared memory, and lines of the L1
  int64_t l2_busy = 0, dram_busy = 0;    ///< sixteenths of a cycle of the SM's share
  double atomics_idle = 0;  ///< cycles in which the busiest atomic queue was idle before its last atomic
  double atomics_busy = 0;  ///< cycles in which it served this SM: a share of the GPU's
  std::vector<int64_t>
      reached;  ///< of warp SmInputs::reached of the first block: the cycle of each trace step
  /// By function, PTX instruction and reason: warp-cycles.
  std::map<uint32_t, std::vector<std::array<uint32_t, size_t(Stall::count)>>> lines;
};

SmResult simulate_sm(const SmInputs&);

}  // namespace dojo::simt
