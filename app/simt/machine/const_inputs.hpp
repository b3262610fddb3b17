#pragma once
// Inputs that a kernel's signature promises not to write: const T* parameters.
#include <string>
#include <vector>

#include "simt/state/exec.hpp"

namespace dojo::simt {

/// Which parameters are pointers to const, by the kernel's symbol.
std::vector<bool> const_pointers(const std::string& symbol);
std::vector<Region*> promised_const(AddressSpace&, const Grid&);

}  // namespace dojo::simt
