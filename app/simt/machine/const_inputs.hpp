#pragma once
// Inputs that a kernel's signature promises not to write: const T* parameters.
#include <vector>

#include "simt/state/exec.hpp"

namespace dojo::simt {

std::vector<Region*> promised_const(AddressSpace&, const Grid&);

}  // namespace dojo::simt
