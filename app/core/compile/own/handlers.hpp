#pragma once
// try and catch in the host code of whole programs. The host interpreter answers __dojo_try() as setjmp
// does: with 1, and with 0 once more where an exception comes to it (simt/ops/host_exceptions.cpp,
// shims/dojo_throw.hpp).
//
//   try { f(n); } catch (const E& e) { g(e); }
//
// becomes, on the same lines,
//
//   if (__dojo_keep(n), __dojo_try()) { __dojo_Guard _dgrd; f(n); }
//   else if (__dojo_is<const E&>()) { __dojo_Caught _dcgt; const E& e = __dojo_get<const E&>(); (void)e;
//   g(e); } else __dojo_go_on();
//
// The second answer gives back the registers of the first. __dojo_keep() makes the compiler hold a variable
// in memory, so that a handler finds what the block has made of it. The function is kept out of its callers
// for the same reason: inlined, it would have *this and what a lambda captures in their registers.
#include <string>

namespace dojo::compile_detail {

std::string with_handlers(const std::string& source);

/// Is one of the file's words `catch`?
bool has_handlers(const std::string& source);

}  // namespace dojo::compile_detail
