#pragma once
#include <string>
#include <vector>

namespace dojo {

/// The compiler in use, "nvrtc" or "clang": what $WARPDOJO_FRONT_END names, else NVRTC where it is installed.
std::string compiler_name();
/// True if it is installed; else `why` says what to install.
bool compiler_available(std::string* why);
/// The programs that the compiler in use starts; empty for NVRTC, which is a library.
std::vector<std::string> compiler_programs();

}  // namespace dojo
