#pragma once
// What a launch stores of registers that its machine code spills, and of the frames of its calls. The machine
// executes PTX, where neither is seen: it follows from the CodeShapes and how often their blocks ran.
#include "simt/trace.hpp"

namespace dojo::simt {

struct Spilled {
  double stored = 0;  ///< bytes that go through the L1 to the L2
  double dirty = 0;   ///< different bytes: what the L2 has to write back in the end
};

/// `resident`: blocks that the GPU holds at once. Later blocks use the same local memory again.
Spilled spilled(const ptx::Module&, const LaunchNode&, const LaunchTrace&, uint64_t resident);

}  // namespace dojo::simt
