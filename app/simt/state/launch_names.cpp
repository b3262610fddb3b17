#include "simt/state/launch_names.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "core/text/numbers.hpp"

namespace dojo::simt {
namespace {

constexpr int deepest = 8;  ///< structures in structures

uint64_t word_at(const std::vector<std::byte>& params, uint64_t offset) {
  uint64_t v = 0;
  if (offset + 8 <= params.size()) std::memcpy(&v, params.data() + offset, 8);
  return v;
}

/// "k" of "k<4>" and of "ns::k".
std::string bare(std::string name) {
  if (const size_t at = name.find('<'); at != name.npos && at > 0) name.resize(at);
  if (const size_t at = name.rfind("::"); at != name.npos) name.erase(0, at + 2);
  name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
  return name;
}

/// A type without const, and without the scope of a structure's name.
std::string plain_type(std::string type) {
  for (const std::string_view word : {" const", " volatile"})
    for (size_t at; (at = type.find(word)) != type.npos;) type.erase(at, word.size());
  for (const std::string_view word : {"const ", "volatile ", "struct "})
    if (type.starts_with(word)) type.erase(0, word.size());
  return type;
}

/// Where a value comes from: a parameter of the function, and the offset in it.
using Origin = std::pair<int32_t, int64_t>;

/// The parameters that an address may be computed from, by the register's definitions.
std::set<Origin> origins(const ptx::Function& f, const ptx::Operand& address) {
  std::set<uint64_t> seen;
  std::vector<uint64_t> todo;
  std::set<Origin> params;
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
      const auto& list = i.operands[0].items;
      const bool vector = i.operands[0].kind == ptx::OperandKind::list;
      const auto part = std::find_if(list.begin(), list.end(), [&](const ptx::Operand& o) {
        return o.kind == ptx::OperandKind::reg && o.value == r;
      });
      if (vector ? part == list.end()
                 : i.operands[0].kind != ptx::OperandKind::reg || i.operands[0].value != r)
        continue;
      if (op == "ld") {
        const ptx::Operand& from = i.operands[1];
        if (from.symbol == ptx::SymbolKind::param && from.target >= 0)
          params.insert({from.target, from.offset + (vector ? 8 * (part - list.begin()) : 0)});
      } else if (op == "mad") {
        add(i.operands.back());
      } else if (op == "mov" || op == "cvta" || op == "add" || op == "sub" || op == "selp") {
        for (size_t k = 1; k < std::min<size_t>(3, i.operands.size()); ++k) add(i.operands[k]);
      }
    }
  }
  return params;
}

/// The store of an argument in front of a call, or null.
const ptx::Operand* argument(const ptx::Function& f, uint32_t call, const Origin& o) {
  const ptx::Instruction& c = f.code[call];
  if (c.parts[0] != "call" || c.operands.size() < 3) return nullptr;
  const auto& args = c.operands[2].items;
  if (o.first < 0 || size_t(o.first) >= args.size()) return nullptr;
  for (uint32_t k = call; k-- > 0;) {
    const ptx::Instruction& i = f.code[k];
    if (i.parts[0] != "st" || i.operands.size() < 2 || i.operands[0].symbol != ptx::SymbolKind::local)
      continue;
    if (i.operands[0].target == args[size_t(o.first)].target && i.operands[0].offset == o.second)
      return i.operands[1].kind == ptx::OperandKind::reg ? &i.operands[1] : nullptr;
  }
  return nullptr;
}

}  // namespace

LaunchNames::LaunchNames(const ptx::Module& m, const Grid& grid, AddressSpace& memory)
    : grid_(grid), source_(source_names_of(m.text)) {
  const ptx::Function& f = *grid.code->fn;
  const std::vector<std::byte>& given = grid.node->spec.params;
  const std::vector<std::string> types = ptx::parameter_types(f.name);
  const SourceNames::Function* known = source_.function(bare(f.demangled), f.params.size(), f.where.line);
  for (size_t i = 0; i < f.params.size(); ++i) {
    const ptx::Variable& v = f.params[i];
    // The symbol's types have a template's arguments in their places.
    const std::string type = types.size() == f.params.size() ? types[i] : known ? known->params[i].type : "";
    // Compilers number the parameters; PTX that a person wrote has names of its own.
    const bool numbered = v.name.ends_with("_param_" + std::to_string(i));
    names_.push_back(known ? known->params[i].name : numbered ? "" : v.name);
    const std::string pointee = pointee_of(type);
    if (v.bytes == 8 && (!pointee.empty() || (type.empty() && memory.find(word_at(given, v.offset)))))
      pointers_.push_back({names_.back(), pointee, v.offset, word_at(given, v.offset)});
    else if (v.bytes >= 8 && !type.empty() && !names_.back().empty())
      pointers_in(bare(plain_type(type)), names_.back(), v.offset, 0);
  }
}

std::vector<const LaunchPointer*> LaunchNames::into(const Region& r) const {
  std::vector<const LaunchPointer*> all;
  for (const LaunchPointer& p : pointers_)
    if (p.value >= r.base && p.value - r.base <= r.size) all.push_back(&p);
  return all;
}

const LaunchPointer* LaunchNames::origin(const Exec& x, const Inst* p) const {
  if (x.host || !x.grid) return nullptr;
  const Frame* frame = x.frame;
  const ptx::Function* f = frame->code->fn;
  std::set<Origin> from;
  for (const ptx::Operand& o : f->code[p->ptx].operands)
    if (o.kind == ptx::OperandKind::address) {
      from = origins(*f, o);
      break;
    }
  for (int depth = 0; frame->code != grid_.code; ++depth) {
    const Frame* caller = frame->parent;
    if (depth > 64 || !caller || !frame->call) return nullptr;
    std::set<Origin> outer;
    for (const Origin& o : from)
      if (const ptx::Operand* a = argument(*caller->code->fn, frame->call->ptx, o))
        outer.merge(origins(*caller->code->fn, *a));
    from = std::move(outer);
    frame = caller;
    f = frame->code->fn;
  }
  // Of the parameters only pointers count: others are what indices are made of.
  const LaunchPointer* found = nullptr;
  for (const Origin& o : from) {
    if (size_t(o.first) >= f->params.size()) continue;
    const uint64_t at = f->params[size_t(o.first)].offset + uint64_t(o.second);
    for (const LaunchPointer& q : pointers_) {
      if (q.at != at) continue;
      if (found) return nullptr;
      found = &q;
    }
  }
  return found;
}

std::string LaunchNames::handle(uint64_t handle) const {
  const ptx::Function& f = *grid_.code->fn;
  for (size_t i = 0; i < f.params.size(); ++i)
    if (f.params[i].bytes == 8 && word_at(grid_.node->spec.params, f.params[i].offset) == handle)
      return names_[i];
  return {};
}

template <class Take>
void LaunchNames::members(const SourceNames::Structure& s, const Take& take, int depth) const {
  uint64_t at = 0;
  for (const SourceNames::Variable& v : s.members) {
    const std::string pointee = pointee_of(v.type);
    const Layout l = pointee.empty() ? layout(bare(plain_type(v.type)), depth + 1) : Layout{8, 8};
    uint64_t n = 1;
    for (uint64_t e : v.extents) n *= e;
    if (!l.bytes || !n || n > 4096) return take(nullptr, at, l, n);
    at = (at + l.align - 1) / l.align * l.align;
    take(&v, at, l, n);
    at += l.bytes * n;
  }
}

LaunchNames::Layout LaunchNames::layout(const std::string& type, int depth) const {
  if (depth > deepest) return {};
  if (!pointee_of(type).empty()) return {8, 8};
  if (const uint32_t n = known_type_bytes(type)) {
    const char count = type.back();
    const bool vector = count >= '1' && count <= '4' && !type.starts_with("__");
    if (!vector) return {n, n};
    const uint32_t one = n / uint32_t(count - '0');
    return {n, count == '3' ? one : std::min<uint32_t>(16, n)};
  }
  const SourceNames::Structure* s = source_.structure(type);
  if (!s || s->members.empty()) return {};
  Layout whole;
  uint64_t end = 0;
  bool known = true;
  members(
      *s,
      [&](const SourceNames::Variable* v, uint64_t at, const Layout& l, uint64_t n) {
        known &= v != nullptr;
        end = at + l.bytes * n;
        whole.align = std::max(whole.align, l.align);
      },
      depth);
  if (known) whole.bytes = uint32_t((end + whole.align - 1) / whole.align * whole.align);
  return whole;
}

uint32_t LaunchNames::bytes_of(const std::string& type) const {
  return type.empty() ? 0 : layout(pointee_of(type).empty() ? bare(plain_type(type)) : type).bytes;
}

std::string LaunchNames::member(const std::string& type, uint64_t offset) const {
  const SourceNames::Structure* s = source_.structure(bare(plain_type(type)));
  if (!s || known_type_bytes(type)) return {};
  std::string found;
  members(
      *s,
      [&](const SourceNames::Variable* v, uint64_t at, const Layout& l, uint64_t n) {
        if (!v || offset < at || offset >= at + l.bytes * n || !found.empty() || v->extents.size() > 1)
          return;
        const uint64_t index = (offset - at) / l.bytes, rest = (offset - at) % l.bytes;
        const std::string inner =
            rest || source_.structure(bare(plain_type(v->type))) ? member(v->type, rest) : std::string();
        if (rest && inner.empty()) return;
        found = "." + v->name + (v->extents.empty() ? "" : "[" + std::to_string(index) + "]") + inner;
      },
      0);
  return found;
}

void LaunchNames::pointers_in(const std::string& type, const std::string& name, uint64_t from, int depth) {
  const SourceNames::Structure* s = source_.structure(type);
  if (!s || depth > deepest) return;
  members(
      *s,
      [&](const SourceNames::Variable* v, uint64_t at, const Layout& l, uint64_t n) {
        if (!v || v->extents.size() > 1) return;
        const std::string pointee = pointee_of(v->type);
        for (uint64_t i = 0; i < n; ++i) {
          const std::string one =
              name + "." + v->name + (v->extents.empty() ? "" : "[" + std::to_string(i) + "]");
          const uint64_t here = from + at + i * l.bytes;
          if (pointee.empty())
            pointers_in(bare(plain_type(v->type)), one, here, depth + 1);
          else
            pointers_.push_back({one, pointee, here, word_at(grid_.node->spec.params, here)});
        }
      },
      depth);
}

std::optional<LaunchNames> names_here(const Exec& x) {
  if (x.host || !x.grid || !x.grid->node) return std::nullopt;
  return std::optional<LaunchNames>(std::in_place, x.program->module(), *x.grid, *x.memory);
}

std::optional<ptx::SourceVariable> declared_array(const LaunchNames& names, const std::string& name,
                                                  uint64_t total) {
  std::optional<ptx::SourceVariable> out;
  for (const SourceNames::Variable& v : names.source().arrays) {
    if (v.name != name || v.extents.empty()) continue;
    const uint32_t size = names.bytes_of(v.type);
    uint64_t inner = size;
    for (size_t k = 1; k < v.extents.size(); ++k) inner *= v.extents[k];
    if (!size || !inner || (total && total % inner)) continue;
    if (total && v.extents[0] && v.extents[0] * inner != total) continue;
    ptx::SourceVariable a;
    a.name = name, a.element_bytes = size, a.extents = v.extents;
    a.extents[0] = total / inner;
    if (out && (a.extents != out->extents || a.element_bytes != out->element_bytes)) return std::nullopt;
    out = std::move(a);
  }
  return out;
}

std::string extents_text(const ptx::SourceVariable& v) {
  std::string text;
  for (uint64_t n : v.extents) text += (text.empty() ? "" : " × ") + grouped(double(n));
  return text + (v.extents == std::vector<uint64_t>{1} ? " element" : " elements");
}

std::string declared_element(const ptx::SourceVariable& a, int64_t at, uint32_t bytes) {
  const std::string first = ptx::element_of(a, at);
  if (first.empty() || bytes <= a.element_bytes) return bytes < a.element_bytes ? std::string() : first;
  const std::string last = ptx::element_of(a, at + int64_t(bytes - a.element_bytes));
  return last.empty() ? last : first + " to " + last;
}

}  // namespace dojo::simt
