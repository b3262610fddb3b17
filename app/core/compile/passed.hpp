#pragma once
// The passes over a program's texts before a compiler sees them.
#include <optional>
#include <string>
#include <vector>

#include "core/compile.hpp"
#include "core/compile/includes.hpp"
#include "core/compile/own/own_headers.hpp"
#include "core/compile/source_names.hpp"
#include "core/compile/spaces/spaces.hpp"

namespace dojo::compile_detail {

/// A text of the program after what is done before the compiler sees it.
struct Passed {
  std::optional<Diagnostic> problem;  ///< the text can't be compiled
  std::string text;                   ///< same lines as the student's
  SpaceCheck spaces;
  IncludeScan includes;
  SourceNames names;
  bool groups_first = false;
  bool cleanups = false;  ///< it has variables of with_cleanups()
};

/// What a text is part of: a whole program or a step, and the standard that it is compiled by.
struct Dialect {
  bool whole = false, later = false;
  bool catches = false;   ///< the program has handlers
  bool cleanups = false;  ///< destructors run when an exception leaves a block
};

/// The file and the program's own headers, each after its pass.
struct PassedProgram {
  Passed main;
  std::vector<Passed> headers;  ///< as Bundle::headers
};

/// Passes every text. Variables, names and what can't be compiled go into `out`.
PassedProgram pass_program(const std::string& file, const Bundle& program, const Dialect& dialect,
                           Compiled& out);

/// The name by which the texts include an own header: inside every folder, and in none.
std::string own_key(const Bundle&, size_t i);

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace dojo::compile_detail
