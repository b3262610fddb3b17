#include "simt/state/element_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>
#include <string_view>
#include <vector>

#include "ptx/lines/source_variables.hpp"

namespace dojo::simt {
namespace {

std::string index_text(const Dim3& extent, const Dim3& at) {
  return extent.y == 1 && extent.z == 1 ? fmt::format("{}", at.x)
                                        : fmt::format("({},{},{})", at.x, at.y, at.z);
}

/// "4,194,304"
std::string grouped(uint64_t n) {
  std::string text = fmt::format("{}", n);
  for (int at = int(text.size()) - 3; at > 0; at -= 3) text.insert(size_t(at), ",");
  return text;
}

/// Bytes of a type that CUDA or C++ defines, 0: a type of the program's own.
uint32_t bytes_of(std::string_view type) {
  struct Known {
    std::string_view name;
    uint32_t bytes;
  };
  static constexpr Known whole[] = {{"bool", 1},
                                    {"unsigned char", 1},
                                    {"signed char", 1},
                                    {"unsigned short", 2},
                                    {"unsigned int", 4},
                                    {"unsigned long", 8},
                                    {"unsigned long long", 8},
                                    {"long", 8},
                                    {"long long", 8},
                                    {"__half", 2},
                                    {"__half2", 4},
                                    {"__nv_bfloat16", 2},
                                    {"__nv_bfloat162", 4}};
  static constexpr Known vectors[] = {{"char", 1},  {"uchar", 1}, {"short", 2},    {"ushort", 2},
                                      {"int", 4},   {"uint", 4},  {"float", 4},    {"double", 8},
                                      {"ulong", 8}, {"long", 8},  {"longlong", 8}, {"ulonglong", 8}};
  for (const Known& k : whole)
    if (type == k.name) return k.bytes;
  for (const Known& k : vectors) {
    if (!type.starts_with(k.name)) continue;
    const std::string_view n = type.substr(k.name.size());
    if (n.empty()) return k.bytes;
    if (n.size() == 1 && n[0] >= '1' && n[0] <= '4') return k.bytes * uint32_t(n[0] - '0');
  }
  return 0;
}

/// Bytes of what a parameter points to; -1: it is no pointer, 0: to a type of the program's own.
int pointee_bytes(std::string type) {
  if (const size_t at = type.find("(*)"); at != std::string::npos) type.erase(at), type += '*';
  for (const std::string_view word : {" restrict", " __restrict__", " __restrict", " const", " volatile"})
    for (size_t at; (at = type.find(word)) != std::string::npos;) type.erase(at, word.size());
  while (!type.empty() && type.back() == ' ') type.pop_back();
  if (type.empty() || type.back() != '*') return -1;
  type.pop_back();
  while (!type.empty() && type.back() == ' ') type.pop_back();
  return !type.empty() && type.back() == '*' ? 8 : int(bytes_of(type));
}

/// Bytes of one element where an access is made; 0: not known. Host code loads and stores element by element.
uint32_t element_bytes(const Exec& x, const Inst* p) {
  if (x.host) return p->width;
  if (!x.grid) return 0;
  std::set<uint32_t> sizes;
  for (const std::string& type : ptx::parameter_types(x.grid->code->fn->name))
    if (const int n = pointee_bytes(type); n >= 0) sizes.insert(uint32_t(n));
  const uint32_t all = uint32_t(p->width) * p->count;
  if (sizes.size() == 1) return *sizes.begin();
  if (sizes.empty() || sizes.count(0)) return 0;
  return sizes.count(all) ? all : sizes.count(p->width) ? p->width : 0;
}

bool is_plain(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == ':' || c == '[' || c == ']';
  });
}

std::string name_of(const Region& r) { return r.name.empty() ? to_string(r.owner) : r.name; }

std::string indexed(const Region& r, int64_t first, int64_t last) {
  const std::string name = name_of(r);
  // A variable of the module may have several dimensions, which its symbol does not tell.
  const bool flat = is_plain(name) && r.owner != Owner::device_global && r.owner != Owner::constant;
  if (flat)
    return first == last ? fmt::format("{}[{}]", name, first)
                         : fmt::format("{}[{}] to {}[{}]", name, first, name, last);
  return first == last ? fmt::format("element {} of {}", first, name)
                       : fmt::format("elements {} to {} of {}", first, last, name);
}

/// The element names of an access relative to a region; empty: elements don't fit it.
std::string relative(const Exec& x, const Inst* p, const Region& r, uint64_t address, uint32_t bytes) {
  const int64_t size = element_bytes(x, p);
  const int64_t offset = int64_t(address - r.base);
  if (!size || offset % size) return {};
  const int64_t first = offset / size, last = first + std::max<int64_t>(1, int64_t(bytes) / size) - 1;
  return indexed(r, first, last);
}

/// The one kernel parameter that an address is computed from, by the register's definitions; null: there is
/// none, or there are several.
const ptx::Variable* origin(const ptx::Function& f, const ptx::Operand& address) {
  std::set<uint64_t> seen;
  std::vector<uint64_t> todo;
  std::set<int32_t> params;
  const auto add = [&](const ptx::Operand& o) {
    if ((o.kind == ptx::OperandKind::reg || (o.kind == ptx::OperandKind::address && o.base_is_reg)) &&
        seen.insert(o.value).second)
      todo.push_back(o.value);
  };
  add(address);
  while (!todo.empty()) {
    const uint64_t r = todo.back();
    todo.pop_back();
    for (const ptx::Instruction& i : f.code) {
      const std::string& op = i.parts[0];
      if (op == "st" || op == "red" || op == "bra" || i.operands.size() < 2) continue;
      if (i.operands[0].kind != ptx::OperandKind::reg || i.operands[0].value != r) continue;
      if (op == "ld") {
        const ptx::Operand& from = i.operands[1];
        if (from.symbol == ptx::SymbolKind::param && from.target >= 0) params.insert(from.target);
      } else if (op == "mad") {
        add(i.operands.back());
      } else if (op == "mov" || op == "cvta" || op == "add" || op == "sub" || op == "selp") {
        for (size_t k = 1; k < std::min<size_t>(3, i.operands.size()); ++k) add(i.operands[k]);
      }
    }
  }
  // Of the parameters only pointers count: others are what indices are made of.
  const ptx::Variable* found = nullptr;
  for (int32_t n : params) {
    if (size_t(n) >= f.params.size() || f.params[size_t(n)].bytes != 8) continue;
    if (found) return nullptr;
    found = &f.params[size_t(n)];
  }
  return found;
}

/// The allocation behind the parameter that an address is computed from, or null.
Region* region_behind(const Exec& x, const Inst* p) {
  if (x.host || !x.grid || x.frame->code != x.grid->code) return nullptr;
  const ptx::Function& f = *x.frame->code->fn;
  for (const ptx::Operand& o : f.code[p->ptx].operands) {
    if (o.kind != ptx::OperandKind::address) continue;
    const ptx::Variable* v = origin(f, o);
    const std::vector<std::byte>& given = x.grid->node->spec.params;
    if (!v || v->offset + 8 > given.size()) return nullptr;
    uint64_t pointer = 0;
    std::memcpy(&pointer, given.data() + v->offset, 8);
    return x.memory->find(pointer);
  }
  return nullptr;
}

}  // namespace

std::string plain_name(std::string_view symbol) {
  std::string name = ptx::demangled(std::string(symbol));
  if (const size_t at = name.rfind("::"); at != std::string::npos) name.erase(0, at + 2);
  return name;
}

std::string thread_name(const Dim3& block, const Dim3& thread) {
  return "thread " + index_text(block, thread);
}
std::string block_name(const Dim3& grid, const Dim3& block) { return "block " + index_text(grid, block); }

std::string lane_name(const Exec& x, uint32_t lane) {
  const Grid& g = *x.grid;
  const std::string thread = thread_name(g.block, g.block.at(thread_index(x, int(lane))));
  return g.grid.count() == 1 ? thread : thread + " of " + block_name(g.grid, x.block->index);
}

std::string subject(const Exec& x, uint32_t lane) {
  if (x.host || !x.grid || !x.block) return "Host code";
  std::string text = lane_name(x, lane);
  text[0] = 'T';
  return text;
}

std::string element_name(const Exec& x, const Inst* p, uint64_t address, uint32_t bytes) {
  const Region* r = x.memory->find(address);
  const std::string element = r ? relative(x, p, *r, address, bytes) : std::string();
  return element.empty() ? x.memory->describe(address) : element;
}

std::string shared_name(const Exec& x, const Inst* p, uint64_t offset, uint32_t bytes) {
  const auto part = [&](uint64_t at, const std::string& whole) {
    const uint32_t size = p->width;
    if (!size || at % size)
      return bytes == 1 ? fmt::format("byte {} of {}", at, whole)
                        : fmt::format("bytes {} to {} of {}", at, at + bytes - 1, whole);
    const uint64_t first = at / size, last = first + std::max<uint64_t>(1, bytes / size) - 1;
    return first == last ? fmt::format("element {} of {}", first, whole)
                         : fmt::format("elements {} to {} of {}", first, last, whole);
  };
  const ptx::Module& m = x.program->module();
  const auto holds = [&](const ptx::Variable& v) {
    return v.space == ptx::Space::shared && !v.is_extern && v.bytes && offset >= v.offset &&
           offset < v.offset + v.bytes;
  };
  // A kernel's own arrays, then those of the file.
  for (const std::vector<ptx::Variable>* list : {&x.grid->code->fn->locals, &m.variables})
    for (const ptx::Variable& v : *list)
      if (holds(v)) {
        const std::string name = plain_name(v.name);
        return v.bytes <= bytes ? name : part(offset - v.offset, name);
      }
  const uint64_t dynamic = x.block ? x.block->dynamic_base : 0;
  if (x.block && offset >= dynamic && offset < x.block->shared_bytes && dynamic < x.block->shared_bytes)
    return part(offset - dynamic, "the dynamic shared memory");
  return fmt::format("shared memory + {}", offset);
}

namespace {

/// Constant offsets from the function's local memory that an address is computed from: where its arrays
/// begin.
std::set<int64_t> local_starts(const ptx::Function& f, const ptx::Operand& address) {
  std::set<int64_t> starts;
  std::set<uint64_t> seen;
  std::vector<uint64_t> todo;
  const auto is_register = [](const ptx::Operand& o) {
    return o.kind == ptx::OperandKind::reg || (o.kind == ptx::OperandKind::address && o.base_is_reg);
  };
  const auto add = [&](const ptx::Operand& o) {
    if (is_register(o) && seen.insert(o.value).second) todo.push_back(o.value);
  };
  add(address);
  while (!todo.empty()) {
    const uint64_t r = todo.back();
    todo.pop_back();
    for (const ptx::Instruction& i : f.code) {
      const std::string& op = i.parts[0];
      if (i.operands.size() < 2 || i.operands[0].kind != ptx::OperandKind::reg || i.operands[0].value != r)
        continue;
      const bool sum = op == "add" && i.operands.size() > 2;
      const std::string_view of = is_register(i.operands[1])
                                      ? std::string_view(f.registers[i.operands[1].value].name)
                                      : std::string_view();
      if (sum && of.starts_with("%SP") && i.operands[2].kind == ptx::OperandKind::imm)
        starts.insert(int64_t(i.operands[2].value));
      else if (sum || op == "mov" || op == "cvta" || op == "selp")
        for (size_t k = 1; k < std::min<size_t>(3, i.operands.size()); ++k) add(i.operands[k]);
    }
  }
  return starts;
}

std::string extents_text(const ptx::SourceVariable& v) {
  std::string text;
  for (uint64_t n : v.extents) text += (text.empty() ? "" : " × ") + grouped(n);
  return text + (v.extents == std::vector<uint64_t>{1} ? " element" : " elements");
}

}  // namespace

LocalElement local_element(const Exec& x, const Inst* p, uint64_t address) {
  LocalElement out;
  if (x.host || !x.grid) return out;
  const Code& code = *x.frame->code;
  const ptx::Instruction& ins = code.fn->code[p->ptx];
  const auto all = ptx::source_variables(x.program->module());
  const int64_t at = int64_t(address) - int64_t(x.frame->local_base);
  std::set<int64_t> starts;
  for (const ptx::Operand& o : ins.operands)
    if (o.kind == ptx::OperandKind::address) starts = local_starts(*code.fn, o);
  const bool in_local = window::in(address + window::local, window::local);
  const ptx::SourceVariable* array = nullptr;
  for (const ptx::SourceVariable& v : all[code.index]) {
    if (v.extents.empty() || !v.symbol.starts_with("__local_depot")) continue;
    const int64_t begin = int64_t(v.offset);
    // By what the address is computed from; where that does not tell, by where it lies.
    if (starts.size() == 1 ? *starts.begin() == begin
                           : in_local && at >= begin && (!array || begin > int64_t(array->offset)))
      array = &v;
  }
  if (!array) return out;
  out.element = ptx::element_of(*array, at - int64_t(array->offset));
  if (!out.element.empty()) out.extent = fmt::format("{} has {}", array->name, extents_text(*array));
  return out;
}

Overrun overrun(const Exec& x, const Inst* p, uint64_t address, uint32_t bytes) {
  Overrun out;
  const Region* r = region_behind(x, p);
  if (!r) {
    // Without it, a neighbour more than a megabyte away would mislead more than it explains.
    constexpr int64_t near = 1 << 20;
    r = x.memory->nearest(address);
    if (!r) return out;
    const int64_t before = int64_t(r->base - address), behind = int64_t(address - (r->base + r->size));
    if (before > near || behind > near) return out;
  }
  if (r->freed || r->contains(address, bytes)) return out;
  out.element = relative(x, p, *r, address, bytes);
  if (out.element.empty()) return out;
  const uint64_t n = r->size / element_bytes(x, p);
  out.extent = fmt::format("{} has {} element{}", name_of(*r), grouped(n), n == 1 ? "" : "s");
  out.region = r;
  return out;
}

std::string shared_overrun(const Exec& x, const Inst* p, uint64_t address, uint32_t bytes) {
  const Code& code = *x.grid->code;
  const int64_t size = x.block->shared_bytes, fixed = int64_t(code.fn->shared_bytes);
  const int64_t at = int64_t(address), width = p->width;
  std::string name = "the block's shared memory";
  if (fixed == 0) name = "the dynamic shared memory";
  if (fixed && fixed == size) {
    int arrays = 0;
    const auto look = [&](const ptx::Variable& v) {
      if (v.space != ptx::Space::shared || v.is_extern || !v.bytes) return;
      ++arrays;
      if (int64_t(v.bytes) == size) name = plain_name(v.name);
    };
    for (const ptx::Variable& v : code.fn->locals) look(v);
    for (const ptx::Variable& v : x.program->module().variables) look(v);
    if (arrays != 1) name = "the block's shared memory";
  }
  std::string text =
      width && at % width == 0 && size % width == 0
          ? fmt::format("element {} of {}, which has {} element{}.", at / width, name, size / width,
                        size == width ? "" : "s")
          : fmt::format("{} byte{} at {} {} {}, which has {} bytes.", bytes, bytes == 1 ? "" : "s", name,
                        at < 0 ? "-" : "+", at < 0 ? -at : at, size);
  if (size == 0) text += " Give its size as the third argument of the launch.";
  return text;
}

}  // namespace dojo::simt
