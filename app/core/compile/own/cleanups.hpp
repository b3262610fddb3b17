#pragma once
// Destructors that run when an exception leaves a function, and handlers that take derived classes.
//
//   Buffer b(n);   becomes   Buffer b(n); __dojo_Cleanup<decltype(b)> _dcl_b(b);
//
// The host interpreter keeps a list of these objects. A throw runs the destructors of those that were made
// since the try block began, the last first (shims/dojo_throw.hpp). Variables in the head of `if`, `for` and
// `while` enter it at the beginning of the block or statement behind: what the head itself throws, or a
// loop's step, leaves them. Left out are temporary objects, members and bases of an object whose constructor
// throws, variables in the head of a switch, of `if constexpr`, and of a statement whose body has no braces
// and begins with another such statement, and what a structured binding names.
//
//   struct FileError : Error {   becomes   struct FileError : Error { public: typedef
//                                          __dojo_Bases<FileError, Error> __dojo_bases;
//
// A type in the program can't be asked for its bases in any other way.
#include <map>
#include <string>

#include "core/compile/tokens.hpp"

namespace dojo::compile_detail {

/// For programs with handlers, on one line per line. `macros`: those of the program's own headers, which may
/// stand for __device__. `any`: becomes true where a variable got its entry in the list.
std::string with_cleanups(const std::string& source, const std::map<std::string, Macro>& macros, bool& any);

/// Classes alone.
std::string with_bases(const std::string& source);

}  // namespace dojo::compile_detail
