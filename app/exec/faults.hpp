#pragma once
// Signals that end the program: host code that touches device memory gets a finding, and what was found until
// then is written before the program dies as it would have.

namespace dojo::exec {

/// Installs the handlers where the program has none of its own.
void catch_faults();

}  // namespace dojo::exec
