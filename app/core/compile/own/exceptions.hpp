#pragma once
// Exceptions in the host code of whole programs. The host interpreter has no exceptions: `try` becomes a
// plain block, `catch` never runs, and `throw` ends the program with a finding. Most programs throw only on
// errors, so most run.
#include <string>

#include "core/compile/tokens.hpp"

namespace dojo::compile_detail {

/// The source with two words replaced by others of the same width, so that columns stay. `thrust` becomes
/// `_thrst`, the namespace of our stand-in (labs/include/shims/dojo_thrust), because the toolkit's CUB has a
/// namespace of that name. `register` becomes blanks: C++17 removed it.
std::string with_own_words(const std::string& source, const TokenFile&);

/// The source without exceptions; lines and columns stay. Example: "try { f(); } catch (E& e) { g(e); }"
/// becomes "    { f(); }                      ". `throw` becomes a macro of the same width, which
/// shims/dojo_clib.hpp defines: _dthr, or _dret for the `throw;` that rethrows.
std::string without_exceptions(const std::string& source, const TokenFile&);

}  // namespace dojo::compile_detail
