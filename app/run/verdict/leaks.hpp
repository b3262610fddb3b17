#pragma once
// Leaks of one line as one finding: an allocation in a loop, or several on a line, with their number and all
// their bytes.
#include <vector>

#include "core/types.hpp"

namespace dojo::run {

/// Joins leaks of one line, one owner of memory and one call that would free them; all else stays as it is.
/// `severity` is the leaks': a whole program may leave its memory to the system; an entry that is called
/// again and again may not. The host lists the first 20 allocations only: where there are that many, sums say
/// "at least".
std::vector<Diagnostic> join_leaks(std::vector<Diagnostic>, Severity severity);

}  // namespace dojo::run
