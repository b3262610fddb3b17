#pragma once
// Which basic blocks of the PTX are one block of the machine code, by rule. ptxas predicates triangles (an
// `if` without `else`), innermost first, whose bodies are short and have no call, barrier or return. What
// follows is then straight code, in which loads move freely.
//
// Example: A branches around B, both go on to C, and nothing else leads to B or C: home is {A, A, A}, B is
// predicated.
#include <vector>

#include "ptx/module.hpp"

namespace dojo::ptx {

struct Predicated {
  std::vector<uint32_t> home;     ///< per block: the block that it becomes part of, or itself
  std::vector<bool> conditional;  ///< per block: it runs under a predicate in its home
  /// Per home: its blocks in the order in which they run, itself first. Of others: nothing.
  std::vector<std::vector<uint32_t>> parts;
};

Predicated predicate(const Function&);

}  // namespace dojo::ptx
