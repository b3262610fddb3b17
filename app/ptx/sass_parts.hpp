#pragma once
// Parts of the way from machine code to a CodeShape (sass_shape.cpp) that look at it and the PTX side by
// side.
#include "ptx/sass_flow.hpp"

namespace dojo::ptx {

/// Which PTX branches the machine code's branches stand for.
class SassBranches {
 public:
  SassBranches(const Function& f, const SassFunction& s, const SassFlow& flow) : f_(f), s_(s), flow_(flow) {}
  /// The PTX branch that a machine block's last instruction, number `i`, stands for, or -1.
  int32_t of(uint32_t m, uint32_t i) const;
  /// A PTX branch and those behind it whose blocks have nothing left in the machine code: one jump by a table
  /// does for all of them.
  std::vector<int32_t> tree(int32_t root) const;
  /// PTX branches that part the warp between a BSYNC and its BSSY: each time one does, one more split arrives
  /// at the BSYNC. Those of inner pairs meet at their own.
  std::vector<int32_t> until(uint32_t bsync) const;
  /// Of a machine block with a call of one of ptxas's own routines, jumped over as a rule (denormals and the
  /// like): the PTX instruction that needs it; else -1.
  int32_t slow_path(uint32_t m) const;
  /// Of a machine block that is a loop for one PTX instruction, that instruction; else -1: an atomic by load
  /// and compare-and-swap in shared memory; a bulk copy or the set-up of an mbarrier, which take their
  /// operands from uniform registers and so go on lane by lane.
  int32_t repeated(uint32_t m) const;
  /// Whether a PTX block is no more than a return.
  bool returns_at_once(uint32_t b) const;

 private:
  bool is_branch(int32_t p) const {
    return p >= 0 && f_.code[size_t(p)].meaning.op == Op::bra && f_.code[size_t(p)].guard >= 0;
  }
  const Function& f_;
  const SassFunction& s_;
  const SassFlow& flow_;
};

/// Copies of PTX blocks in machine blocks. The assembler unrolls loops again and peels off first iterations,
/// so that one machine block may hold a PTX instruction several times.
class SassCopies {
 public:
  /// Maps loops as a whole, where that is possible, before anything else: an innermost loop of several PTX
  /// blocks that the assembler unrolled with all its inner branches predicated away. Each machine block that
  /// does its work then holds whole iterations, and gets the loop's head as its anchor, which is visited once
  /// per iteration.
  SassCopies(const Function&, const SassFunction&, SassFlow&);
  /// Loops of the PTX.
  const Loops& loops() const { return loops_; }
  /// Whether machine instruction `i` is all that its PTX instruction became: then such instructions in a
  /// machine block count copies.
  bool one_to_one(uint32_t i) const;
  /// PTX block whose visits pace those of PTX instruction `p`: its own, or the head of a loop that is mapped
  /// as a whole.
  uint32_t pace(int32_t p) const;
  /// Copies of PTX block `b` that machine block `m` holds; 0: nothing tells.
  int of(uint32_t m, uint32_t b) const;
  /// First iterations of the loop of PTX block `b` that the assembler peeled off: whole ones, in machine
  /// blocks of the PTX before the loop, that dominate `in_loop`, a machine block of it. Only where the loop
  /// is one block: others are visited in more than one place.
  int peeled_iterations(uint32_t b, uint32_t in_loop) const;

 private:
  void join_whole_loops();
  std::vector<uint8_t> blocks_of_innermost(uint32_t head) const;
  bool unrolled_whole(const std::vector<uint8_t>& in) const;
  const Function& f_;
  const SassFunction& s_;
  SassFlow& flow_;
  Loops loops_;
  std::vector<int> above_;  ///< immediate dominators of the machine blocks
  std::vector<int> whole_;  ///< by PTX block: the head of the loop that is mapped as a whole, or -1
};

/// Which loads and stores the machine code still has, and at what width; the shape's blocks are known.
void shape_accesses(const Function&, const SassFunction&, const SassFlow&, CodeShape&);
/// A load or store of the PTX may be gone from the machine code, but not while the machine code has one that
/// belongs to none: such code has no lines to find it by, as a function that inline PTX begins has none.
/// False: the shape is not to be trusted.
bool finds_accesses(const Function& f, const SassFunction& s, const SassFlow& flow, const CodeShape& shape);

}  // namespace dojo::ptx
