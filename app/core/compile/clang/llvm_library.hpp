#pragma once
// LLVM's optimiser and PTX writer for kernels that clang has parsed. clang's own -O2 keeps loops that NVRTC
// unrolls, and arrays stay in local memory because of it. libLLVM, which clang installs, accepts a pass list
// of our own.
#include <string>

namespace dojo::compile_detail {

/// Can libLLVM be loaded? If not, `why` says what to install.
bool llvm_available(std::string* why);
/// Compiles unoptimised bitcode of kernels to PTX, for a processor ("sm_75") and features ("+ptx78"). Empty
/// on failure, and `why` says what went wrong.
std::string optimise_kernels(const std::string& bitcode, const std::string& processor,
                             const std::string& features, std::string* why);
/// PTX that clang itself wrote, with the __cluster_dims__ that the bitcode of its kernels keeps.
std::string with_cluster_dims(const std::string& bitcode, std::string ptx);

}  // namespace dojo::compile_detail
