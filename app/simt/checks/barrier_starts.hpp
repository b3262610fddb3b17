#pragma once
// Whether each use of an mbarrier is ordered behind its initialisation: by a barrier of the block or the
// warp, by a flag, by another mbarrier, or from another block of the cluster by the cluster's barrier. What
// an mbarrier itself orders does not count: a thread that comes too early finds no mbarrier there.
#include "simt/state/exec.hpp"

namespace dojo::simt {

/// A lane initialises the mbarrier at a place of shared memory: an offset in the own block's, or (rank + 1)
/// << window::cta_shift | offset.
void note_barrier_start(Exec&, const Inst*, uint32_t lane, uint64_t place);
/// The mbarrier is no longer one.
void forget_barrier_start(Exec&, uint64_t place);
/// A lane arrives or waits at it. True: all threads of the block may.
bool check_barrier_use(Exec&, const Inst*, uint32_t lane, uint64_t place);
/// A phase of it has ended, and with that what came before is ordered (Block::barrier_stamp); not so its own
/// initialisation, if nothing ordered that `before`, the block's last barrier until then.
void keep_barrier_start(Exec&, uint64_t place, uint32_t before);

}  // namespace dojo::simt
