#pragma once
// Variables `static int sms = query();` of host functions. NVRTC takes each static for a device variable and
// refuses initialisers that need code. C++ runs them when the function comes there for the first time, and so
// does the text that takes their place.
#include <set>
#include <string>

#include "core/compile/tokens.hpp"

namespace dojo::compile_detail {

struct LateStatics {
  std::string source;
  std::set<int> left;  ///< of the lines asked for, those that hold no such variable
};

/// `source` with each static variable of a host function on `lines` behind a pointer that is set once. Line
/// numbers stay. Not changed: arrays, references, declarations of several variables, and functions with
/// __global__ or __device__, also in a macro, where nvcc refuses them, too. Such an object is never
/// destroyed. Example: "static int n = f();" becomes "static int* __dojo_n = nullptr; if (!__dojo_n) __dojo_n
/// = new int (f()); auto& n = *__dojo_n;".
LateStatics with_late_statics(const std::string& source, const TokenFile&, const std::set<int>& lines);

}  // namespace dojo::compile_detail
