#include "ptx/opcode_class.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace dojo::ptx {
namespace {

bool has(const Instruction& i, std::string_view part) {
  return std::find(i.parts.begin(), i.parts.end(), part) != i.parts.end();
}

Type type_of(const Instruction& i) {
  for (size_t k = i.parts.size(); k-- > 1;)
    if (Type t = type_from(i.parts[k]); t != Type::none) return t;
  return Type::none;
}

enum class Group : uint8_t {
  none,
  arithmetic,
  multiply,
  multiply_add,
  divide,
  compare,
  logic,
  shift,
  bits,
  convert,
  move,
  special_function,
  memory,
  shuffle,
  vote,
  barrier,
  fence,
  branch,
  call,
  tensor,
  tensor_load,
  other,
};

const std::unordered_map<std::string_view, Group>& groups() {
  static const std::unordered_map<std::string_view, Group> table = {
      {"add", Group::arithmetic},
      {"sub", Group::arithmetic},
      {"addc", Group::arithmetic},
      {"subc", Group::arithmetic},
      {"neg", Group::arithmetic},
      {"abs", Group::arithmetic},
      {"min", Group::compare},
      {"max", Group::compare},
      {"sad", Group::arithmetic},
      {"mul", Group::multiply},
      {"mul24", Group::multiply},
      {"mad", Group::multiply_add},
      {"mad24", Group::multiply_add},
      {"madc", Group::multiply_add},
      {"fma", Group::multiply_add},
      {"dp4a", Group::multiply_add},
      {"dp2a", Group::multiply_add},
      {"div", Group::divide},
      {"rem", Group::divide},
      {"setp", Group::compare},
      {"set", Group::compare},
      {"selp", Group::compare},
      {"slct", Group::compare},
      {"and", Group::logic},
      {"or", Group::logic},
      {"xor", Group::logic},
      {"not", Group::logic},
      {"cnot", Group::logic},
      {"lop3", Group::logic},
      {"shl", Group::shift},
      {"shr", Group::shift},
      {"shf", Group::shift},
      {"prmt", Group::bits},
      {"bfe", Group::bits},
      {"bfi", Group::bits},
      {"bfind", Group::bits},
      {"brev", Group::bits},
      {"clz", Group::bits},
      {"popc", Group::bits},
      {"fns", Group::bits},
      {"bmsk", Group::bits},
      {"szext", Group::bits},
      {"copysign", Group::bits},
      {"testp", Group::compare},
      {"cvt", Group::convert},
      {"cvta", Group::move},
      {"mov", Group::move},
      {"rcp", Group::special_function},
      {"rsqrt", Group::special_function},
      {"sqrt", Group::special_function},
      {"sin", Group::special_function},
      {"cos", Group::special_function},
      {"lg2", Group::special_function},
      {"ex2", Group::special_function},
      {"tanh", Group::special_function},
      {"ld", Group::memory},
      {"ldu", Group::memory},
      {"st", Group::memory},
      {"atom", Group::memory},
      {"red", Group::memory},
      {"prefetch", Group::memory},
      {"prefetchu", Group::memory},
      {"cp", Group::memory},
      {"mbarrier", Group::memory},
      {"st.async", Group::memory},
      {"tex", Group::memory},
      {"tld4", Group::memory},
      {"suld", Group::memory},
      {"sust", Group::memory},
      {"shfl", Group::shuffle},
      {"vote", Group::vote},
      {"match", Group::vote},
      {"activemask", Group::vote},
      {"redux", Group::vote},
      {"elect", Group::vote},
      {"bar", Group::barrier},
      {"barrier", Group::barrier},
      {"membar", Group::fence},
      {"fence", Group::fence},
      {"bra", Group::branch},
      {"brx", Group::branch},
      {"ret", Group::branch},
      {"exit", Group::branch},
      {"trap", Group::branch},
      {"brkpt", Group::branch},
      {"call", Group::call},
      {"wmma", Group::tensor},
      {"mma", Group::tensor},
      {"wgmma", Group::tensor},
      {"ldmatrix", Group::tensor_load},
      {"stmatrix", Group::tensor_load},
      {"nanosleep", Group::other},
      {"griddepcontrol", Group::other},
      {"pmevent", Group::other},
      {"isspacep", Group::compare},
      {"mapa", Group::bits},
      {"getctarank", Group::bits},
      {"alloca", Group::other},
      {"discard", Group::other},
      {"applypriority", Group::other},
      {"createpolicy", Group::other},
      {"setmaxnreg", Group::other},
      {"stacksave", Group::move},
      {"stackrestore", Group::move},
      {"tensormap", Group::other},
  };
  return table;
}

Group group_of(const Instruction& i) {
  auto it = groups().find(i.parts[0]);
  return it == groups().end() ? Group::other : it->second;
}

bool is_half(Type t) { return t == Type::f16 || t == Type::f16x2 || t == Type::bf16 || t == Type::bf16x2; }
bool is_float(Type t) { return t == Type::f32 || t == Type::f64 || is_half(t); }

OpcodeClass convert_class(const Instruction& i) {
  Type to = Type::none, from = Type::none;
  for (size_t k = 1; k < i.parts.size(); ++k)
    if (Type t = type_from(i.parts[k]); t != Type::none) (to == Type::none ? to : from) = t;
  if (to == Type::f64 || from == Type::f64) return {Pipe::xu, 1};
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
  if (t == Type::f64) return {Pipe::fp64, i.parts[0] == "rsqrt" || has(i, "approx") ? 3 : 12};
  if (has(i, "approx")) {
    // Without .ftz, denormals are scaled in and out of MUFU.
    bool plain =
        has(i, "ftz") || i.parts[0] == "sin" || i.parts[0] == "cos" || i.parts[0] == "tanh" || is_half(t);
    return {Pipe::xu, plain ? 1 : 4};
  }
  return {Pipe::fma, 8};
}

}  // namespace

bool moves_matrices(const Instruction& i) {
  const std::string& op = i.parts[0];
  if (op == "ldmatrix" || op == "stmatrix") return true;
  return op == "wmma" && i.parts.size() > 2 && i.parts[1] == "load" &&
         (i.parts[2] == "a" || i.parts[2] == "b") && (has(i, "f16") || has(i, "bf16"));
}

bool has_routine(const Instruction& i) {
  const std::string& op = i.parts[0];
  if ((op != "div" && op != "rcp" && op != "sqrt") || !has(i, "rn")) return false;
  const bool wide = has(i, "f64");
  if (!wide && !has(i, "f32")) return false;
  if (op != "div" || i.operands.size() < 3 || i.operands[2].kind != OperandKind::imm) return true;
  const uint64_t bits = uint64_t(i.operands[2].value);
  return (wide ? bits & 0xfffffffffffffull : bits & 0x7fffffull) != 0;
}

int integer_routine(const Instruction& i) {
  const bool remainder = i.parts[0] == "rem";
  if (i.parts[0] != "div" && !remainder) return 0;
  if (has(i, "u64")) return remainder ? 64 : 68;
  if (has(i, "s64")) return remainder ? 77 : 83;
  return 0;
}

MemoryClass memory_class(const Instruction& i) {
  MemoryClass m;
  const std::string& op = i.parts[0];
  m.load = op == "ld" || op == "ldu" || op == "ldmatrix";
  m.store = op == "st" || op == "stmatrix";
  m.atomic = op == "atom" || op == "red";
  bool wmma_load = op == "wmma" && i.parts.size() > 1 && i.parts[1] == "load";
  bool wmma_store = op == "wmma" && i.parts.size() > 1 && i.parts[1] == "store";
  bool copy = op == "cp" && has(i, "async") && (has(i, "ca") || has(i, "cg"));
  if (uses_texture_units(i)) {
    (op == "sust" ? m.store : m.load) = true;
    m.memory = true;
    m.space = Space::global;
    m.width = uint8_t((has(i, "v4") ? 4 : has(i, "v2") ? 2 : 1) * std::max(8, bits(type_of(i))) / 8);
    return m;
  }
  m.load |= wmma_load || copy, m.store |= wmma_store;
  m.memory = m.load || m.store || m.atomic;
  if (!m.memory) return m;
  int vector = 1;
  for (auto& part : i.parts) {
    if (part == "shared" || part == "shared::cta" || part == "shared::cluster") {
      if (!copy) m.space = Space::shared;
    } else if (part == "global") {
      m.space = Space::global;
    } else if (part == "local") {
      m.space = Space::local;
    } else if (part == "const") {
      m.space = Space::constant;
    } else if (part == "param" || part == "param::entry" || part == "param::func") {
      m.space = Space::param;
    } else if (part == "v2" || part == "x2") {
      vector = 2;
    } else if (part == "v4" || part == "x4") {
      vector = 4;
    } else if (part == "v8") {
      vector = 8;
    }
  }
  if (copy) {
    m.width = 4;
    for (auto& o : i.operands)
      if (o.kind == OperandKind::imm && (o.value == 4 || o.value == 8 || o.value == 16)) {
        m.width = uint8_t(o.value);
        break;
      }
  } else if (op == "ldmatrix" || op == "stmatrix") {
    m.width = uint8_t(4 * vector);
  } else if (wmma_load || wmma_store) {
    size_t registers = 1;
    for (auto& o : i.operands)
      if (o.kind == OperandKind::list) registers = std::max(registers, o.items.size());
    m.width = uint8_t(std::min<size_t>(4 * registers, 16));
  } else {
    m.width = uint8_t(std::min(vector * std::max(8, bits(type_of(i))) / 8, 32));
  }
  return m;
}

bool uses_texture_units(const Instruction& i) {
  const std::string& op = i.parts[0];
  return op == "tex" || op == "tld4" || op == "suld" || op == "sust";
}

int written_operands(const Instruction& i) {
  const std::string& op = i.parts[0];
  if (i.operands.empty()) return 0;
  static const std::unordered_map<std::string_view, int> none = {
      {"st", 0},         {"red", 0},       {"bar", 0},
      {"barrier", 0},    {"membar", 0},    {"fence", 0},
      {"bra", 0},        {"brx", 0},       {"ret", 0},
      {"exit", 0},       {"trap", 0},      {"cp", 0},
      {"prefetch", 0},   {"prefetchu", 0}, {"nanosleep", 0},
      {"stmatrix", 0},   {"call", 0},      {"griddepcontrol", 0},
      {"discard", 0},    {"sust", 0},      {"stackrestore", 0},
      {"setmaxnreg", 0}, {"pmevent", 0},   {"applypriority", 0},
  };
  if (none.count(op)) return op == "barrier" || op == "bar" ? (has(i, "red") ? 1 : 0) : 0;
  if (op == "wmma" && i.parts.size() > 1 && i.parts[1] == "store") return 0;
  if (op == "mbarrier" && i.parts.size() > 1) {
    auto& what = i.parts[1];
    return (what == "arrive" || what == "arrive_drop" || what == "test_wait" || what == "try_wait" ||
            what == "pending_count") &&
           i.operands[0].kind != OperandKind::address;
  }
  if (op == "elect") return 1;
  return i.operands[0].kind == OperandKind::address ? 0 : 1;
}

OpcodeClass classify(const Instruction& i, bool kernel) {
  Type t = type_of(i);
  const std::string& op = i.parts[0];
  bool wide = bits(t) == 64 && t != Type::f64;
  switch (group_of(i)) {
    case Group::arithmetic:
      if (t == Type::f64) return {Pipe::fp64, 1};
      if (op == "neg" || op == "abs") return {Pipe::alu, is_float(t) ? 0 : wide ? 2 : 1};
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
      if (t == Type::f64) return {Pipe::fp64, op == "selp" || op == "slct" ? 2 : 1};
      return {Pipe::alu, wide ? 2 : 1};
    case Group::logic:
    case Group::shift:
      return {Pipe::alu, wide ? 2 : 1};
    case Group::bits:
      if (op == "popc" || op == "brev" || op == "bfind" || op == "clz")
        return {Pipe::xu, (wide ? 3 : 1) + (op == "clz" ? 1 : 0)};
      return {Pipe::alu, op == "bfe" || op == "bfi" ? 2 : 1};
    case Group::convert:
      return convert_class(i);
    case Group::move: {
      if (op != "mov" || i.operands.size() < 2) return {Pipe::alu, 0};
      const Operand& from = i.operands[1];
      if (from.kind != OperandKind::special) return {Pipe::alu, 0};
      // Extents lie in the constant bank; thread and block numbers, clocks and the like are read.
      if (from.name.starts_with("%ntid") || from.name.starts_with("%nctaid")) return {Pipe::alu, 0};
      return {Pipe::xu, 1};
    }
    case Group::special_function:
      return special_class(i, t);
    case Group::memory: {
      auto m = memory_class(i);
      if (m.space == Space::param) return {Pipe::alu, kernel && m.load ? 0 : 1};
      if (m.space == Space::constant) return {Pipe::constant, 1};
      if (op == "cp" && !m.memory)
        return {Pipe::lsu, has(i, "commit_group") || has(i, "wait_group") || has(i, "wait_all") ? 1 : 2};
      return {uses_texture_units(i) ? Pipe::tex : Pipe::lsu, 1};
    }
    case Group::shuffle:
      return {Pipe::lsu, 1};
    case Group::vote:
      return {op == "redux" || op == "match" ? Pipe::xu : Pipe::alu, op == "redux" ? 2 : 1};
    case Group::barrier:
      return {Pipe::barrier, i.parts.size() > 1 && i.parts[1] == "warp" ? 1 : 1};
    case Group::fence:
      return {Pipe::lsu, has(i, "cta") ? 1 : 3};
    case Group::branch:
      return {Pipe::branch, 1};
    case Group::call:
      return {Pipe::branch, 1};
    case Group::tensor:
      if (op == "wmma" && i.parts.size() > 1 && i.parts[1] != "mma") return {Pipe::lsu, 4};
      return {Pipe::tensor, op == "wmma" ? 4 : has(i, "m16n8k16") && !has(i, "f64") ? 1 : 2};
    case Group::tensor_load:
      return {Pipe::lsu, 1};
    case Group::none:
    case Group::other:
      break;
  }
  return {Pipe::alu, 1};
}

}  // namespace dojo::ptx
