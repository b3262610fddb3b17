#pragma once
#include "ptx/module.hpp"

namespace dojo::ptx {

/// Calls `visit` with the index of every register that an operand names: itself, the base of an address, the
/// items of a list.
void each_register(const Operand& o, auto&& visit) {
  if (o.kind == OperandKind::reg || (o.kind == OperandKind::address && o.base_is_reg))
    visit(uint32_t(o.value));
  for (const Operand& item : o.items) each_register(item, visit);
}

/// Calls `visit` with the index of every register that an instruction's operands write, or of every one that
/// they read; an address reads its base. The guard is none of them.
void each_operand_register(const Instruction& i, bool written, auto&& visit) {
  for (size_t k = 0; k < i.operands.size(); ++k) {
    const bool writes = k < i.meaning.written && i.operands[k].kind != OperandKind::address;
    if (writes == written) each_register(i.operands[k], visit);
  }
}

}  // namespace dojo::ptx
