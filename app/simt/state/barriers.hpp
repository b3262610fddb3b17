#pragma once
// The sixteen barriers of a block: who waits, and what happens when all have come.
#include "simt/state/exec.hpp"

namespace dojo::simt {

/// What a thread does at a barrier (Inst::sub).
enum BarrierKind : uint8_t { b_sync, b_arrive, b_and, b_or, b_popc };

/// Everyone who waits at a barrier goes on. `runner`: the warp whose split number *running only arrives and
/// runs on; its place is kept up to date, and no lane joins it.
void release_barrier(Block&, uint32_t id, const Warp* runner = nullptr, int* running = nullptr);
/// Threads have ended: releases the barriers at which all that are left wait.
void check_barriers(Exec&, Block&);
/// Reports that threads of the block ended before the barrier at which others wait.
void report_exited(Exec&, Block&, uint32_t barrier);

}  // namespace dojo::simt
