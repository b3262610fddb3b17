#pragma once
// A compiled file as text that a later process can run: a handout's references. PTX says neither which
// variables are the host's nor what a line allocates. Without these, host variables lie in device memory, and
// the allocations after them have other addresses and thus other times.
#include <string>

#include "core/compile.hpp"

namespace dojo::run {

/// The PTX behind one comment line that holds the names.
std::string stored_ptx(const Compiled&);
/// The same again: `ok`, the PTX without that line, and its names; none where the line is missing.
Compiled from_stored_ptx(const std::string& text);

}  // namespace dojo::run
