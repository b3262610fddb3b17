#pragma once
// The source line behind a line of PTX text. It also serves text that neither the parser nor ptxas takes.
#include <string_view>

#include "core/types.hpp"

namespace dojo::ptx {

/// The place of the last .loc at or before `line` (from 1) in the same function, or of the call it was
/// inlined at, whichever is the first in `student_file`. Not known: line 0.
/// Example: ".loc 2 9 3, function_name $L0, inlined_at 1 21 5" is line 21 where file 1 is the student's.
SourceLoc place_in_text(std::string_view ptx, int line, std::string_view student_file);

}  // namespace dojo::ptx
