#pragma once
// What the source text adds to a compiler's message: the line where something is missing, the name that was
// meant, the header that declares a name, the architecture that has it, the kernel qualifier that a launched
// function lacks.
#include <string>
#include <vector>

#include "core/compile.hpp"
#include "core/compile/tokens.hpp"
#include "core/types.hpp"

namespace dojo::compile_detail {

/// Completes the errors that lie in `file`, whose tokens these are. A missing brace comes first: the errors
/// behind it follow from it.
void add_source_advice(std::vector<Diagnostic>&, const TokenFile&, const CompileRequest&,
                       const std::string& file);

/// The name of `known` that `name` most likely stands for: at most a third of its letters differ. Empty:
/// none. Example: "threadidx" -> "threadIdx".
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

}  // namespace dojo::compile_detail
