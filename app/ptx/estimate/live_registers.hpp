#pragma once
// How many registers per thread ptxas would assign, estimated from liveness.
#include "ptx/module.hpp"

namespace dojo::ptx {

/// Registers of 32 bits per thread, 16 to 255: the most words that are live at once between two PTX
/// instructions. Not counted: predicates, kernel parameters and constants, which machine code reads from
/// constant memory or holds in its instructions, and results that fold into their user.
int estimate_registers(const Module&, const Function&);

}  // namespace dojo::ptx
