#include "ptx/estimate/live_registers.hpp"

#include <algorithm>
#include <vector>

#include "ptx/estimate/join_loads.hpp"
#include "ptx/registers.hpp"

namespace dojo::ptx {
namespace {

constexpr int least = 16, most = 255;
constexpr int reserved = 6;  // the stack pointer, addresses being computed, and gaps between aligned pairs
constexpr int register_file = 65536, unit = 8, warp = 32;  // of an SM; registers are assigned by the unit
constexpr size_t largest_analysis = size_t(1) << 28;       // bits of all sets

class Liveness {
 public:
  Liveness(const Function& f, const JoinedLoads& joined)
      : f_(f),
        joined_(joined),
        words_((f.registers.size() + 63) / 64),
        in_(f.blocks.size() * words_),
        cost_(f.registers.size()) {
    for (size_t r = 0; r < cost_.size(); ++r)
      cost_[r] = f.registers[r].type == Type::pred ? 0 : std::max(1, bits(f.registers[r].type) / 32);
    drop_what_needs_no_register();
    find_late_loads();
    solve();
  }

  int peak() {
    int highest = 0;
    for (size_t b = 0; b < f_.blocks.size(); ++b) {
      leave(b);
      int now = 0;
      for (size_t r = 0; r < cost_.size(); ++r) now += has(live_, r) ? cost_[r] : 0;
      highest = std::max(highest, now);
      for (uint32_t i = f_.blocks[b].last + 1; i-- > f_.blocks[b].first;) {
        each(f_.code[i], true, [&](uint32_t r) {
          if (has(live_, r) && f_.code[i].guard < 0) now -= cost_[r], clear(live_, r);
        });
        each(f_.code[i], false, [&](uint32_t r) {
          if (!has(live_, r)) now += cost_[r], set(live_, r);
        });
        highest = std::max(highest, now);
        each(f_.code[i], false, [&](uint32_t r) {
          if (late_[r] == i && has(live_, r)) now -= cost_[r], clear(live_, r);
        });
      }
    }
    return highest;
  }

 private:
  using Word = uint64_t;
  static bool has(const std::vector<Word>& s, size_t r) { return s[r / 64] >> (r % 64) & 1; }
  static void set(std::vector<Word>& s, size_t r) { s[r / 64] |= Word(1) << (r % 64); }
  static void clear(std::vector<Word>& s, size_t r) { s[r / 64] &= ~(Word(1) << (r % 64)); }

  /// Visits the registers that an instruction writes, or those that it reads.
  void each(const Instruction& i, bool written, auto&& visit) const {
    const bool left_out = joined_.by[size_t(&i - f_.code.data())] >= 0;
    each_operand_register(i, written, [&](uint32_t r) {
      if (!(written && left_out && joined_.holds[r] != r)) visit(joined_.holds[r]);
    });
    if (!written && i.guard >= 0) visit(uint32_t(i.guard));
  }

  void drop_what_needs_no_register() {
    std::vector<uint8_t> writes(cost_.size(), 0);
    for (const Instruction& i : f_.code)
      each(i, true, [&](uint32_t r) { writes[r] = uint8_t(std::min(writes[r] + 1, 2)); });
    for (const Instruction& i : f_.code) {
      const bool constant = i.meaning.op == Op::mov && i.operands.size() == 2 &&
                            i.operands[1].kind != OperandKind::reg && i.operands[1].items.empty();
      const bool parameter = f_.kernel && i.meaning.loads() && i.meaning.space == Space::param;
      const bool same = i.meaning.op == Op::cvta && i.operands.size() == 2 &&
                        i.operands[1].kind == OperandKind::reg && cost_[size_t(i.operands[1].value)] == 0;
      if (constant || parameter || same)
        each(i, true, [&](uint32_t r) {
          if (writes[r] == 1) cost_[r] = 0;
        });
    }
  }

  /// A load from a variable itself needs no register for its address: ptxas issues it when registers for
  /// its value are free, and at the latest before the first use.
  void find_late_loads() {
    constexpr uint32_t before_use = uint32_t(-2);
    late_.assign(cost_.size(), uint32_t(-1));
    for (const BasicBlock& b : f_.blocks)
      for (uint32_t i = b.first; i <= b.last; ++i) {
        const Instruction& inst = f_.code[i];
        each(inst, false, [&](uint32_t r) {
          if (late_[r] == before_use) late_[r] = i;
        });
        const bool plain = inst.meaning.op == Op::ld && inst.meaning.order == Order::weak && inst.guard < 0;
        const bool of_variable = plain && inst.operands.size() > 1 &&
                                 inst.operands[1].kind == OperandKind::address &&
                                 !inst.operands[1].base_is_reg;
        if (of_variable) each(inst, true, [&](uint32_t r) { late_[r] = before_use; });
      }
  }

  /// live_: what is live behind block b.
  void leave(size_t b) {
    live_.assign(words_, 0);
    for (uint32_t s : f_.blocks[b].successors)
      for (size_t w = 0; w < words_; ++w) live_[w] |= in_[s * words_ + w];
  }

  void solve() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = f_.blocks.size(); b-- > 0;) {
        leave(b);
        for (uint32_t i = f_.blocks[b].last + 1; i-- > f_.blocks[b].first;) {
          if (f_.code[i].guard < 0) each(f_.code[i], true, [&](uint32_t r) { clear(live_, r); });
          each(f_.code[i], false, [&](uint32_t r) { set(live_, r); });
        }
        for (size_t w = 0; w < words_; ++w)
          if (in_[b * words_ + w] != live_[w]) in_[b * words_ + w] = live_[w], changed = true;
      }
    }
  }

  const Function& f_;
  const JoinedLoads& joined_;
  size_t words_;
  std::vector<Word> in_, live_;  ///< sets of registers: in_, per block, live where it begins
  std::vector<int> cost_;        ///< per register: words that it takes
  std::vector<uint32_t> late_;   ///< per register: the first use of the value of a load that can wait for it
};

}  // namespace

int estimate_registers(const Module& m, const Function& f) {
  if (f.blocks.size() * f.registers.size() > largest_analysis) return most;
  int allowed = most;
  if (f.max_threads) {  // launch bounds
    const int threads = (f.max_threads + warp - 1) / warp * warp * std::max(1, f.min_blocks);
    allowed = std::clamp(register_file / threads / unit * unit, least, most);
  }
  return std::clamp(Liveness(f, join_loads(m, f, predicate(f))).peak() + reserved, least, allowed);
}

}  // namespace dojo::ptx
