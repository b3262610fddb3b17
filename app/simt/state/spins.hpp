#pragma once
// Loops that wait: a split that comes round a loop with the same registers, having read but not written,
// parks until another block or warp writes what it read. Where only its registers have changed, as they do in
// a loop that counts its looks or reads a clock, it lets other warps of the block run before it looks again.
#include "simt/state/exec.hpp"

namespace dojo::simt {

/// Notes a strong read, in kernels whose blocks run in the one fixed order.
void watch(Exec&, uint64_t address, uint32_t bytes, const void* value);
/// At a back edge after strong reads: true when the split parked (nothing changed since the last time round).
/// Ends the warp's slice when all that was read holds what it held the last time round (Exec::yielded).
bool spin_check(const Inst* p, Exec&, const Inst* next);

}  // namespace dojo::simt
