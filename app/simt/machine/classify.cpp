// What kind of kernel it is: may its blocks run at once, and how fine is its access to memory.
#include <algorithm>
#include <cstring>

#include "simt/checks/shadow.hpp"
#include "simt/machine/machine_core.hpp"

namespace dojo::simt {
namespace {

bool has(const ptx::Instruction& i, std::string_view part) {
  return std::find(i.parts.begin(), i.parts.end(), part) != i.parts.end();
}
bool has_space(const ptx::Instruction& i, std::string_view space) {
  return std::any_of(i.parts.begin(), i.parts.end(), [&](const std::string& p) {
    return p == space ||
           (p.size() > space.size() && p.compare(0, space.size(), space) == 0 && p[space.size()] == ':');
  });
}
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
      const bool destination = k == 0 && i.parts[0] != "st" && i.parts[0] != "red" && i.parts[0] != "call" &&
                               i.operands[0].kind == ptx::OperandKind::reg;
      if (!destination && reads_register(i.operands[k], d.value)) return true;
    }
  }
  return false;
}

}  // namespace

/// True when the outcome may depend on the order in which blocks run.
bool order_matters(const Program& program, const std::vector<const Code*>& codes) {
  for (const Code* c : codes)
    for (const ptx::Instruction& i : c->fn->code) {
      const std::string& op = i.parts[0];
      if (op == "ld" && (has(i, "volatile") || has(i, "acquire") || has(i, "relaxed")) &&
          !has_space(i, "shared") && !has_space(i, "local"))
        return true;
      if (op == "membar" && (has(i, "gl") || has(i, "sys"))) return true;
      if (op == "fence" && (has(i, "gpu") || has(i, "sys"))) return true;
      if ((op == "atom" || op == "red") && !has_space(i, "shared")) {
        if (has(i, "inc") || has(i, "dec") || has(i, "exch") || has(i, "cas")) return true;
        if (op == "atom" && result_used(*c->fn, i)) return true;
      }
      if (op == "griddepcontrol") return true;
      if (op == "call")
        for (const CallSite& s : c->calls)
          if (s.function >= 0) {
            const std::string& name = program.module().functions[size_t(s.function)].name;
            if (name == "malloc" || name == "free") return true;
          }
    }
  return false;
}

/// True when blocks leave neither text (any call may print) nor additions of floats for their turn.
bool leaves_nothing(const std::vector<const Code*>& codes) {
  for (const Code* c : codes)
    for (const ptx::Instruction& i : c->fn->code) {
      const std::string& op = i.parts[0];
      if (op == "call" || ((op == "atom" || op == "red") && !has_space(i, "shared"))) return false;
    }
  return true;
}

void access_grains(const std::vector<const Code*>& codes, uint32_t* shared, uint32_t* global) {
  *shared = *global = 4;
  for (const Code* c : codes)
    for (const ptx::Instruction& i : c->fn->code) {
      const std::string& op = i.parts[0];
      if (op != "ld" && op != "st" && op != "atom" && op != "red" && op != "ldu") continue;
      int n = 64;
      for (const std::string& part : i.parts)
        if (ptx::Type t = ptx::type_from(part); t != ptx::Type::none) n = ptx::bits(t);
      if (n >= 32) continue;
      const uint32_t bytes = uint32_t(std::max(1, n / 8));
      const bool in_shared = has_space(i, "shared"), in_global = has_space(i, "global");
      if (has_space(i, "param") || has_space(i, "local") || has_space(i, "const")) continue;
      if (!in_global) *shared = std::min(*shared, bytes);
      if (!in_shared) *global = std::min(*global, bytes);
    }
}

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
      const std::string& op = i.parts[0];
      Source s;
      if (op == "ld" && has(i, "param")) {
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
      } else if (op == "ld" || op == "atom" || op == "call" || op == "shfl" || op == "ldu" ||
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
    const std::string& op = i.parts[0];
    if (op == "call") {
      for (const ptx::Operand& o : i.operands)
        if (o.symbol == ptx::SymbolKind::function && o.name != "vprintf" && o.name != "__assertfail")
          return false;
      continue;
    }
    const bool store = op == "st" || op == "red" || op == "atom" || op == "cp" || op == "stmatrix" ||
                       (op == "wmma" && i.parts.size() > 1 && i.parts[1] == "store");
    if (!store || has_space(i, "local") || has_space(i, "param")) continue;
    if (op != "cp" && has_space(i, "shared")) continue;
    if (op == "cp" && has(i, "async") && !has(i, "bulk")) continue;  // to shared memory
    const size_t k = op == "atom" ? 1 : 0;
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
