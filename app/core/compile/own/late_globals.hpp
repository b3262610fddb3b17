#pragma once
// Globals with dynamic initialisers, such as `dim3 grid(n / 256);` at file scope. NVRTC takes every global
// for a device variable and refuses them. A host program would run these initialisers before main, so they
// move to main's first line.
#include <set>
#include <string>
#include <vector>

#include "core/compile/tokens.hpp"

namespace dojo::compile_detail {

struct LateGlobals {
  std::string source;
  std::vector<std::string> names;  ///< of the variables whose initialisers moved
};

/// `source` with the initialisers of the variables on `lines` moved to the beginning of main, in their order.
/// Line numbers stay. Both members are empty if one of them can't be moved: it is in a namespace or an array,
/// its declaration has several variables, or the file has no main. Example: "int n = f(); int main() {"
/// becomes "int n      ; int main() {n = f(); ".
LateGlobals with_late_globals(const std::string& source, const TokenFile&, const std::set<int>& lines);

}  // namespace dojo::compile_detail
