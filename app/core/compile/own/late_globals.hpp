#pragma once
// Globals whose initialisers are no constants: `dim3 grid(n / 256);` at file scope. NVRTC takes every global
// for a device's, which code can't initialise. What a host does before main is done at main's beginning.
#include <set>
#include <string>
#include <vector>

#include "core/compile/tokens.hpp"

namespace dojo::compile_detail {

struct LateGlobals {
  std::string source;
  std::vector<std::string> names;  ///< of the variables
};

/// `source` with the initialisers of the variables on these lines moved to the beginning of main, in their
/// order; lines stay. Empty where one of them can't be moved: in a namespace, an array, several in one
/// declaration, or no main in this file. Example: "int n = f(); int main() {" becomes
/// "int n      ; int main() {n = f(); ".
LateGlobals with_late_globals(const std::string& source, const TokenFile&, const std::set<int>& lines);

}  // namespace dojo::compile_detail
