#pragma once
// Host and device code told apart. NVRTC compiles a whole file for the device, so that a kernel may silently
// use host code and the reverse; this pass notes what nvcc would, from the tokens alone. It prefers to miss a
// confusion over inventing one: names that are overloaded, shadowed or qualified by an unknown scope are
// skipped.
#include <string>
#include <vector>

#include "core/compile/tokens.hpp"
#include "core/types.hpp"

namespace dojo::compile_detail {

struct SpaceCheck {
  std::vector<Diagnostic> errors;           ///< in nvcc's words, in source order; `where.file` is left empty
  std::vector<std::string> host_variables;  ///< namespace-scope and class-static variables of the host
  std::vector<std::string> managed_variables;
  std::map<int, std::string> allocation_names;  ///< line -> variable that an allocation there fills
  /// Calls in host code that the host interpreter answers, where the compiler would take the device's
  /// function or write a loop: offset of the name -> a name of equal width.
  std::map<size_t, std::string> host_calls;
  std::vector<size_t> blanked;  ///< offsets of lambdas' __device__ and __host__ words, to be blanked
};

/// `program`: a whole program, whose own build may have nvcc's -rdc=true; a launch in a kernel is a warning
/// there, and an error in a lab.
SpaceCheck check_spaces(const TokenFile&, bool program);

}  // namespace dojo::compile_detail
