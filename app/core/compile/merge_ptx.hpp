#pragma once
#include <string>
#include <vector>

namespace dojo::compile_detail {

/// clang compiles a file twice; this makes one module of the kernels' PTX and the host part's. Of what both
/// define, the kernels' stays. The host part launches a kernel by its stub's address, which becomes the
/// kernel's own. Example: `_Z16__device_stub__kPf` in the host part is `_Z1kPf` here. `quiet_folders`: line
/// marks of files below them are left out, so that what our headers inline belongs to the student's line.
/// `managed`: variables that the file declares __managed__, which clang does not know.
/// `host_variables`: those that the student's file declares for the host; what else only the host part has is
/// a constant of a header.
std::string merge_ptx(const std::string& kernels, const std::string& host,
                      const std::vector<std::string>& quiet_folders,
                      const std::vector<std::string>& managed = {},
                      const std::vector<std::string>& host_variables = {});

/// "_Z1kPf" of "_Z16__device_stub__kPf"; empty for what is no stub. A function that calls kernels through
/// pointers (`auto k = wide ? a : b; k<<<...>>>()`) keeps their stubs' addresses: it calls them.
std::string kernel_of_stub(const std::string& name);

/// The functions that kernels call get "$device" at the end of their names, so that host code may have others
/// of the same name. For files that ask for __CUDA_ARCH__.
std::string name_device_functions(const std::string& ptx);

/// Two compiles of one file by NVRTC: `device` with __CUDA_ARCH__, `host` without it in the student's own
/// text. The result has the kernels, the variables and all that kernels call from `device`, and every other
/// function from `host`. Functions of `device` get "$device" at the end of their names.
std::string merge_targets(const std::string& device, const std::string& host);

}  // namespace dojo::compile_detail
