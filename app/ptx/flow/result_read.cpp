#include "ptx/flow/result_read.hpp"

#include <algorithm>

namespace dojo::ptx {
namespace {

bool names_register(const Operand& o, uint64_t reg) {
  if (o.kind == OperandKind::reg || (o.kind == OperandKind::address && o.base_is_reg))
    if (o.value == reg) return true;
  return std::any_of(o.items.begin(), o.items.end(),
                     [&](const Operand& i) { return names_register(i, reg); });
}

}  // namespace

bool reads_result(const Function& f, size_t call) {
  const Instruction& at = f.code[call];
  if (at.operands.empty() || at.operands[0].items.empty()) return false;  // its type is void
  const std::string& result = at.operands[0].items[0].name;
  for (size_t load = call + 1; load < f.code.size(); ++load) {
    const Instruction& l = f.code[load];
    if (!l.opcode.starts_with("ld.param") || l.operands.size() < 2 || l.operands[1].name != result) continue;
    if (l.operands[0].kind != OperandKind::reg) return true;
    const uint64_t reg = l.operands[0].value;
    for (size_t k = 0; k < f.code.size(); ++k) {
      const Instruction& i = f.code[k];
      if (k == load) continue;
      if (i.guard >= 0 && uint64_t(i.guard) == reg) return true;
      if (std::any_of(i.operands.begin(), i.operands.end(),
                      [&](const Operand& o) { return names_register(o, reg); }))
        return true;
    }
    return false;
  }
  return false;
}

}  // namespace dojo::ptx
