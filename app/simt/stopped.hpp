#pragma once
// What a batch of launches left when its run was stopped before its end: by a deadlock, a limit, or a finding
// that a GPU would stop at. The machine fills it, the time model places its blocks in time as far as they
// ran.
#include <cstdint>
#include <vector>

#include "simt/trace.hpp"

namespace dojo::simt {

/// Where a block stood: it had not begun, had ended, could still run, or waited for what never came.
enum class BlockEnd : uint8_t { not_begun, ended, running, waiting };

struct StoppedBatch {
  std::vector<LaunchTrace> traces;          ///< by launch, with the blocks that ran
  std::vector<std::vector<BlockEnd>> ends;  ///< by launch, by block
};

}  // namespace dojo::simt
