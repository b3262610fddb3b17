#pragma once
// A missing barrier shows twice: a thread reads a word of shared memory before another one writes it
// ("uninitialized", where it is the first write), and the two race. The race names both lines and the
// barrier; the other finding leads away from it.
#include <vector>

#include "core/types.hpp"

namespace dojo::run {

/// Takes out findings of unwritten shared memory whose reading line is a side of a race for the same array in
/// the same kernel.
void drop_late_writes(std::vector<Diagnostic>&);

}  // namespace dojo::run
