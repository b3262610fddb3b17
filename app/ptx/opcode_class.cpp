#include "ptx/opcode_class.hpp"

#include <algorithm>
#include <string_view>

namespace dojo::ptx {
namespace {

bool has(const Instruction& i, std::string_view part) {
  return std::find(i.parts.begin(), i.parts.end(), part) != i.parts.end();
}

bool is_half(Type t) { return t == Type::f16 || t == Type::f16x2 || t == Type::bf16 || t == Type::bf16x2; }
bool is_float(Type t) { return t == Type::f32 || t == Type::f64 || is_half(t); }

OpcodeClass convert_class(const Instruction& i) {
  Type to = Type::none, from = Type::none;
  for (size_t k = 1; k < i.parts.size(); ++k)
    if (Type t = type_from(i.parts[k]); t != Type::none) (to == Type::none ? to : from) = t;
  if (to == Type::f64 || from == Type::f64) return {Pipe::xu, 1};
  if (to == Type::f32 && !is_float(from) && bits(from) == 32) return {Pipe::alu, 1};  // I2FP
  if (is_float(to) != is_float(from)) return {Pipe::xu, 1};
  if (is_float(to)) return {is_half(to) == is_half(from) ? Pipe::xu : Pipe::alu, 1};  // rounding; F2FP
  if (bits(to) == 64 && bits(from) < 64) return {Pipe::alu, to == Type::s64 ? 1 : 0};
  return {Pipe::alu, bits(to) < 32 || bits(from) < 32 ? 1 : 0};
}

/// Lengths of ptxas's own sequences, without their slow paths.
OpcodeClass divide_class(const Instruction& i, Type t) {
  if (t == Type::f64) return {Pipe::fp64, 12};
  if (t == Type::f32) return {Pipe::fma, has(i, "approx") ? 4 : has(i, "full") ? 6 : 9};
  if (bits(t) == 64) return {Pipe::alu, 70};
  return {Pipe::alu, t == Type::s32 || t == Type::s16 ? 24 : 18};
}

OpcodeClass special_class(const Instruction& i, Type t) {
  if (t == Type::f64) return {Pipe::fp64, i.meaning.op == Op::rsqrt || has(i, "approx") ? 3 : 12};
  if (has(i, "approx")) {
    // Without .ftz, denormals are scaled in and out of MUFU: a comparison and two products.
    bool plain = has(i, "ftz") || i.meaning.is({Op::sin, Op::cos, Op::tanh}) || is_half(t);
    return plain ? OpcodeClass{Pipe::xu, 1} : OpcodeClass{Pipe::xu, 4, 3};
  }
  return {Pipe::fma, 8};
}

}  // namespace

bool moves_matrices(const Instruction& i) {
  if (i.meaning.is({Op::ldmatrix, Op::stmatrix})) return true;
  if (i.meaning.op != Op::wmma || !i.meaning.loads() || i.parts.size() <= 2) return false;
  const bool a = i.parts[2] == "a", b = i.parts[2] == "b";
  if (has(i, "f16") || has(i, "bf16")) return a || b;
  // Bytes can't be transposed on the way: only rows of A and columns of B are moved as matrices.
  return (has(i, "s8") || has(i, "u8")) && ((a && has(i, "row")) || (b && has(i, "col")));
}

bool has_routine(const Instruction& i) {
  const Op op = i.meaning.op;
  // Groups of lanes with different masks go one after another.
  if (op == Op::redux) return i.operands.size() > 2 && i.operands[2].kind != OperandKind::imm;
  if (!i.meaning.is({Op::div, Op::rcp, Op::sqrt}) || !has(i, "rn")) return false;
  const bool wide = has(i, "f64");
  if (!wide && !has(i, "f32")) return false;
  if (op != Op::div || i.operands.size() < 3 || i.operands[2].kind != OperandKind::imm) return true;
  const uint64_t bits = uint64_t(i.operands[2].value);
  return (wide ? bits & 0xfffffffffffffull : bits & 0x7fffffull) != 0;
}

int integer_routine(const Instruction& i) {
  const bool remainder = i.meaning.op == Op::rem;
  if (i.meaning.op != Op::div && !remainder) return 0;
  if (has(i, "u64")) return remainder ? 64 : 68;
  if (has(i, "s64")) return remainder ? 77 : 83;
  return 0;
}

OpcodeClass classify(const Instruction& i, bool kernel) {
  const Meaning& m = i.meaning;
  const Type t = m.type;
  const bool wide = bits(t) == 64 && t != Type::f64;
  switch (group_of(m.op)) {
    case Group::arithmetic:
      if (t == Type::f64) return {Pipe::fp64, 1};
      if (m.is({Op::neg, Op::abs})) return {Pipe::alu, is_float(t) ? 0 : wide ? 2 : 1};
      if (is_float(t)) return {Pipe::fma, 1};
      return {Pipe::alu, wide ? 2 : 1};
    case Group::multiply:
    case Group::multiply_add:
      if (t == Type::f64) return {Pipe::fp64, 1};
      if (is_float(t)) return {Pipe::fma, 1};
      if (wide) return {Pipe::fmaheavy, 4};
      return {Pipe::fmaheavy, has(i, "hi") ? 2 : 1};
    case Group::divide:
      return divide_class(i, t);
    case Group::compare:
      if (t == Type::f64) return {Pipe::fp64, m.is({Op::selp, Op::slct}) ? 2 : 1};
      return {Pipe::alu, wide ? 2 : 1};
    case Group::logic:
    case Group::shift:
      return {Pipe::alu, wide ? 2 : 1};
    case Group::bits:
      if (m.is({Op::popc, Op::brev, Op::bfind, Op::clz}))
        return {Pipe::xu, (wide ? 3 : 1) + (m.op == Op::clz ? 1 : 0)};
      return {Pipe::alu, m.is({Op::bfe, Op::bfi}) ? 2 : 1};
    case Group::convert:
      return convert_class(i);
    case Group::move: {
      if (m.op != Op::mov || i.operands.size() < 2) return {Pipe::alu, 0};
      const Operand& from = i.operands[1];
      if (from.kind != OperandKind::special) return {Pipe::alu, 0};
      // Extents lie in the constant bank; thread and block numbers, clocks and the like are read.
      if (from.name.starts_with("%ntid") || from.name.starts_with("%nctaid")) return {Pipe::alu, 0};
      return {Pipe::xu, 1};
    }
    case Group::special_function:
      return special_class(i, t);
    case Group::memory:
      if (m.space == Space::param) return {Pipe::alu, kernel && m.loads() ? 0 : 1};
      if (m.space == Space::constant) return {Pipe::constant, 1};
      // Four moves to uniform registers among what goes round a loop, a lane per round.
      if (m.effect == Effect::bulk) return {Pipe::lsu, 9, 8};
      if (m.op == Op::cp && !m.accesses())
        return {Pipe::lsu, has(i, "commit_group") || has(i, "wait_group") || has(i, "wait_all") ? 1 : 2};
      return {m.textures() ? Pipe::tex : Pipe::lsu, 1};
    case Group::shuffle:
      return {Pipe::lsu, 1};
    case Group::vote:
      return {m.is({Op::redux, Op::match}) ? Pipe::xu : Pipe::alu, m.op == Op::redux ? 2 : 1};
    case Group::barrier:
      return {Pipe::barrier, 1};
    case Group::fence:
      return {Pipe::lsu, m.scope == Scope::cta ? 1 : 3};
    case Group::branch:
      return {Pipe::branch, 1};
    case Group::call:
      return {Pipe::branch, 1};
    case Group::tensor:
      if (m.accesses()) return {Pipe::lsu, 4};
      return {Pipe::tensor, m.op == Op::wmma ? 4 : has(i, "m16n8k16") && !has(i, "f64") ? 1 : 2};
    case Group::tensor_load:
      return {Pipe::lsu, 1};
    case Group::other:
      break;
  }
  return {Pipe::alu, 1};
}

}  // namespace dojo::ptx
