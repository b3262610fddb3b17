#pragma once
// What threads of a block exchange through shared memory: the bytes that a thread loads and another thread
// stored last. A tile in which each thread reads its own word back exchanges nothing.
//
// Example: 32 threads store t[i], and after a barrier load t[31 - i]: 128 bytes. If they load t[i]: 0 bytes.
#include "simt/state/access.hpp"
#include "simt/state/exec.hpp"

namespace dojo::simt {

/// Counts a load by a warp. `bytes` are those of a lane. Stores are known by SharedShadow::write, so the
/// count needs the checks. Bulk copies count as stores of thread 0, and words that nothing has stored are
/// left out.
void count_exchanged(Exec&, const Inst*, const Span&, uint32_t bytes);

}  // namespace dojo::simt
