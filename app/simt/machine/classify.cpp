#include "simt/machine/classify.hpp"

#include <algorithm>

namespace dojo::simt {
namespace {

using ptx::Change;
using ptx::Meaning;
using ptx::Op;
using ptx::Order;
using ptx::Space;

bool reads_register(const ptx::Operand& o, uint64_t r) {
  if ((o.kind == ptx::OperandKind::reg || (o.kind == ptx::OperandKind::address && o.base_is_reg)) &&
      o.value == r)
    return true;
  return std::any_of(o.items.begin(), o.items.end(),
                     [&](const ptx::Operand& item) { return reads_register(item, r); });
}
/// Is the result of an atomic looked at?
bool result_used(const ptx::Function& f, const ptx::Instruction& atom) {
  const ptx::Operand& d = atom.operands.at(0);
  if (d.kind == ptx::OperandKind::list)
    return std::any_of(d.items.begin(), d.items.end(),
                       [](const ptx::Operand& o) { return o.kind == ptx::OperandKind::reg; });
  if (d.kind != ptx::OperandKind::reg) return false;
  for (const ptx::Instruction& i : f.code) {
    if (i.guard == int(d.value)) return true;
    for (size_t k = 0; k < i.operands.size(); ++k) {
      if (&i == &atom && k == 0) continue;
      const bool destination = k < i.meaning.written && i.operands[k].kind == ptx::OperandKind::reg;
      if (!destination && reads_register(i.operands[k], d.value)) return true;
    }
  }
  return false;
}

}  // namespace

bool order_matters(const Program& program, const std::vector<const Code*>& codes) {
  for (const Code* c : codes)
    for (const ptx::Instruction& i : c->fn->code) {
      const Meaning& m = i.meaning;
      if (m.op == Op::ld && m.order != Order::weak && m.space != Space::shared && m.space != Space::local)
        return true;
      if (m.fences() && m.scope >= ptx::Scope::gpu) return true;
      if (m.changes() && m.space != Space::shared) {
        if (m.change == Change::inc || m.change == Change::dec || m.change == Change::exch ||
            m.change == Change::cas)
          return true;
        if (m.op == Op::atom && result_used(*c->fn, i)) return true;
      }
      if (m.op == Op::griddepcontrol) return true;
      if (m.op == Op::call)
        for (const CallSite& s : c->calls)
          if (s.function >= 0) {
            const std::string& name = program.module().functions[size_t(s.function)].name;
            if (name == "malloc" || name == "free" || name.starts_with("__cudaCDP2") ||
                name == "cudaGraphSetConditional")
              return true;
          }
    }
  return false;
}

bool leaves_nothing(const std::vector<const Code*>& codes) {
  for (const Code* c : codes)
    for (const ptx::Instruction& i : c->fn->code)
      if (i.meaning.op == Op::call || (i.meaning.changes() && i.meaning.space != Space::shared)) return false;
  return true;
}

bool lets_dependents_start(const std::vector<const Code*>& codes) {
  for (const Code* c : codes)
    for (const ptx::Instruction& i : c->fn->code)
      if (i.meaning.op == Op::griddepcontrol && i.meaning.side == ptx::Side::arrive) return true;
  return false;
}

void access_grains(const std::vector<const Code*>& codes, uint32_t* shared, uint32_t* global) {
  *shared = *global = 4;
  for (const Code* c : codes)
    for (const ptx::Instruction& i : c->fn->code) {
      const Meaning& m = i.meaning;
      if (!m.is({Op::ld, Op::ldu, Op::st, Op::atom, Op::red, Op::suld, Op::sust})) continue;
      const int n = m.type == ptx::Type::none ? 64 : ptx::bits(m.type);
      if (n >= 32) continue;
      const uint32_t bytes = uint32_t(std::max(1, n / 8));
      if (m.space == Space::param || m.space == Space::local || m.space == Space::constant) continue;
      if (m.space != Space::global) *shared = std::min(*shared, bytes);
      if (m.space != Space::shared) *global = std::min(*global, bytes);
    }
}

}  // namespace dojo::simt
