#pragma once
// What kind of kernel it is: may its blocks run at once, and how fine is its access to memory.
#include <cstdint>
#include <vector>

#include "simt/decode/program.hpp"

namespace dojo::simt {

/// True when the outcome may depend on the order in which blocks run.
bool order_matters(const Program&, const std::vector<const Code*>&);
/// True when blocks leave neither text (any call may print) nor additions of floats for their turn.
bool leaves_nothing(const std::vector<const Code*>&);
/// True when a block may let dependent launches start before it has ended (griddepcontrol.launch_dependents).
bool lets_dependents_start(const std::vector<const Code*>&);
/// The smallest access to shared and to global memory, in bytes: 1, 2 or 4.
void access_grains(const std::vector<const Code*>&, uint32_t* shared, uint32_t* global);

}  // namespace dojo::simt
