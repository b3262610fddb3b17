#pragma once
// Kinds of blocks: blocks of a launch that did the same work. A few of each are simulated; the others take
// their times. Example: of 1000 blocks, 999 have one signature and the last one, which is cut off, another:
// two kinds.
#include <cstdint>
#include <vector>

#include "simt/gpu/device_model.hpp"
#include "simt/time/sm.hpp"
#include "simt/trace.hpp"

namespace dojo::simt {

struct Kinds {
  std::vector<uint16_t> of;    ///< by block
  std::vector<double> weight;  ///< by kind: cycles that a block would keep an SM busy if nothing overlapped
  std::vector<uint64_t> count;
  double all(uint16_t kind) const { return weight[kind] * double(count[kind]); }
};

/// Groups blocks by signature and by sectors from L2 and DRAM.
Kinds classify(const DeviceModel&, const LaunchTrace&, uint64_t blocks);

/// The first `want` blocks that one SM runs, every sms-th block of the grid, each represented by the traced
/// block most like it. Among traced blocks of one kind, those in the middle of the grid come first: the
/// grid's first block also misses on what all blocks read.
std::vector<const BlockTrace*> blocks_in_order(const DeviceModel& m, const LaunchTrace& t, const Kinds& kinds,
                                               uint64_t blocks, uint64_t want);

/// Microseconds of a block of each kind alone on an SM. The traced kinds with the most work are simulated,
/// that of the largest block first, and one of several kinds of nearly equal weight. Each other kind is
/// scaled from the simulated one nearest to it: the part of its time that the longest warp's latencies take
/// in proportion to these, the rest to the weight. Example: a block of four warps takes 10 us, of which the
/// longest warp's chain of 20 atomics takes 8. One with as many atomics in all, 40 of them in one warp, takes
/// 18 us. `known`: a kind whose time is known already.
std::vector<double> times_alone(const DeviceModel& d, const ptx::Module& m, const LaunchTrace& t,
                                const Kinds& kinds, SmInputs single, uint16_t known, double known_us);

}  // namespace dojo::simt
