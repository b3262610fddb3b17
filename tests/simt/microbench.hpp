#pragma once
// What programs of tests/microbench share with the tests that hold the time model to their figures.
#include <fstream>
#include <iterator>
#include <string>

#include "core/paths.hpp"

namespace dojo::test {

/// The text of a header of tests/microbench: kernels without a clock, which the SIMT machine can run too.
inline std::string microbench_header(const char* name) {
  std::ifstream in(source_root() / "tests" / "microbench" / name);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace dojo::test
