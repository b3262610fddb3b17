#include "ptx/flow/uniform.hpp"

#include <algorithm>
#include <array>

#include "ptx/flow/flow.hpp"
#include "ptx/registers.hpp"

namespace dojo::ptx {
namespace {

bool special_is_uniform(const std::string& name, Among among) {
  constexpr std::array apart = {"%tid", "%laneid", "%lanemask", "%clock", "%globaltimer"};
  if (among == Among::block && name.starts_with("%warpid")) return false;
  return std::none_of(apart.begin(), apart.end(), [&](const char* s) { return name.starts_with(s); });
}

class Uniformity {
 public:
  Uniformity(const Function& f, Among among)
      : f_(f), among_(among), uniform_(f.registers.size(), true), writes_(f.registers.size(), 0) {
    for (const Instruction& i : f.code) each_written(i, [&](uint32_t r) { ++writes_[r]; });
  }

  std::vector<bool> run() {
    // From "everything is" to what holds: each pass takes registers away until none goes.
    for (bool changed = true; changed;) {
      changed = false;
      const std::vector<bool> divided = divided_blocks();
      for (size_t b = 0; b < f_.blocks.size(); ++b)
        for (uint32_t k = f_.blocks[b].first; k <= f_.blocks[b].last && k < f_.code.size(); ++k) {
          const Instruction& i = f_.code[k];
          const bool same = result_is_uniform(i);
          each_written(i, [&](uint32_t r) {
            const bool stays = same && (writes_[r] == 1 || (!divided[b] && guard_is_uniform(i)));
            if (uniform_[r] && !stays) uniform_[r] = false, changed = true;
          });
        }
    }
    return uniform_;
  }

 private:
  static void each_written(const Instruction& i, auto&& visit) {
    if (i.meaning.written && i.operands[0].kind != OperandKind::address) each_register(i.operands[0], visit);
  }

  bool guard_is_uniform(const Instruction& i) const { return i.guard < 0 || uniform_[uint32_t(i.guard)]; }

  bool operand_is_uniform(const Operand& o) const {
    if (o.kind == OperandKind::special) return special_is_uniform(o.name, among_);
    if (o.symbol == SymbolKind::local) return false;
    bool same = true;
    each_register(o, [&](uint32_t r) { same = same && uniform_[r]; });
    return same && std::all_of(o.items.begin(), o.items.end(),
                               [&](const Operand& x) { return operand_is_uniform(x); });
  }

  bool result_is_uniform(const Instruction& i) const {
    const Meaning& m = i.meaning;
    if (m.is({Op::atom, Op::shfl, Op::match, Op::elect, Op::activemask, Op::ldmatrix, Op::wmma, Op::mma,
              Op::alloca}))
      return false;
    if (among_ == Among::block && m.is({Op::vote, Op::redux})) return false;
    if (among_ == Among::block && m.is({Op::bar, Op::barrier})) return true;  // the block's own vote
    const bool unknown =
        m.op == Op::call ||
        (m.op == Op::ld && (m.space == Space::local || (m.space == Space::param && !f_.kernel)));
    if (unknown && among_ == Among::warp) return false;
    for (size_t k = m.written; k < i.operands.size(); ++k)
      if (!operand_is_uniform(i.operands[k])) return false;
    return true;
  }

  /// Blocks that lie between a branch on which lanes may part and where they meet again.
  std::vector<bool> divided_blocks() const {
    std::vector<bool> out(f_.blocks.size(), false);
    std::vector<uint32_t> todo;
    for (const BasicBlock& b : f_.blocks) {
      if (b.successors.size() < 2) continue;
      const Instruction& end = f_.code[b.last];
      const bool same =
          guard_is_uniform(end) && (end.meaning.op != Op::brx || operand_is_uniform(end.operands[0]));
      if (same) continue;
      std::vector<bool> seen(f_.blocks.size(), false);
      todo.assign(b.successors.begin(), b.successors.end());
      while (!todo.empty()) {
        const uint32_t at = todo.back();
        todo.pop_back();
        if (int(at) == b.ipdom || seen[at]) continue;
        seen[at] = out[at] = true;
        todo.insert(todo.end(), f_.blocks[at].successors.begin(), f_.blocks[at].successors.end());
      }
    }
    return out;
  }

  const Function& f_;
  const Among among_;
  std::vector<bool> uniform_;
  std::vector<uint32_t> writes_;
};

}  // namespace

std::vector<bool> uniform_registers(const Function& f, Among among) { return Uniformity(f, among).run(); }

bool loops_together(const Function& f, uint32_t one, uint32_t other) {
  std::vector<std::vector<uint32_t>> flow;
  for (const BasicBlock& b : f.blocks) flow.push_back(b.successors);
  const std::vector<bool> uniform = uniform_registers(f, Among::block);
  for (const LoopBody& loop : loop_bodies(flow, 0)) {
    if (!loop.in[f.block_of[one]] || !loop.in[f.block_of[other]]) continue;
    for (size_t b = 0; b < f.blocks.size(); ++b) {
      const std::vector<uint32_t>& to = f.blocks[b].successors;
      const bool leaves =
          loop.in[b] && std::any_of(to.begin(), to.end(), [&](uint32_t n) { return !loop.in[n]; });
      const Instruction& end = f.code[f.blocks[b].last];
      if (leaves && end.guard >= 0 && !uniform[uint32_t(end.guard)]) return false;
    }
  }
  return true;
}

bool joined_in_warp(const Instruction& i, const std::vector<bool>& uniform) {
  if (!i.meaning.is({Op::red, Op::atom})) return false;
  switch (i.meaning.change) {
    case Change::none:
    case Change::inc:
    case Change::dec:
    case Change::exch:
    case Change::cas:
      return false;
    default:
      break;
  }
  const auto has = [&](std::string_view w) {
    return std::find(i.parts.begin(), i.parts.end(), w) != i.parts.end();
  };
  for (const char* w : {"f16", "f16x2", "bf16", "bf16x2", "f32", "f64", "v2", "v4", "v8"})
    if (has(w)) return false;
  for (const Operand& o : i.operands)
    if (o.kind == OperandKind::address) return !o.base_is_reg || uniform[uint32_t(o.value)];
  return false;
}

}  // namespace dojo::ptx
