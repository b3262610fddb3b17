#pragma once
// Which launches of a run do its work. Gates on grids, occupancy and kernels look at these launches only, so
// that an empty kernel launched beside the real ones satisfies nothing.
//
// A launch works when it executes a store or an atomic, and may store to an allocation that matters (which
// ones it may store to follows from where its stores' addresses come from: kernel parameters and variables).
// An allocation matters when
//   - it is an output of the step, or the host can read it (managed and pinned memory);
//   - a copy brings it to the host, or to an allocation that matters;
//   - a working launch may load from it (it has a pointer to it), and that launch does not end before this
//   one starts.
// Example: partials<<<>>> stores to `sums`, total<<<>>> loads `sums` and stores to `out`; both work. A kernel
// that stores nothing, or only to memory that no working launch loads, does not.
#include <span>
#include <vector>

#include "core/host_work.hpp"
#include "core/memory.hpp"

namespace dojo::run {

/// Marks the idle launches, and those that may access pinned or managed memory (core/host_work.hpp).
/// `outputs`: addresses of the buffers that are checked. Where nothing matters (the step checks printed text
/// alone) all launches count as working.
void mark_idle(RunReport&, const HostWork&, std::span<const uint64_t> outputs, AddressSpace&);

}  // namespace dojo::run
