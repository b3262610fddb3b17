// What findings call the memory of a block and of a thread: shared arrays, static and dynamic, and a thread's
// own arrays.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "core/text/numbers.hpp"
#include "simt/decode/access_traits.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/launch_names.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {
namespace {

/// The name of the extern __shared__ array that the kernel uses, where it uses one.
std::string dynamic_name(const Exec& x) {
  const ptx::Module& m = x.program->module();
  std::set<std::string> used;
  for (const Code* code : x.grid->codes)
    for (const ptx::Instruction& i : code->fn->code)
      for (const ptx::Operand& o : i.operands) {
        if (o.symbol != ptx::SymbolKind::variable || o.target < 0) continue;
        const ptx::Variable& v = m.variables[size_t(o.target)];
        if (v.space == ptx::Space::shared && v.is_extern) used.insert(plain_name(v.name));
      }
  return used.size() == 1 ? *used.begin() : "the dynamic shared memory";
}

/// "tile[3][4]" of a shared array, as the source declares it; empty: it does not tell.
std::string shared_element(const Exec& x, const std::string& name, uint64_t total, int64_t at,
                           uint32_t bytes) {
  const auto names = names_here(x);
  const auto array = names ? declared_array(*names, name, total) : std::nullopt;
  return array ? declared_element(*array, at, bytes) : std::string();
}

struct SharedArray {
  std::string name;  ///< empty: no array is there
  uint64_t offset = 0, bytes = 0;
  bool dynamic = false;
};

SharedArray shared_array_at(const Exec& x, uint64_t offset) {
  const ptx::Module& m = x.program->module();
  const auto holds = [&](const ptx::Variable& v) {
    return v.space == ptx::Space::shared && !v.is_extern && v.bytes && offset >= v.offset &&
           offset < v.offset + v.bytes;
  };
  // A kernel's own arrays, then those of the file.
  for (const std::vector<ptx::Variable>* list : {&x.grid->code->fn->locals, &m.variables})
    for (const ptx::Variable& v : *list)
      if (holds(v)) return {plain_name(v.name), v.offset, v.bytes};
  const uint64_t dynamic = x.block ? x.block->dynamic_base : 0;
  if (x.block && offset >= dynamic && offset < x.block->shared_bytes && dynamic < x.block->shared_bytes)
    return {dynamic_name(x), dynamic, x.block->shared_bytes - dynamic, true};
  return {};
}

}  // namespace

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
  const SharedArray array = shared_array_at(x, offset);
  if (array.name.empty()) return fmt::format("shared memory + {}", offset);
  const std::string element =
      shared_element(x, array.name, array.bytes, int64_t(offset - array.offset), bytes);
  if (!element.empty()) return element;
  return !array.dynamic && array.bytes <= bytes ? array.name : part(offset - array.offset, array.name);
}

std::string shared_array(const Exec& x, uint64_t offset) {
  const SharedArray array = shared_array_at(x, offset);
  return array.name.empty() ? fmt::format("shared memory + {}", offset) : array.name;
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

std::string shared_overrun(const Exec& x, const Inst* p, uint64_t address, uint32_t bytes) {
  const Code& code = *x.grid->code;
  int64_t size = x.block->shared_bytes, at = int64_t(address);
  const int64_t fixed = int64_t(code.fn->shared_bytes), width = p->width;
  std::string name = "the block's shared memory";
  const AccessTraits& traits = x.machine->traits(p->access);
  if (!traits.array.empty()) {
    name = plain_name(traits.array);
    size = traits.array_end - traits.array_begin;
    at -= traits.array_begin;
  } else if (fixed == 0) {
    name = dynamic_name(x);
  } else if (fixed == size) {
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
  const std::string end = size == 0    ? " Give its size in bytes as the third argument of the launch."
                          : fixed == 0 ? " The third argument of the launch gives its size in bytes."
                                       : "";
  if (const auto names = names_here(x))
    if (const auto array = declared_array(*names, name, uint64_t(size)))
      if (const std::string element = declared_element(*array, at, bytes); !element.empty())
        return fmt::format("{}; {} has {}.{}", element, name, extents_text(*array), end);
  std::string text =
      width && at % width == 0 && size % width == 0
          ? fmt::format("element {} of {}, which has {} element{}.", at / width, name,
                        grouped(double(size / width)), size == width ? "" : "s")
          : fmt::format("{} byte{} at {} {} {}, which has {} bytes.", bytes, bytes == 1 ? "" : "s", name,
                        at < 0 ? "-" : "+", at < 0 ? -at : at, grouped(double(size)));
  return text + end;
}

}  // namespace dojo::simt
