#pragma once
// Exceptions in the host code of whole programs. The interpreted host has none: a `try` is a block, a `catch`
// never runs, and a `throw` ends the program with a finding. Most programs throw only what they don't expect.
#include <string>

#include "core/compile/tokens.hpp"

namespace dojo::compile_detail {

/// Words of whole programs that stand for something else here, of the same width: `thrust` is the namespace
/// of our stand-in (shims/dojo_thrust), since CUB has one of that name; `register` says nothing.
std::string with_own_words(const std::string& source, const TokenFile&);

/// The source, its lines and columns kept. Example: "try { f(); } catch (E& e) { g(e); }" becomes
/// "    { f(); }                      "; `throw` becomes a macro of its width (shims/dojo_clib.hpp).
std::string without_exceptions(const std::string& source, const TokenFile&);

}  // namespace dojo::compile_detail
