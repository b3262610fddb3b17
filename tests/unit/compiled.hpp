#pragma once
// A source text given to the compiler as t.cu.
#include <string>

#include "core/compile.hpp"

namespace dojo::test {

inline Compiled compiled(const std::string& source, const std::string& arch = "compute_75") {
  CompileRequest r;
  r.file = "t.cu";
  r.source = source;
  r.arch = arch;
  return compile(r);
}

}  // namespace dojo::test
