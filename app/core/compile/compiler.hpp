#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace dojo {

/// The compiler in use, "nvrtc" or "clang": what $WARPDOJO_FRONT_END names, else NVRTC where it is installed.
std::string compiler_name();
/// True if it is installed; else `why` says what to install.
bool compiler_available(std::string* why);
/// The programs that the compiler in use starts; empty for NVRTC, which is a library.
std::vector<std::string> compiler_programs();
/// The folder that the compiler in use reads precompiled headers from, made on first use; empty if it has
/// none.
std::filesystem::path compiler_cache();
/// Makes what the compiler keeps in compiler_cache() for this architecture ("compute_75") and is not there
/// yet. For the parents of enclosed compilers, which can't write there.
void prepare_compiler(const std::string& arch);

}  // namespace dojo
