// What registers hold. PTX of today keeps floats in untyped registers: what they are shows in the
// instructions that use them. Whose values they are shows in special registers and in debug information.
#include <array>

#include "simt/machine/step_recorder.hpp"

namespace dojo::simt {

using Shown = StepTrace::Shown;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

namespace {

void registers_in(const Operand& o, std::vector<uint32_t>& out) {
  if (o.kind == OperandKind::reg) out.push_back(uint32_t(o.value));
  if (o.kind == OperandKind::list || o.paired)
    for (auto& i : o.items) registers_in(i, out);
}

bool is_float(Type t) { return t == Type::f32 || t == Type::f64 || t == Type::f16 || t == Type::bf16; }
bool is_integer(Type t) {
  switch (t) {
    case Type::u8:
    case Type::u16:
    case Type::u32:
    case Type::u64:
    case Type::s8:
    case Type::s16:
    case Type::s32:
    case Type::s64:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<Shown> shown_registers(const ptx::Function& fn) {
  const size_t n = fn.registers.size();
  std::vector<int> vote(n, 0);  // 1: float, -1: integer
  auto mark = [&](const Operand& o, Type t) {
    std::vector<uint32_t> all;
    registers_in(o, all);
    for (uint32_t r : all)
      if (is_float(t))
        vote[r] = 1;
      else if (is_integer(t) && vote[r] == 0)
        vote[r] = -1;
  };
  std::vector<std::pair<uint32_t, uint32_t>> same;  // registers that hold the same kind of thing
  for (const ptx::Instruction& i : fn.code) {
    std::vector<Type> types;
    for (size_t k = 1; k < i.parts.size(); ++k)
      if (Type t = ptx::type_from(i.parts[k]); t != Type::none) types.push_back(t);
    if (types.empty() || i.operands.empty()) continue;
    const ptx::Meaning& m = i.meaning;
    const Type last = types.back();
    if (m.op == ptx::Op::cvt && types.size() >= 2 && i.operands.size() >= 2) {
      mark(i.operands[0], types[0]);
      mark(i.operands[1], last);
    } else if (m.is({ptx::Op::setp, ptx::Op::set, ptx::Op::testp})) {
      for (size_t k = 1; k < i.operands.size(); ++k) mark(i.operands[k], last);
    } else if (m.is({ptx::Op::shfl, ptx::Op::selp, ptx::Op::mov})) {
      std::vector<uint32_t> to, from;
      registers_in(i.operands[0], to);
      for (size_t k = 1; k < i.operands.size() && k < (m.op == ptx::Op::selp ? 3u : 2u); ++k) {
        registers_in(i.operands[k], from);
        mark(i.operands[k], last);
      }
      mark(i.operands[0], last);
      for (uint32_t a : to)
        for (uint32_t b : from)
          if (ptx::bits(fn.registers[a].type) == ptx::bits(fn.registers[b].type)) same.push_back({a, b});
      // A float immediate moved into a register makes it one.
      if (m.op == ptx::Op::mov && i.operands.size() > 1 && i.operands[1].is_float)
        vote[to.empty() ? 0 : to[0]] = to.empty() ? vote[0] : 1;
    } else if (m.is({ptx::Op::mma, ptx::Op::wmma, ptx::Op::ldmatrix})) {
      continue;  // fragments: packed
    } else {
      for (auto& o : i.operands) mark(o, last);
    }
  }
  for (int round = 0; round < 8; ++round) {
    bool changed = false;
    for (auto [a, b] : same) {
      if (vote[a] == 1 && vote[b] != 1) vote[b] = 1, changed = true;
      if (vote[b] == 1 && vote[a] != 1) vote[a] = 1, changed = true;
    }
    if (!changed) break;
  }
  std::vector<Shown> out(n);
  for (size_t r = 0; r < n; ++r) {
    const Type t = fn.registers[r].type;
    const int bits = ptx::bits(t);
    const bool real = vote[r] == 1 || is_float(t);
    out[r] = bits == 1    ? Shown::predicate
             : bits == 64 ? (real ? Shown::float64 : Shown::wide)
             : bits == 16 ? (real ? Shown::half : Shown::integer)
             : real       ? Shown::float32
                          : Shown::integer;
  }
  return out;
}

std::string variable_of(const ptx::Function& f, const std::vector<ptx::SourceVariable>& variables,
                        uint32_t reg) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> given = {
      {{"%tid.", "threadIdx."}, {"%ctaid.", "blockIdx."}, {"%ntid.", "blockDim."}, {"%nctaid.", "gridDim."}}};
  for (const ptx::Instruction& i : f.code) {
    if (i.meaning.op != ptx::Op::mov || i.operands.size() != 2 || i.operands[0].kind != OperandKind::reg ||
        i.operands[0].value != reg || i.operands[1].kind != OperandKind::special)
      continue;
    for (const auto& [special, cuda] : given)
      if (i.operands[1].name.starts_with(special))
        return std::string(cuda) + i.operands[1].name.substr(special.size());
  }
  std::string text;
  for (const std::string& name : ptx::variables_in(variables, f.registers[reg].name, ~0u))
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace dojo::simt
