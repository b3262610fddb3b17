#include "ptx/estimate/predication.hpp"

#include <algorithm>

#include "ptx/flow/flow.hpp"
#include "ptx/opcode_class.hpp"
#include "ptx/registers.hpp"

namespace dojo::ptx {
namespace {

// What ptxas predicates of the triangles of all references: the rules below decide 2421 of 2515 as it does
// (docs/time-model-evidence.md).

/// As longest_predicated, in instructions of the machine.
constexpr int longest_predicated_machine = 14;
/// A loop with a body that loads from global memory, and with fewer instructions beside it and its
/// conditions, keeps the branch: nothing could run while the loads are waited for.
constexpr int least_beside_loads = 2;

/// Blocks glued together while triangles collapse into their heads.
struct Unit {
  std::vector<uint32_t> blocks;      ///< all in it, in the order in which they run
  std::vector<uint32_t> successors;  ///< units
  uint32_t size = 0;                 ///< PTX instructions, the final branch not counted
  int machine = 0;                   ///< instructions of the machine, the final branch not counted
  bool plain = true;                 ///< no call, barrier, atomic, trap or return inside
  bool accesses = false;             ///< memory
  bool loads_global = false;         ///< or local memory, or by a generic address
  bool straight = true;  ///< no call, trap or return inside: the lanes that enter it leave it, too
  bool alive = true;
};

class Predication {
 public:
  explicit Predication(const Function& f) : f_(f), conditional_(f.blocks.size()), units_(f.blocks.size()) {
    for (uint32_t b = 0; b < units_.size(); ++b) units_[b] = unit(b);
    predecessors_.assign(units_.size(), 0);
    if (!predecessors_.empty()) predecessors_[0] = 1;
    for (const Unit& u : units_)
      for (uint32_t s : u.successors) ++predecessors_[s];
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t u = 0; u < units_.size(); ++u)
        while (units_[u].alive && (triangle(u) || chain(u))) changed = true;
    }
  }

  Predicated result() {
    Predicated r;
    r.home.resize(units_.size());
    r.conditional = std::move(conditional_);
    r.parts.resize(units_.size());
    for (uint32_t u = 0; u < units_.size(); ++u) {
      if (!units_[u].alive) continue;
      for (uint32_t b : units_[u].blocks) r.home[b] = u;
      r.parts[u] = std::move(units_[u].blocks);
    }
    return r;
  }

 private:
  Unit unit(uint32_t b) const {
    const auto& block = f_.blocks[b];
    Unit u;
    u.blocks = {b};
    u.successors = block.successors;
    u.size = block.last - block.first + 1;
    for (uint32_t i = block.first; i <= block.last; ++i) {
      const Meaning& m = f_.code[i].meaning;
      u.straight &= !m.is({Op::call, Op::ret, Op::exit, Op::trap, Op::brx});
      u.plain &= !m.is({Op::bar, Op::barrier, Op::mma, Op::wmma}) && !m.changes();
      u.accesses |= m.accesses();
      u.loads_global |= m.loads() && m.accesses() && m.space != Space::shared && m.space != Space::param &&
                        m.space != Space::constant;
      if (i != block.last || m.op != Op::bra) u.machine += classify(f_.code[i], f_.kernel).ops;
    }
    u.plain &= u.straight;
    if (f_.code[block.last].meaning.op == Op::bra) --u.size;
    return u;
  }

  /// u branches around t, or on to where t ends anyway.
  bool triangle(uint32_t u) {
    if (units_[u].successors.size() != 2) return false;
    for (size_t side = 0; side < 2; ++side) {
      const uint32_t t = units_[u].successors[side], join = units_[u].successors[1 - side];
      const Unit& body = units_[t];
      if (t == u || join == u || predecessors_[t] != 1 || body.successors != std::vector<uint32_t>{join})
        continue;
      if (!body.plain || body.size > longest_predicated || body.machine > longest_predicated_machine ||
          keeps_branch(u, body, join))
        continue;
      for (uint32_t b : body.blocks) conditional_[b] = true;
      --predecessors_[join];
      units_[u].successors = {join};
      absorb(u, t);
      return true;
    }
    return false;
  }

  /// The branch from u around the body stays, though the body is short.
  bool keeps_branch(uint32_t u, const Unit& body, uint32_t join) const {
    if (is_return(join)) return true;  // the branch is a predicated exit
    const bool has_conditions =
        std::any_of(body.blocks.begin(), body.blocks.end(), [&](uint32_t b) { return conditional_[b]; });
    if (has_conditions && body.accesses) return true;
    if (!body.loads_global) return false;
    if (predecessors_[join] > 2) return true;  // others lead there too, such as the ends of further loops
    const auto& next = units_[join].successors;
    const bool loop = std::find(next.begin(), next.end(), u) != next.end();
    return loop && beside_conditions(u, join) < least_beside_loads;
  }

  bool is_return(uint32_t u) const {
    const BasicBlock& b = f_.blocks[u];
    return f_.kernel && b.first == b.last && f_.code[b.last].meaning.returns() && f_.code[b.last].guard < 0;
  }

  /// Instructions of a loop's head and join that compute nothing for their branches.
  int beside_conditions(uint32_t head, uint32_t join) const {
    std::vector<uint32_t> all;
    for (uint32_t u : {head, join})
      for (uint32_t b : units_[u].blocks)
        for (uint32_t i = f_.blocks[b].first; i <= f_.blocks[b].last; ++i) all.push_back(i);
    std::vector<bool> needed(f_.registers.size());
    for (uint32_t i : all)
      if (f_.code[i].meaning.op == Op::bra && f_.code[i].guard >= 0) needed[size_t(f_.code[i].guard)] = true;
    size_t before = 0;
    do {
      before = all.size();
      std::erase_if(all, [&](uint32_t i) {
        bool wanted = false;
        each_operand_register(f_.code[i], true, [&](uint32_t r) { wanted |= needed[r]; });
        if (wanted) each_operand_register(f_.code[i], false, [&](uint32_t r) { needed[r] = true; });
        return wanted;
      });
    } while (all.size() < before);
    return int(std::count_if(all.begin(), all.end(), [&](uint32_t i) {
      const Meaning& m = f_.code[i].meaning;
      return m.op != Op::bra && !m.barrier() && classify(f_.code[i], f_.kernel).ops > 0;
    }));
  }

  /// u leads only to v, and only u leads there.
  bool chain(uint32_t u) {
    if (units_[u].successors.size() != 1 || !units_[u].straight) return false;
    const uint32_t v = units_[u].successors[0];
    if (v == u || v == 0 || predecessors_[v] != 1) return false;
    units_[u].successors = units_[v].successors;
    absorb(u, v);
    return true;
  }

  void absorb(uint32_t u, uint32_t other) {
    Unit& into = units_[u];
    Unit& from = units_[other];
    into.blocks.insert(into.blocks.end(), from.blocks.begin(), from.blocks.end());
    into.size += from.size;
    into.machine += from.machine;
    into.accesses |= from.accesses;
    into.loads_global |= from.loads_global;
    into.plain &= from.plain;
    into.straight &= from.straight;
    from.alive = false;
  }

  const Function& f_;
  std::vector<bool> conditional_;
  std::vector<Unit> units_;
  std::vector<uint32_t> predecessors_;  ///< per unit: how many lead to it
};

}  // namespace

Predicated predicate(const Function& f) { return Predication(f).result(); }

}  // namespace dojo::ptx
