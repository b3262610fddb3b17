#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/code_listing.hpp"
#include "core/device.hpp"

namespace dojo::run {

/// What a compiled file becomes on a device: PTX by line, and machine code where ptxas is there. `file`: as
/// messages name it; only its lines count as lines of the listing. Throws Error on PTX that can't be read.
CodeListing list_compiled(const Compiled&, const std::string& file, const DeviceInfo&);

/// Enters counts by mangled function and PTX instruction; sets `ran` when there are some that fit the
/// listing.
void add_counts(const std::map<std::string, std::vector<uint64_t>>&, CodeListing&);

}  // namespace dojo::run
