#pragma once
// The name of a variable that is used before it has a value. The machine sees a register; which variable it
// is, the source tells: one that is declared without a value in the same function, and that the line uses.
//
// Example: of `float sum;` in line 3 and `sum += x[i];` in line 5, line 5 uses sum.
#include <string_view>

#include "core/types.hpp"

namespace dojo::run {

/// Puts the variable's name and its declaration into the message of a use without a value. Where several or
/// none can be meant, the message stays as it is; so do all other diagnostics.
void name_unset_variable(Diagnostic&, std::string_view source);

}  // namespace dojo::run
