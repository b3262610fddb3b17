#pragma once
// Control flow of one function: basic blocks, where divided lanes meet again, loops.
#include "ptx/module.hpp"

namespace dojo::ptx {

/// Fills blocks and block_of of a function whose code is complete and ends in a terminator.
void build_flow(Function&);

/// True for an instruction after which nothing follows in its block (bra, brx, ret, exit, trap), guarded or
/// not.
bool ends_block(const Instruction&);

/// A body that ptxas predicates has at most so many PTX instructions, its last branch not counted
/// (docs/time-model-evidence.md).
inline constexpr uint32_t longest_predicated = 11;

/// Immediate dominators over `successors` from node `root`, by the iteration of Cooper, Harvey and Kennedy;
/// -1 for the root and for nodes it doesn't reach.
std::vector<int> dominators(const std::vector<std::vector<uint32_t>>& successors, uint32_t root);

/// One natural loop: its head, and which nodes lie in it, the head included.
struct LoopBody {
  uint32_t head = 0;
  std::vector<uint8_t> in;  ///< by node
  size_t count = 0;         ///< of nodes
};
/// All natural loops of a graph, inner ones before those around them. All back edges to one head make one
/// loop.
std::vector<LoopBody> loop_bodies(const std::vector<std::vector<uint32_t>>& successors, uint32_t root);

/// Natural loops of a graph: how deep each node lies, and the head of its innermost loop (-1: none).
struct Loops {
  std::vector<int> depth, head;
};
Loops natural_loops(const std::vector<std::vector<uint32_t>>& successors, uint32_t root);

}  // namespace dojo::ptx
