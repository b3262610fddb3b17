#pragma once
// Checks of shared memory lane by lane, and of vectors all lanes together (shadow_shared.cpp).
#include "simt/state/access.hpp"

namespace dojo::simt {

void check_shared_lane(Exec&, const Inst*, uint32_t lane, uint64_t offset, uint32_t bytes, bool write,
                       bool atomic);
/// Lanes of vectors (float2, double4) that nothing else meets: every grain of every lane was last accessed by
/// this thread, or what was before is ordered. Does what check_shared_lane() would, or nothing: false.
bool check_vectors(Exec&, const Inst*, const Span&, uint32_t bytes, bool write);

}  // namespace dojo::simt
