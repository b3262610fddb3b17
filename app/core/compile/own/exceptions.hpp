#pragma once
// Words of whole programs that the compiler of kernels does not know. (try and catch: handlers.hpp.)
#include <string>

#include "core/compile/tokens.hpp"

namespace dojo::compile_detail {

/// The source with two words replaced by others of the same width, so that columns stay. `thrust` becomes
/// `_thrst`, the namespace of our stand-in (labs/include/shims/dojo_thrust), because the toolkit's CUB has a
/// namespace of that name. `register` becomes blanks: C++17 removed it.
std::string with_own_words(const std::string& source, const TokenFile&);

/// `throw` becomes a macro of the same width, which shims/dojo_clib.hpp defines: _dthr, or _dret for the
/// `throw;` that rethrows. Lines and columns stay.
std::string without_throw(const std::string& source, const TokenFile&);

}  // namespace dojo::compile_detail
