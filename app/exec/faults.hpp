#pragma once
// Handlers for signals that end the program. Host code that touches device memory gets a finding. All
// findings are written before the program ends by the same signal.

namespace dojo::exec {

/// Installs the handlers, except where the program has its own.
void catch_faults();

}  // namespace dojo::exec
