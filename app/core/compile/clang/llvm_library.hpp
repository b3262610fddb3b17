#pragma once
// LLVM's optimiser and PTX writer, for the kernels that clang has read. clang's own -O2 leaves loops standing
// that NVRTC unrolls, and with them arrays in local memory; LLVM's library, which clang brings along, takes
// other passes.
#include <string>

namespace dojo::compile_detail {

/// False: `why` says what to install.
bool llvm_available(std::string* why);
/// Bitcode of kernels, not optimised, to PTX for a processor ("sm_75") and features ("+ptx78"). On failure
/// empty, and `why` says what went wrong.
std::string optimise_kernels(const std::string& bitcode, const std::string& processor,
                             const std::string& features, std::string* why);

}  // namespace dojo::compile_detail
