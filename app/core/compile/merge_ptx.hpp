#pragma once
#include <string>

namespace dojo::compile_detail {

/// clang compiles a file twice; this makes one module of the kernels' PTX and the host part's. Of what both
/// define, the kernels' stays. The host part launches a kernel by its stub's address, which becomes the
/// kernel's own. Example: `_Z16__device_stub__kPf` in the host part is `_Z1kPf` here. `quiet_folder`: line
/// marks of files below it are left out, so that what our headers inline belongs to the student's line.
std::string merge_ptx(const std::string& kernels, const std::string& host, const std::string& quiet_folder);

}  // namespace dojo::compile_detail
