#include "simt/checks/written_regions.hpp"

#include <algorithm>
#include <cstring>

namespace dojo::simt {

using ptx::Effect;
using ptx::Op;
using ptx::Space;

/// Which of the kernel's parameters (by offset) and which variables a 64-bit value may be computed from,
/// register by register, whatever the order of execution. `any`: also from memory or a call.
bool written_regions(AddressSpace& memory, const Program& program, const Grid& grid,
                     std::vector<Region*>* out) {
  if (grid.codes.size() != 1) return false;
  const ptx::Function& f = *grid.code->fn;
  struct Source {
    uint64_t from = 0;  // bits of `origins`
    bool any = false;
  };
  std::vector<uint64_t> origins;  // addresses: parameter values and variables
  std::vector<Source> regs(f.registers.size());
  const auto& params = grid.node->spec.params;
  auto origin = [&](uint64_t address) -> uint64_t {
    for (size_t i = 0; i < origins.size(); ++i)
      if (origins[i] == address) return uint64_t(1) << i;
    if (origins.size() == 63) return 0;
    origins.push_back(address);
    return uint64_t(1) << (origins.size() - 1);
  };
  auto wide = [&](uint64_t r) { return ptx::bits(f.registers[r].type) >= 64; };
  auto symbol = [&](const ptx::Operand& o) -> uint64_t {
    auto it = program.symbols().find(o.name);
    return it == program.symbols().end() ? 0 : origin(it->second);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const ptx::Instruction& i : f.code) {
      if (i.operands.size() < 2) continue;
      std::vector<const ptx::Operand*> to;
      if (i.operands[0].kind == ptx::OperandKind::reg) to.push_back(&i.operands[0]);
      for (const ptx::Operand& o : i.operands[0].items)
        if (o.kind == ptx::OperandKind::reg) to.push_back(&o);
      std::erase_if(to, [&](const ptx::Operand* o) { return !wide(o->value); });
      if (to.empty()) continue;
      const ptx::Meaning& m = i.meaning;
      Source s;
      if (m.op == Op::ld && m.space == Space::param) {
        const ptx::Operand& a = i.operands[1];
        if (a.symbol == ptx::SymbolKind::param && a.kind == ptx::OperandKind::address && !a.base_is_reg &&
            to.size() == 1) {
          const uint64_t at = f.params[size_t(a.target)].offset + uint64_t(a.offset);
          uint64_t v = 0;
          if (at + 8 <= params.size()) std::memcpy(&v, params.data() + at, 8);
          s.from = origin(v);
          if (!s.from) return false;
        } else {
          s.any = true;
        }
      } else if (m.is({Op::ld, Op::ldu, Op::atom, Op::call, Op::shfl}) ||
                 i.operands[1].kind == ptx::OperandKind::list) {
        s.any = true;
      } else {
        for (size_t k = 1; k < i.operands.size(); ++k) {
          const ptx::Operand& o = i.operands[k];
          if (o.kind == ptx::OperandKind::reg && wide(o.value))
            s.from |= regs[o.value].from, s.any |= regs[o.value].any;
          if (o.kind == ptx::OperandKind::symbol) s.from |= symbol(o);
        }
      }
      for (const ptx::Operand* o : to) {
        Source& r = regs[o->value];
        if ((s.from & ~r.from) || (s.any && !r.any)) {
          r.from |= s.from;
          r.any |= s.any;
          changed = true;
        }
      }
    }
  }
  out->clear();
  if (origins.size() >= 63) return false;
  for (const ptx::Instruction& i : f.code) {
    const ptx::Meaning& m = i.meaning;
    if (m.op == Op::call) {
      for (const ptx::Operand& o : i.operands)
        if (o.symbol == ptx::SymbolKind::function && o.name != "vprintf" && o.name != "__assertfail")
          return false;
      continue;
    }
    if (m.op == Op::sust) return false;  // through a handle
    // (cp.async writes shared memory.)
    if (!m.stores() && !m.changes() && m.effect != Effect::bulk) continue;
    if (m.space == Space::local || m.space == Space::param || m.space == Space::shared) continue;
    const size_t k = m.op == Op::atom ? 1 : 0;
    if (k >= i.operands.size()) continue;
    const ptx::Operand& a = i.operands[k];
    if (a.kind != ptx::OperandKind::address) return false;
    Source s;
    if (a.base_is_reg) {
      if (!wide(a.value)) return false;
      s = regs[a.value];
    } else {
      s.from = symbol(a);
    }
    if (s.any || !s.from) return false;
    for (size_t b = 0; b < origins.size(); ++b)
      if (s.from >> b & 1)
        if (Region* r = memory.find(origins[b])) out->push_back(r);
  }
  return true;
}

}  // namespace dojo::simt
