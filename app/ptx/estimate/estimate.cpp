// The shape of a function by rule, from PTX alone: no machine code needed, marked estimated.
#include <algorithm>
#include <array>

#include "ptx/estimate/block_sources.hpp"
#include "ptx/estimate/hoist_loads.hpp"
#include "ptx/estimate/interleave.hpp"
#include "ptx/estimate/join_loads.hpp"
#include "ptx/estimate/predication.hpp"
#include "ptx/estimate/unrolling.hpp"
#include "ptx/flow/flow.hpp"
#include "ptx/opcode_class.hpp"
#include "ptx/registers.hpp"

namespace dojo::ptx {
namespace {

/// What each register is used for: to see which instructions ptxas folds into their only user.
struct Uses {
  std::vector<uint32_t> count;
  std::vector<uint32_t> user;  ///< the last one
};

/// Registers read and written by an instruction.
void registers_of(const Instruction& i, std::vector<uint32_t>& reads, std::vector<uint32_t>& writes) {
  reads.clear(), writes.clear();
  each_operand_register(i, true, [&](uint32_t r) { writes.push_back(r); });
  each_operand_register(i, false, [&](uint32_t r) { reads.push_back(r); });
  if (i.guard >= 0) {
    reads.push_back(uint32_t(i.guard));
    if (!writes.empty()) reads.insert(reads.end(), writes.begin(), writes.end());
  }
}

Uses find_uses(const Function& f) {
  Uses u;
  u.count.assign(f.registers.size(), 0);
  u.user.assign(f.registers.size(), 0);
  std::vector<uint32_t> reads, writes;
  for (uint32_t i = 0; i < f.code.size(); ++i) {
    registers_of(f.code[i], reads, writes);
    for (uint32_t r : reads) ++u.count[r], u.user[r] = i;
  }
  return u;
}

bool part_is(const Instruction& i, size_t k, std::string_view word) {
  return k < i.parts.size() && i.parts[k] == word;
}

/// An instruction that ptxas merges into the one that uses its result: a wide multiply or a shift into an
/// add, a product into a sum, a logic operation into another.
bool folds(const Function& f, const Uses& uses, uint32_t at) {
  const Instruction& i = f.code[at];
  if (i.operands.empty() || i.operands[0].kind != OperandKind::reg || i.guard >= 0) return false;
  uint32_t r = uint32_t(i.operands[0].value);
  const Op op = i.meaning.op;
  if (uses.count[r] == 0) return op != Op::shfl && op != Op::bar && !i.meaning.accesses();
  const Meaning& user = f.code[uses.user[r]].meaning;
  const bool sum = user.is({Op::add, Op::sub});
  if (op == Op::mul && part_is(i, 1, "wide")) return uses.count[r] == 1 && user.op == Op::add;
  if (op == Op::mul && part_is(i, 1, "lo") && uses.count[r] == 1 && sum) return true;
  if (op == Op::shl && uses.count[r] == 1 && sum && i.operands.size() > 2 &&
      i.operands[2].kind == OperandKind::imm)
    return true;
  const bool logic = i.meaning.is({Op::and_, Op::or_, Op::xor_, Op::not_});
  const bool into_logic = user.is({Op::and_, Op::or_, Op::xor_});
  if (logic && into_logic && uses.count[r] == 1 && !part_is(i, 1, "pred")) return true;
  if (op == Op::add && uses.count[r] >= 1 && i.operands.size() > 2 &&
      i.operands[2].kind == OperandKind::imm) {
    // A constant offset goes into the address.
    return user.accesses() && uses.count[r] == 1;
  }
  return false;
}

/// Per register: the PTX loads and atomics whose value it can have, also through instructions that are none
/// of the machine, as ShapeOp::sources names those of earlier blocks.
std::vector<std::vector<int32_t>> find_loads(const Function& f, const JoinedLoads& joined) {
  std::vector<std::vector<int32_t>> loads(f.registers.size());
  std::vector<uint32_t> reads, writes;
  const auto add = [](std::vector<int32_t>& to, int32_t load) {
    const bool fresh = std::find(to.begin(), to.end(), load) == to.end();
    if (fresh) to.push_back(load);
    return fresh;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < f.code.size(); ++i) {
      const bool load = f.code[i].meaning.accesses();
      if (!load && classify(f.code[i], f.kernel).ops > 0) continue;
      registers_of(f.code[i], reads, writes);
      for (uint32_t w : writes) {
        if (load) changed |= add(loads[w], ~(joined.by[i] >= 0 ? joined.by[i] : int32_t(i)));
        for (uint32_t r : reads)
          if (!load && r != w)
            for (size_t k = 0; k < loads[r].size(); ++k) changed |= add(loads[w], loads[r][k]);
      }
    }
  }
  return loads;
}

/// Registers that ptxas spends on an order: on loads in flight, and on more results that wait at once than in
/// the order of the PTX. In a loop that it unrolls few: with 12 and 4 conv1d/6-conv2d-nhwc, attention/1 and
/// overlap/4 are nearest to their times with machine code.
struct Registers {
  int in_flight, more;
};
constexpr Registers elsewhere{96, 16}, in_unrolled_loop{12, 4};

class Estimate {
 public:
  Estimate(const Module& m, const Function& f)
      : f_(f),
        predicated_(predicate(f)),
        joined_(join_loads(m, f, predicated_)),
        uses_(find_uses(f)),
        predicates_(f.blocks.size()),
        producers_(f.registers.size()),
        epoch_(f.registers.size(), 0),
        earlier_loads_(find_loads(f, joined_)),
        fetched_(f.code.size(), -1) {}

  CodeShape run() {
    shape_.estimated = true;
    shape_.blocks.resize(f_.blocks.size());
    shape_.accesses.resize(f_.code.size());
    shape_.divergent_counts.assign(f_.code.size(), false);
    product_.assign(f_.registers.size(), 0);
    for (auto& i : f_.code)
      if (i.meaning.op == Op::mul && part_is(i, 1, "wide") && !i.operands.empty() &&
          i.operands[0].kind == OperandKind::reg)
        product_[size_t(i.operands[0].value)] = 1;
    for (uint32_t home = 0; home < f_.blocks.size(); ++home) {
      if (predicated_.home[home] != home) shape_.blocks[home].predicated_into = int(predicated_.home[home]);
      if (home == 0 && f_.kernel) prologue();
      round(home);
      auto& ops = shape_.blocks[home].ops;
      if (ops.size() <= longest_unrolled && predicated_.parts[home].size() == 1 && can_unroll(f_, home))
        unroll(home);
      else
        ops = in_order(std::move(ops), elsewhere);
    }
    for (uint32_t i = 0; i < f_.code.size(); ++i) {
      shape_.accesses[i].counted = joined_.by[i] < 0;
      shape_.accesses[i].merged_width = joined_.width[i];
    }
    return std::move(shape_);
  }

 private:
  /// The operations of one execution of a home and what is predicated into it.
  void round(uint32_t home) {
    ++now_;
    for (uint32_t b : predicated_.parts[home]) block(b, home, predicated_.conditional[b] ? int32_t(b) : -1);
  }

  std::vector<ShapeOp> in_order(std::vector<ShapeOp> ops, Registers r) const {
    return interleave(hoist_loads(std::move(ops), f_, r.in_flight), f_, r.more);
  }

  /// A loop of one block: its rounds four at a time, then two, then one.
  void unroll(uint32_t b) {
    const std::vector<bool> once = once_per_turn(f_, b);
    std::vector<ShapeOp> all(instructions_before_unrolled);
    for (ShapeOp& op : all) op.period = 0;
    auto& ops = shape_.blocks[b].ops;
    for (int rounds = rounds_at_a_time; rounds > 0; rounds /= 2) {
      ops.clear();
      ++now_;
      for (round_ = 0; round_ < rounds; ++round_) {
        left_out_ = round_ + 1 < rounds ? &once : nullptr;
        block(b, b, -1);
      }
      const auto before = int32_t(all.size());
      for (ShapeOp& op : in_order(std::move(ops), in_unrolled_loop)) {
        op.period = uint16_t(rounds);
        op.below = rounds < rounds_at_a_time ? uint16_t(2 * rounds) : uint16_t(0);
        for (int32_t& s : block_sources(op)) s += before;
        all.push_back(std::move(op));
      }
    }
    round_ = 0, left_out_ = nullptr;
    ops = std::move(all);
  }

  /// Every kernel loads its stack pointer, one that touches global memory a descriptor of it too.
  void prologue() {
    bool global = std::any_of(f_.code.begin(), f_.code.end(), [](auto& i) {
      const Meaning& m = i.meaning;
      return m.accesses() && m.space != Space::shared && m.space != Space::param;
    });
    shape_.blocks[0].ops.resize(global ? 2 : 1);
  }

  /// A branch that is no instruction: it leads on in its own block of machine code, or ends a predicated
  /// body.
  bool replaced_branch(uint32_t b) const {
    const uint32_t home = predicated_.home[b];
    for (uint32_t s : f_.blocks[b].successors)
      if (s != home && predicated_.home[s] == home) return true;
    return predicated_.conditional[b];
  }

  bool is_return_block(uint32_t b) const {
    auto& k = f_.blocks[b];
    return k.first == k.last && f_.code[k.last].meaning.returns() && f_.code[k.last].guard < 0;
  }

  void block(uint32_t b, uint32_t home, int32_t guard) {
    for (uint32_t i = f_.blocks[b].first; i <= f_.blocks[b].last; ++i) {
      const Instruction& inst = f_.code[i];
      OpcodeClass c = classify(inst, f_.kernel);
      const bool branch = inst.meaning.op == Op::bra;
      int32_t from = -1, to = guard;
      if (branch)
        c.ops = branch_ops(b, i, from, to);
      else if (c.ops && folds(f_, uses_, i))
        c.ops = 0;
      // add.s64 of an address becomes one instruction with the wide product before it.
      if (inst.meaning.op == Op::add && c.ops == 2 && adds_product(inst)) c = {Pipe::fmaheavy, 1};
      if (joined_.by[i] >= 0 || (left_out_ && (*left_out_)[i - f_.blocks[b].first])) c.ops = 0;
      emit(i, c, home, to, from);
    }
    remember_predicates(b);
  }

  /// What computes the predicate of the bodies that b branches around.
  void remember_predicates(uint32_t b) {
    const Instruction& last = f_.code[f_.blocks[b].last];
    std::vector<int32_t> all = predicates_[b];
    if (last.meaning.op == Op::bra && last.guard >= 0 && epoch_[size_t(last.guard)] == now_)
      for (int32_t p : producers_[size_t(last.guard)]) all.push_back(p);
    for (uint32_t s : f_.blocks[b].successors)
      if (predicated_.conditional[s] && predicated_.home[s] == predicated_.home[b]) predicates_[s] = all;
  }

  int branch_ops(uint32_t b, uint32_t i, int32_t& from, int32_t& to) {
    const Instruction& inst = f_.code[i];
    auto& out = f_.blocks[b].successors;
    if (replaced_branch(b)) return 0;
    if (inst.guard < 0) return out.empty() || out[0] != b + 1 ? 1 : 0;
    from = int32_t(b), to = int32_t(f_.block_of[inst.operands[0].value]);
    if (f_.kernel && is_return_block(uint32_t(to))) {
      shape_.blocks[size_t(to)].exits_from.push_back(b);
      return 1;
    }
    shape_.divergent_counts[i] = true;
    return 1;
  }

  bool adds_product(const Instruction& inst) const {
    for (size_t k = 1; k < inst.operands.size(); ++k) {
      if (inst.operands[k].kind != OperandKind::reg) continue;
      uint32_t r = uint32_t(inst.operands[k].value);
      if (uses_.count[r] == 1 && product_[r]) return true;
    }
    return false;
  }

  void emit(uint32_t i, OpcodeClass c, uint32_t home, int32_t guard, int32_t from) {
    const Instruction& inst = f_.code[i];
    auto& ops = shape_.blocks[home].ops;
    registers_of(inst, reads_, writes_);
    std::vector<int32_t> sources;
    if (guard >= 0 && from < 0) {
      // Lanes that are off keep what the register had before.
      sources = predicates_[size_t(guard)];
      reads_.insert(reads_.end(), writes_.begin(), writes_.end());
    }
    for (uint32_t r : reads_)
      for (int32_t p : epoch_[r] == now_ ? producers_[r] : earlier_loads_[r])
        if (std::find(sources.begin(), sources.end(), p) == sources.end()) sources.push_back(p);
    const Meaning& memory = inst.meaning;
    if (has_routine(inst)) ops.push_back(routine_op(int32_t(i)));
    for (int k = 0; k < c.ops; ++k) {
      ShapeOp op;
      op.pipe = k < c.scaling ? Pipe::fma : c.pipe;
      op.ptx = int32_t(i);
      op.guard_block = guard;
      op.guard_from = from;
      op.phase = uint16_t(round_);
      op.sources = k == 0 ? sources : std::vector<int32_t>{int32_t(ops.size()) - 1};
      if (memory.accesses() && c.pipe == Pipe::constant) op.memory = int32_t(i);
      if (memory.accesses() && (c.pipe == Pipe::lsu || c.pipe == Pipe::tex)) {
        op.load = memory.loads(), op.store = memory.stores(), op.atomic = memory.changes();
        op.space = memory.space, op.width = std::max(memory.width, joined_.width[i]);
        op.memory = int32_t(i);
      }
      if (memory.effect == Effect::bulk) {
        op.again = int32_t(i);
        if (k + 1 == c.ops) set_bulk(op, memory), op.back = uint16_t(k);
      }
      ops.push_back(std::move(op));
    }
    if (c.ops) fetched_[i] = int32_t(ops.size()) - 1;
    if (joined_.by[i] >= 0) sources.assign(1, fetched_[size_t(joined_.by[i])]);
    for (uint32_t r : writes_) {
      epoch_[r] = now_;
      if (c.ops)
        producers_[r] = {int32_t(ops.size()) - 1};
      else
        producers_[r] = sources;
    }
  }

  const Function& f_;
  Predicated predicated_;
  JoinedLoads joined_;
  Uses uses_;
  CodeShape shape_;
  std::vector<std::vector<int32_t>> predicates_;  ///< per block that is predicated: ops of its predicate
  std::vector<std::vector<int32_t>> producers_;
  std::vector<uint32_t> epoch_;
  std::vector<std::vector<int32_t>> earlier_loads_;  ///< see find_loads
  std::vector<int32_t> fetched_;                     ///< per instruction: its last operation
  int round_ = 0;                                    ///< of an unrolled loop
  const std::vector<bool>* left_out_ = nullptr;  ///< of an unrolled loop: what this round leaves to its last
  std::vector<uint8_t> product_;                 ///< registers written by a wide multiply
  uint32_t now_ = 0;
  std::vector<uint32_t> reads_, writes_;
};

}  // namespace

CodeShape estimate_shape(const Module& m, const Function& f) {
  if (!f.defined) return {};
  return Estimate(m, f).run();
}

}  // namespace dojo::ptx
