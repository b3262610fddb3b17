#pragma once
// Accesses of shared memory that leave the array they start from.
#include "simt/decode/access_traits.hpp"
#include "simt/state/access.hpp"

namespace dojo::simt {

/// Reports an address that is computed from one array, and lies in another or beyond all.
void check_array(Exec&, const Inst*, const AccessTraits&, const Span&, uint32_t bytes, bool write);

}  // namespace dojo::simt
