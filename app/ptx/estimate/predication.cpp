#include "ptx/estimate/predication.hpp"

#include "ptx/flow.hpp"

namespace dojo::ptx {
namespace {

/// A triangle's body that ptxas predicates has at most this many PTX instructions (right for 96 % of 921
/// tried).
constexpr uint32_t longest_predicated = 11;

/// Blocks glued together while triangles collapse into their heads.
struct Unit {
  std::vector<uint32_t> blocks;      ///< all in it, in the order in which they run
  std::vector<uint32_t> successors;  ///< units
  uint32_t size = 0;                 ///< PTX instructions, the final branch not counted
  bool plain = true;                 ///< no call, barrier, trap or return inside
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
      u.plain &= !m.is({Op::bar, Op::barrier, Op::mma, Op::wmma});
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
      if (!body.plain || body.size > longest_predicated) continue;
      for (uint32_t b : body.blocks) conditional_[b] = true;
      --predecessors_[join];
      units_[u].successors = {join};
      absorb(u, t);
      return true;
    }
    return false;
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
