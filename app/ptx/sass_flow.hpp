#pragma once
// Basic blocks of machine code, and which PTX block each belongs to.
#include <set>

#include "ptx/flow/flow.hpp"
#include "ptx/sass.hpp"

namespace dojo::ptx {

struct SassBlock {
  uint32_t first = 0, last = 0;      ///< instruction indices
  std::vector<uint32_t> successors;  ///< {taken, fall through}
  bool reached = false;              ///< by a warp that is whole at the places where the code asks
  int depth = 0, head = -1;          ///< loops around it, the innermost one's head block
  int anchor = -1;                   ///< PTX block that is visited when this one is
};

struct SassFlow {
  std::vector<SassBlock> blocks;
  std::vector<uint32_t> block_of;  ///< instruction -> block
  std::vector<int32_t> ptx;        ///< instruction -> PTX instruction, -1: none
  /// Instruction -> jumps within the function: BRA, and a CALL that ptxas puts where a PTX branch goes far
  /// (sm_8x).
  std::vector<uint8_t> jump;
  bool jumps(uint32_t i) const { return jump[i]; }
  /// Instruction -> accesses local memory that no PTX access asks for: a spilled register, or the frame of a
  /// call. Its line says nothing of where it stands.
  std::vector<uint8_t> spill;
};

/// How much an instruction says of where it stands: 8 for what the assembler doesn't move (stores, barriers,
/// atomics), less for loads and shuffles, 1 for arithmetic, which it hoists.
int fixedness(const SassInstruction&);

/// Which PTX blocks always run together.
class Together {
 public:
  explicit Together(const Function&);
  /// True if `second` is visited after every visit of `first`, and only then.
  bool operator()(uint32_t first, uint32_t second) const;
  bool reachable(uint32_t b) const { return b == 0 || idom_[b] >= 0; }

 private:
  const Function& f_;
  std::vector<int> idom_;
};

/// The PTX instructions that a machine block holds.
std::set<int32_t> ptx_of(const SassFlow&, uint32_t machine_block);
/// Two machine blocks with more than half of their PTX instructions in common, as copies of an unrolled loop.
bool mostly_same(const SassFlow&, uint32_t a, uint32_t b);

/// Blocks with anchors. Those that only a divided warp runs (BRA.DIV), and the code behind the function, are
/// not reached. False when the code can't be matched with the PTX.
bool build_sass_flow(const Function&, const SassFunction&, SassFlow&);

}  // namespace dojo::ptx
