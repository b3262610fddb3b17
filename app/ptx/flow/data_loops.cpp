#include "ptx/flow/data_loops.hpp"

#include <vector>

#include "ptx/registers.hpp"

namespace dojo::ptx {
namespace {

bool floating(Type t) {
  return t == Type::f32 || t == Type::f64 || t == Type::f16 || t == Type::bf16 || t == Type::f16x2 ||
         t == Type::bf16x2;
}

/// Does the instruction itself bring data in: a load, the result of an atomic, a comparison of floats?
bool brings_data(const Instruction& i) {
  const Meaning& m = i.meaning;
  if (m.op == Op::ld) return m.space != Space::param;
  return m.op == Op::atom || m.op == Op::tex || (m.op == Op::setp && floating(m.type));
}

/// By register: does data go into what it holds? Whatever the order of the instructions.
std::vector<bool> registers_with_data(const Function& f) {
  std::vector<bool> has(f.registers.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& i : f.code) {
      bool data = brings_data(i) || (i.guard >= 0 && has[uint32_t(i.guard)]);
      each_operand_register(i, false, [&](uint32_t r) { data = data || has[r]; });
      if (!data) continue;
      each_operand_register(i, true, [&](uint32_t r) {
        if (!has[r]) has[r] = changed = true;
      });
    }
  }
  return has;
}

}  // namespace

bool has_data_loop(const Function& f) {
  std::vector<bool> has;
  for (const BasicBlock& b : f.blocks) {
    if (!b.in_loop || b.successors.size() < 2 || b.last >= f.code.size()) continue;
    if (has.empty()) has = registers_with_data(f);
    if (const int guard = f.code[b.last].guard; guard >= 0 && has[uint32_t(guard)]) return true;
  }
  return false;
}

}  // namespace dojo::ptx
