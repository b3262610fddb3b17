#pragma once
// Which blocks of a launch are traced in detail: the time model simulates a sample and scales it to the
// others.
#include <cstdint>
#include <functional>
#include <span>

#include "simt/gpu/device_model.hpp"
#include "simt/trace.hpp"

namespace dojo::simt {

/// Which blocks model_time wants traced in detail: those that one SM would hold first, a few later ones and
/// the last; all of a small grid, and of one whose blocks may wait for each other.
struct TracedBlocks {
  std::function<bool(uint32_t launch, uint64_t block)> traced;
  /// Those that are simulated; of others that are traced for what they wait for alone, a shortened trace
  /// does.
  std::function<bool(uint32_t launch, uint64_t block)> whole;
  /// Those of kernels with data_loops.hpp that are not sampled: the trace is worth keeping if the block has
  /// more than twice the work of each that is kept before it. Example: the longest row of a sparse matrix.
  std::function<bool(uint32_t launch, uint64_t block)> spare;
};
TracedBlocks blocks_to_trace(const DeviceModel&, const ptx::Module&, std::span<const LaunchNode>);

}  // namespace dojo::simt
