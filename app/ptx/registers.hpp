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

}  // namespace dojo::ptx
