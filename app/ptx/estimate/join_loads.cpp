#include "ptx/estimate/join_loads.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>

#include "ptx/estimate/known_zeros.hpp"
#include "ptx/estimate/memory_order.hpp"
#include "ptx/registers.hpp"

namespace dojo::ptx {
namespace {

constexpr int widest = 16;  // bytes per lane of one load

class Joining {
 public:
  Joining(const Module& m, const Function& f)
      : m_(m), f_(f), zeros_(known_zeros(m, f)), writes_(f.registers.size(), 0) {
    r_.by.assign(f.code.size(), -1);
    r_.width.assign(f.code.size(), 0);
    r_.holds.resize(f.registers.size());
    std::iota(r_.holds.begin(), r_.holds.end(), 0u);
    for (const Instruction& i : f.code) each_operand_register(i, true, [&](uint32_t r) { ++writes_[r]; });
  }

  JoinedLoads run(const Predicated& p) {
    for (const auto& parts : p.parts) {
      for (uint32_t b : parts) {
        if (p.conditional[b])
          forget_what_it_changes(b);
        else
          straight(b);
      }
      join_all();
    }
    return std::move(r_);
  }

 private:
  /// A base register or symbol, and the opcode: loads of one family can be joined.
  struct Family {
    std::string opcode, symbol;
    uint64_t base;
    auto operator<=>(const Family&) const = default;
  };

  static bool plain_load(const Instruction& i) {
    const Meaning& m = i.meaning;
    return m.op == Op::ld && m.order == Order::weak && i.guard < 0 && !m.of_cluster &&
           i.operands.size() > 1 && i.operands[1].kind == OperandKind::address &&
           i.operands[1].items.empty() &&
           (m.space == Space::shared || m.space == Space::global || m.space == Space::local);
  }
  /// Other threads' stores can be seen behind it.
  static bool meets_others(const Meaning& m) {
    return m.barrier() || m.fences() || m.changes() || m.order != Order::weak || m.effect == Effect::copy ||
           m.effect == Effect::bulk || m.is({Op::call, Op::bar, Op::barrier, Op::cp, Op::mbarrier});
  }

  void straight(uint32_t b) {
    for (uint32_t at = f_.blocks[b].first; at <= f_.blocks[b].last; ++at) {
      const Instruction& i = f_.code[at];
      if (plain_load(i))
        load(at);
      else
        changed_by(i);
      each_operand_register(i, true, [&](uint32_t r) { forget_base(r); });
    }
  }

  void forget_what_it_changes(uint32_t b) {
    for (uint32_t at = f_.blocks[b].first; at <= f_.blocks[b].last; ++at) {
      changed_by(f_.code[at]);
      each_operand_register(f_.code[at], true, [&](uint32_t r) { forget_base(r); });
    }
  }

  void changed_by(const Instruction& i) {
    const bool all = meets_others(i.meaning);
    if (!all && !i.meaning.stores()) return;
    const Space space = i.meaning.space;
    forget([&](const Instruction& load) {
      if (read_only(load)) return false;
      return all || space == Space::none || load.meaning.space == space;
    });
  }

  void forget_base(uint32_t r) {
    forget(
        [&](const Instruction& load) { return load.operands[1].base_is_reg && load.operands[1].value == r; });
  }

  void forget(auto&& which) {
    for (auto it = known_.begin(); it != known_.end();) {
      if (which(f_.code[it->second.begin()->second])) {
        join(it->second);
        it = known_.erase(it);
      } else {
        ++it;
      }
    }
  }

  void load(uint32_t at) {
    const Operand& a = f_.code[at].operands[1];
    auto& family = known_[{f_.code[at].opcode, a.base_is_reg ? "" : a.name, a.base_is_reg ? a.value : 0}];
    const auto [there, fresh] = family.emplace(a.offset, at);
    if (fresh) return;
    r_.by[at] = int32_t(there->second);
    same_registers(f_.code[at].operands[0], f_.code[there->second].operands[0]);
  }

  void same_registers(const Operand& left_out, const Operand& kept) {
    std::vector<uint32_t> from, to;
    each_register(left_out, [&](uint32_t r) { from.push_back(r); });
    each_register(kept, [&](uint32_t r) { to.push_back(r); });
    for (size_t k = 0; k < from.size() && k < to.size(); ++k)
      if (writes_[from[k]] == 1 && writes_[to[k]] == 1) r_.holds[from[k]] = r_.holds[to[k]];
  }

  void join_all() {
    for (auto& [family, loads] : known_) join(loads);
    known_.clear();
  }

  /// `loads`: of one family, by offset.
  void join(const std::map<int64_t, uint32_t>& loads) {
    const Instruction& one = f_.code[loads.begin()->second];
    if (one.meaning.space != Space::shared || one.meaning.width == 0) return;
    const Operand& a = one.operands[1];
    const uint8_t zeros = a.base_is_reg ? zeros_[size_t(a.value)] : known_zeros_of_symbol(m_, f_, a);
    for (auto it = loads.begin(); it != loads.end();) {
      auto next = std::next(it);
      for (int bytes = widest; bytes > one.meaning.width; bytes /= 2) {
        if ((1 << std::min<int>(zeros, 4)) < bytes || it->first % bytes) continue;
        auto end = it;
        int64_t expected = it->first;
        while (end != loads.end() && end->first == expected && expected < it->first + bytes)
          ++end, expected += one.meaning.width;
        if (expected < it->first + bytes) continue;
        fetch_together(it, end, bytes);
        next = end;
        break;
      }
      it = next;
    }
  }

  void fetch_together(auto begin, auto end, int bytes) {
    uint32_t first = begin->second;
    for (auto it = begin; it != end; ++it) first = std::min(first, it->second);
    for (auto it = begin; it != end; ++it)
      if (it->second != first) r_.by[it->second] = int32_t(first);
    r_.width[first] = uint8_t(bytes);
  }

  const Module& m_;
  const Function& f_;
  std::vector<uint8_t> zeros_;    ///< per register: low bits that are zero
  std::vector<uint32_t> writes_;  ///< per register: instructions that write it
  std::map<Family, std::map<int64_t, uint32_t>>
      known_;  ///< loads whose values registers still have: by offset
  JoinedLoads r_;
};

}  // namespace

JoinedLoads join_loads(const Module& m, const Function& f, const Predicated& p) {
  JoinedLoads r = Joining(m, f).run(p);
  // A load left out early can stand for one that was joined with others later.
  for (size_t i = 0; i < r.by.size(); ++i)
    while (r.by[i] >= 0 && r.by[size_t(r.by[i])] >= 0) r.by[i] = r.by[size_t(r.by[i])];
  return r;
}

}  // namespace dojo::ptx
