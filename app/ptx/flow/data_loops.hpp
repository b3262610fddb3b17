#pragma once
// Loops whose number of trips depends on data: the rows of a sparse matrix, a tree, an iteration that
// converges. Blocks of one launch may then differ in work by any factor.
#include "ptx/module.hpp"

namespace dojo::ptx {

/// Does a branch in a loop depend on a value that was loaded or computed in floating point? Parameters and
/// indices of threads are no such values: a loop up to `n` has as many trips in each block.
bool has_data_loop(const Function&);

}  // namespace dojo::ptx
