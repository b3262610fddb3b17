#pragma once
// Calls and returns of device code, and the functions that it finds in the machine itself.
#include <functional>
#include <string>

#include "simt/state/exec.hpp"

namespace dojo::simt {

/// Kernel code of the frame returns, or its thread ends.
const Inst* exit_or_return(Exec&);
/// The thread ends, in whatever function it is.
const Inst* exit_lanes_checked(Exec&);
const Inst* call_function(const Inst* p, Exec&, uint32_t function);

/// A conversion such as "%-8.3f" with no width and no precision above `most`: "%2000000000d" would otherwise
/// write two billion spaces for one instruction of the kernel.
std::string bounded_print_spec(const std::string& spec, int most);

}  // namespace dojo::simt
