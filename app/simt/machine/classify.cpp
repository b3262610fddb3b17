#include "simt/machine/classify.hpp"

#include <algorithm>

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
            if (name == "malloc" || name == "free" || name.starts_with("__cudaCDP2")) return true;
          }
    }
  return false;
}

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
      const bool surface = op == "suld" || op == "sust";
      if (op != "ld" && op != "st" && op != "atom" && op != "red" && op != "ldu" && !surface) continue;
      int n = 64;
      for (const std::string& part : i.parts)
        if (ptx::Type t = ptx::type_from(part); t != ptx::Type::none) n = ptx::bits(t);
      if (n >= 32) continue;
      const uint32_t bytes = uint32_t(std::max(1, n / 8));
      const bool in_shared = has_space(i, "shared"), in_global = has_space(i, "global") || surface;
      if (has_space(i, "param") || has_space(i, "local") || has_space(i, "const")) continue;
      if (!in_global) *shared = std::min(*shared, bytes);
      if (!in_shared) *global = std::min(*global, bytes);
    }
}

}  // namespace dojo::simt
