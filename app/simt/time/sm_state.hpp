#pragma once
// The simulation of one SM (sm.hpp), cycle by cycle where something happens. sm.cpp gives out blocks and
// picks the warp that issues; sm_issue.cpp issues its operation and finds when its next may go.
#include <array>
#include <cstdint>
#include <vector>

#include "simt/gpu/device_model.hpp"
#include "simt/time/memory.hpp"
#include "simt/time/pipes.hpp"
#include "simt/time/sm.hpp"
#include "simt/time/warps.hpp"

namespace dojo::simt {

class Sm {
 public:
  explicit Sm(const SmInputs&);
  SmResult run();

 private:
  using StallCycles = std::array<uint32_t, size_t(Stall::count)>;

  // ---- Blocks and warps (sm.cpp)
  /// Starts the next block at cycle `at` or later, if there is one to start.
  void start_block(int64_t at);
  size_t free_slot();
  /// The cycle at which the GPU's block scheduler, which serves all SMs, has a block for this SM.
  int64_t dispatch(int64_t at);
  /// A warp of a block, ready at `start`. False: its trace has no operation.
  bool start_warp(const WarpTrace&, int place, int block, int64_t start);
  Quarter& quarter_for(int block);
  /// The warp in this position ended at t. The last of a block starts the next block.
  void finish(Quarter&, int position, int64_t t);
  /// The warps that wait at the block's barrier go on at t.
  void release(Slot&, int64_t t);
  /// Every warp waits at a barrier that some never reach (a partial barrier): lets them pass. False: none
  /// waits.
  bool release_all();

  // ---- Which warp issues (sm.cpp)
  /// The quarter that is furthest behind, and its next cycle; null: no warp can ever go on.
  Quarter* next_quarter(int64_t* t);
  /// Issues one operation at t. False: no ready warp's pipe accepts one.
  bool issue_one(Quarter&, int64_t t);
  /// Position of the warp that issues next; -1: none is ready.
  int pick(const Quarter&, int64_t t) const;
  /// The earliest cycle from t on at which the warp's pipe accepts its operation.
  int64_t throttle(const Quarter&, const TimedWarp&, int64_t t, Stall* why) const;

  // ---- One issue (sm_issue.cpp)
  /// Cycles that the warp must let pass after an issue, whatever its next operation needs.
  struct Delay {
    int64_t cycles = 1;
    Stall why = Stall::wait;
  };
  /// Cycle of an operation's result, and the stall of an operation that waits for it.
  struct Result {
    int64_t done = 0;
    Stall why = Stall::wait;
  };
  void issue(Quarter&, int position, int64_t t);
  /// Adds the cycles since the warp's last issue to the stall reasons, of the SM and of the PTX line.
  void account(const Quarter&, const TimedWarp&, int64_t t);
  StallCycles* line_of(const TimedWarp&);
  void read_registers(Quarter&, const ptx::ShapeOp&, bool straight_on, int64_t t);
  Result execute(TimedWarp&, int64_t t);
  void set_scoreboards(TimedWarp&, const Result&, int64_t t);
  Delay delay_after(TimedWarp&, int64_t t);
  /// The cycle at which a fence issued at t is over.
  int64_t fence_end(const TimedWarp&, int64_t t);
  /// After an issue at t: fetches the warp's next operation and finds when its dependences let it go. False:
  /// the warp has ended, and its position holds another one.
  bool advance(Quarter&, int position, int64_t t, Delay);
  void wait_for_scoreboards(TimedWarp&) const;
  void wait_for_copies(TimedWarp&) const;
  /// A wait at an mbarrier for bulk copies that the warp has made.
  void wait_for_signal(TimedWarp&) const;
  /// Notes that an operation of an estimated shape has its result in that cycle.
  static void remember_load(TimedWarp&, int64_t until);
  /// Without machine code: by the operands' sources within the block, and loads of earlier blocks.
  void wait_for_sources(TimedWarp&, bool had_operation) const;
  /// The warp waits for its block's others; and for the other blocks of the cluster, if that takes cycles:
  /// they are assumed to come when this one does.
  void arrive_at_barrier(Quarter&, int position, int64_t t, int64_t cluster_cycles);

  const SmInputs& in_;
  const DeviceModel& m_;
  const PipeRules pipes_;
  double dispatch_cycles_;         // between two blocks that this SM gets, while all SMs get some
  int64_t turnaround_cycles_ = 0;  // from a block's end to the next one's start in its slot

  std::vector<TimedWarp> warps_;
  std::array<Quarter, PipeRules::kQuarters> quarters_;
  std::vector<Slot> slots_;
  size_t next_block_ = 0;
  uint64_t operations_ = 0;   // issued
  double next_dispatch_ = 0;  // cycle
  int64_t barrier_free_ = 0;  // cycle at which the SM's barrier unit takes the next arrival
  std::array<int64_t, PipeRules::kQuarters> fence_until_{};  // by quarter: end of its last fence
  std::vector<int> free_warps_;
  std::vector<int> slot_of_block_;
  uint32_t line_function_ = ~0u;  // of lines_
  std::vector<StallCycles>* lines_ = nullptr;
  SmResult r_;
  SmMemory memory_;
};

}  // namespace dojo::simt
