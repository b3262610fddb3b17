#pragma once
// All blocks of all launches on all SMs, as events: a block starts, waits, lets others go on, ends. A block
// has work (the time that it takes alone on an SM) and a load (the share of the SM that it keeps busy then);
// blocks that share an SM slow each other down by slowdown(total load). A block that waits for a point of
// another one (a semaphore) keeps its slot.
//
// Example: two blocks of work 10 us and load 0.3 run side by side at nearly full pace, since 0.6 of the SM is
// busy; at load 1 each takes about 20 us.
#include <cstdint>
#include <span>
#include <vector>

#include "core/report.hpp"

namespace dojo::simt {

/// A kind of block: those of one launch with the same trace.
struct BlockKind {
  double work = 1;    ///< microseconds, alone on an SM
  double load = 1;    ///< share of an SM's throughput that it uses when alone
  double shared = 0;  ///< the part of the load on L2 and DRAM, which all SMs share
  /// Factors of its time beside one block that waits by acquiring loads, which empty the L1, and beside many.
  double one_empties = 1, many_empty = 1;
  static constexpr int many = 8;
};

/// A point of a block that another block's progress depends on.
struct WaitPoint {
  static constexpr uint64_t whole_launch = ~uint64_t(0);
  double at = 0;  ///< share of the waiter's work that comes before, 0..1
  uint32_t by_launch = 0;
  uint64_t by_block = 0;  ///< or whole_launch: all of it must have ended
  double by_at = 0;       ///< share of the other's work that must be done
  bool empties_l1 =
      false;  ///< it waits by loads that acquire: each empties its SM's L1 (tests/microbench/acquire.cu)
};

struct ScheduledLaunch {
  uint64_t blocks = 0;
  std::vector<uint16_t> kind;  ///< by block; empty: all 0
  std::vector<BlockKind> kinds;
  double slot = 1;   ///< share of an SM that a block occupies: 1 / blocks per SM
  int sms = 0;       ///< the first SMs that have room for it: those that clusters find; 0: all
  int priority = 0;  ///< lower goes first, as CUDA counts
  std::vector<uint32_t> after, after_start;
  double before_us = 0, tail_us = 0;  ///< from being ready to the first block; from the last block to the end
  double at_least_us = 0;  ///< from being ready for the first block to the end, `tail_us` not counted
  double trigger = 1;      ///< share of each block's work after which its dependents may start
  /// By block, points in rising order of `at`; empty: none.
  std::vector<std::vector<WaitPoint>> waits;
};

struct ScheduleRules {
  int sms = 1, blocks_per_sm = 32;
  double block_us = 0;       ///< between two blocks' starts, GPU-wide
  double turnaround_us = 0;  ///< from a block's end to the start of the next in its slot
};

struct ScheduledTimes {
  double start_us = 0, end_us = 0;
  std::vector<BlockSpan> blocks;
};

/// How much slower every block of an SM runs, at a total load of its blocks.
double slowdown(double total_load);
/// The load of one block such that `count` of them are slowed down by `factor`.
double load_for(double factor, int count);

std::vector<ScheduledTimes> schedule(const ScheduleRules&, std::span<const ScheduledLaunch>);

}  // namespace dojo::simt
