#pragma once
// Findings that the optimiser alone may have made.
//
// It may move a load of shared memory in front of the condition that guards it, where it can do no harm: the
// value is dropped when the condition is false. Example: of `threadIdx.x == 0 && last` it loads `last` in all
// threads. The source has no such read. So an uninitialised read, or a race of which one side reads, between
// threads of one block is the file's only if the code compiled as written has a finding, too. That code has
// to run to its end at the same size; otherwise the finding stands. Races between blocks always stand: which
// of them are met depends on the order of the blocks, which differs between the two runs (docs/findings.md).
#include <vector>

#include "core/types.hpp"

namespace dojo::run {

/// Are there errors, and may each of them come from a load that the optimiser moved?
bool may_be_hoisted(const std::vector<Diagnostic>&);

/// Takes the errors away; warnings and notes stay.
void drop_errors(std::vector<Diagnostic>&);

}  // namespace dojo::run
