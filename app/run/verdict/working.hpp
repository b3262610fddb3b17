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

/// Host code may execute so many instructions per call, for its arguments (sparse/7's reference: 18), so many
/// per working launch, for a loop that looks at a result to go on (a managed counter read per level: 7; with
/// indices of queues and counters per level: 18), and so many more, before it counts as computing with what
/// kernels stored.
inline constexpr int64_t instructions_per_call = 20, instructions_per_launch = 20, free_instructions = 96;
/// A launch has this flag where host code computes more than that and may read what the launch stores: pinned
/// or managed memory, or an allocation from which a copy goes to the host, but not to an output of the step.
inline constexpr const char* read_by_host_counter = "dojo__read_by_host.flag";

/// Marks the idle launches, and those that may access pinned or managed memory (core/host_work.hpp).
/// `outputs`: addresses of the buffers that are checked. Where nothing matters (the step checks printed text
/// alone) all launches count as working.
void mark_idle(RunReport&, const HostWork&, std::span<const uint64_t> outputs, AddressSpace&);

}  // namespace dojo::run
