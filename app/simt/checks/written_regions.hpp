#pragma once
// Which memory a launch may write to, from where its stores' addresses come from.
#include <vector>

#include "simt/state/exec.hpp"

namespace dojo::simt {

/// Regions that a launch may write to; false: could be any.
bool written_regions(AddressSpace&, const Program&, const Grid&, std::vector<Region*>*);

}  // namespace dojo::simt
