#pragma once
// Kinds of blocks of a launch: those that did the same, and which of them are simulated in detail.
#include <cstdint>
#include <vector>

#include "simt/device/device_model.hpp"
#include "simt/time/sm.hpp"
#include "simt/trace.hpp"

namespace dojo::simt {

struct Kinds {
  std::vector<uint16_t> of;    ///< by block
  std::vector<double> weight;  ///< by kind: cycles that a block would keep an SM busy if nothing overlapped
  std::vector<uint64_t> count;
  double all(uint16_t kind) const { return weight[kind] * double(count[kind]); }
};

/// Blocks of one signature and of the same sectors from L2 and DRAM are of a kind.
Kinds classify(const DeviceModel&, const LaunchTrace&, uint64_t blocks);

/// The blocks that one SM gets, as far as they are worth simulating: every sms-th, each stood for by the
/// traced block that resembles it most. (Of blocks of a kind, those in the middle come first: the grid's
/// first block brings what all read.)
std::vector<const BlockTrace*> feed(const DeviceModel& m, const LaunchTrace& t, const Kinds& kinds,
                                    uint64_t blocks, uint64_t want);

/// Microseconds of a block of each kind alone on an SM. Of kinds that were traced, those with the most work
/// are simulated, of kinds of nearly the same weight one; the others are scaled from the nearest of them by
/// weight.
std::vector<double> times_alone(const DeviceModel& m, const LaunchTrace& t, const Kinds& kinds,
                                SmInputs single, uint16_t known, double known_us);

}  // namespace dojo::simt
