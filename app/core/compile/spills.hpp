#pragma once
#include <map>
#include <string>

namespace dojo {

/// What a kernel keeps in local memory for want of registers: bytes a thread, as ptxas counts them in the
/// code.
struct Spills {
  int stores = 0, loads = 0;
};

/// By mangled kernel, of a text that assemble() was given (from its memory; else ptxas runs). Empty without
/// ptxas.
std::map<std::string, Spills> spills_of(const std::string& stripped_ptx, const std::string& sm);

}  // namespace dojo
