#include "ptx/estimate/unrolling.hpp"

#include <algorithm>

#include "ptx/registers.hpp"

namespace dojo::ptx {
namespace {

bool writes(const Instruction& i, uint64_t r) {
  bool found = false;
  each_operand_register(i, true, [&](uint32_t w) { found |= w == r; });
  return found;
}

/// The last instruction of the block that writes a register, or null.
const Instruction* writer(const Function& f, uint32_t b, uint64_t r) {
  for (uint32_t i = f.blocks[b].last + 1; i-- > f.blocks[b].first;)
    if (writes(f.code[i], r)) return &f.code[i];
  return nullptr;
}

/// add or sub of a constant to a register, into the same one.
bool steps(const Instruction& i) {
  return i.meaning.is({Op::add, Op::sub}) && i.operands.size() == 3 &&
         i.operands[0].kind == OperandKind::reg && i.operands[1].kind == OperandKind::reg &&
         i.operands[0].value == i.operands[1].value && i.operands[2].kind == OperandKind::imm &&
         !i.operands[2].is_float;
}

const Instruction* comparison(const Function& f, uint32_t b) {
  const Instruction& last = f.code[f.blocks[b].last];
  if (last.meaning.op != Op::bra || last.guard < 0) return nullptr;
  const Instruction* set = writer(f, b, uint64_t(last.guard));
  return set && set->meaning.op == Op::setp ? set : nullptr;
}

bool meets_other_lanes(const Meaning& m) {
  const Group g = group_of(m.op);
  return g == Group::shuffle || g == Group::vote || g == Group::barrier || g == Group::fence ||
         g == Group::call || g == Group::tensor || g == Group::tensor_load || m.changes() ||
         m.order != Order::weak || m.effect == Effect::copy || m.effect == Effect::bulk;
}

}  // namespace

bool can_unroll(const Function& f, uint32_t b) {
  const BasicBlock& block = f.blocks[b];
  if (std::find(block.successors.begin(), block.successors.end(), b) == block.successors.end()) return false;
  const auto& kept = f.not_unrolled;
  if (std::any_of(kept.begin(), kept.end(), [&](uint32_t i) { return f.block_of[i] == b; })) return false;
  for (uint32_t i = block.first; i <= block.last; ++i)
    if (meets_other_lanes(f.code[i].meaning)) return false;
  const Instruction* set = comparison(f, b);
  if (!set) return false;
  for (size_t k = 1; k < set->operands.size(); ++k) {
    if (set->operands[k].kind != OperandKind::reg) continue;
    const Instruction* counter = writer(f, b, set->operands[k].value);
    if (counter && steps(*counter)) return true;
  }
  return false;
}

std::vector<bool> once_per_turn(const Function& f, uint32_t b) {
  const BasicBlock& block = f.blocks[b];
  const Instruction* set = comparison(f, b);
  std::vector<bool> once(block.last - block.first + 1, false);
  for (uint32_t i = block.first; i <= block.last; ++i) {
    const Instruction& inst = f.code[i];
    bool is = i == block.last || &inst == set;
    if (!is && steps(inst)) {
      is = true;
      for (uint32_t k = block.first; k <= block.last; ++k) {
        if (k == i || &f.code[k] == set) continue;
        for (const Operand& o : f.code[k].operands) {
          const bool address = o.kind == OperandKind::address && o.items.empty();
          if (!address) each_register(o, [&](uint32_t r) { is &= r != inst.operands[0].value; });
        }
      }
    }
    once[i - block.first] = is;
  }
  return once;
}

}  // namespace dojo::ptx
