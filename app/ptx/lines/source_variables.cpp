#include "ptx/lines/source_variables.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "ptx/lines/debug_entries.hpp"

namespace dojo::ptx {
namespace {

constexpr uint8_t op_addr = 0x03, op_plus_constant = 0x23, op_register = 0x90;

/// Instructions between two labels of a function.
struct Range {
  uint32_t first = 0, last = 0;
};

std::optional<uint32_t> label(const Function& f, const std::string& name) {
  const auto it = f.labels.find(name);
  return it == f.labels.end() ? std::nullopt : std::optional<uint32_t>(it->second);
}

/// The name in a register's number: its characters, the last one in the low byte.
std::string register_name(uint64_t number) {
  std::string name;
  for (; number; number >>= 8) name.insert(name.begin(), char(number & 255));
  return name;
}

struct FunctionReader {
  const debug::Entries& entries;
  const Function& f;

  Range range_of(const debug::Entry& e, Range whole) const {
    const debug::Value *low = e.find(debug::at_low_pc), *high = e.find(debug::at_high_pc);
    if (!low || !high) return whole;
    const auto first = label(f, low->symbol), last = label(f, high->symbol);
    return first && last ? Range{*first, *last} : whole;
  }

  /// Where an expression says that the variable is.
  void place(const debug::Section& in, size_t at, size_t bytes, Range where, SourceVariable& v) const {
    DwarfReader r{std::string_view(in.bytes).substr(0, at + bytes), at};
    const auto op = r.fixed<uint8_t>();
    if (op == op_register) {
      v.held.push_back({register_name(r.uleb()), where.first, where.last});
    } else if (op == op_addr) {
      if (const auto it = in.symbols.find(r.at); it != in.symbols.end()) v.symbol = it->second;
      v.offset = r.fixed<uint64_t>();
      if (r.at < at + bytes && r.fixed<uint8_t>() == op_plus_constant) v.offset += r.uleb();
    }
  }

  void location(const debug::Value& v, Range scope, SourceVariable& to) const {
    if (v.block_bytes) return place(entries.info(), v.block, v.block_bytes, scope, to);
    const debug::Section& loc = entries.loc();
    DwarfReader r{loc.bytes, size_t(v.number)};
    for (;;) {
      const size_t begin_at = r.at;
      const auto begin = r.fixed<uint64_t>();
      const size_t end_at = r.at;
      const auto end = r.fixed<uint64_t>();
      const auto from = loc.symbols.find(begin_at), until = loc.symbols.find(end_at);
      if (r.bad || (!begin && !end && from == loc.symbols.end() && until == loc.symbols.end())) return;
      const uint64_t bytes = r.fixed<uint16_t>();
      const size_t at = r.at;
      r.skip(bytes);
      if (r.bad || from == loc.symbols.end() || until == loc.symbols.end()) return;
      const auto first = label(f, from->second), last = label(f, until->second);
      if (first && last) place(loc, at, bytes, {*first, *last}, to);
    }
  }

  /// Bytes of a type, and the extents of an array.
  void type(const debug::Entry* t, SourceVariable& v, int depth = 0) const {
    if (!t || depth > 16) return;
    if (t->tag == debug::tag_pointer || t->tag == debug::tag_reference) {
      v.element_bytes = 8;
      return;
    }
    if (t->tag == debug::tag_array) {
      const int self = int(t - entries.all.data());
      for (size_t k = size_t(self) + 1; k < entries.all.size() && entries.all[k].parent >= self; ++k) {
        const debug::Entry& e = entries.all[k];
        if (e.parent != self || e.tag != debug::tag_subrange) continue;
        if (const debug::Value* n = e.find(debug::at_count))
          v.extents.push_back(n->number);
        else if (const debug::Value* top = e.find(debug::at_upper_bound))
          v.extents.push_back(top->number + 1);
      }
    } else if (const debug::Value* n = t->find(debug::at_byte_size)) {
      v.element_bytes = n->number;
      return;
    }
    type(entries.at(t->find(debug::at_type)), v, depth + 1);
  }

  void variables(int self, Range scope, std::vector<SourceVariable>& out) const {
    for (size_t k = size_t(self) + 1; k < entries.all.size() && entries.all[k].parent >= self; ++k) {
      const debug::Entry& e = entries.all[k];
      if (e.parent != self) continue;
      if (e.tag == debug::tag_lexical_block || e.tag == debug::tag_inlined) {
        variables(int(k), range_of(e, scope), out);
        continue;
      }
      if (e.tag != debug::tag_variable && e.tag != debug::tag_parameter) continue;
      const debug::Value *name = entries.find(e, debug::at_name), *where = e.find(debug::at_location);
      if (!name || name->text.empty() || !where) continue;
      SourceVariable v;
      v.name = name->text;
      if (const debug::Value* line = entries.find(e, debug::at_line)) v.line = int(line->number);
      type(entries.at(entries.find(e, debug::at_type)), v);
      location(*where, scope, v);
      if (!v.held.empty() || !v.symbol.empty()) out.push_back(std::move(v));
    }
  }
};

}  // namespace

std::vector<std::vector<SourceVariable>> source_variables(const Module& m) {
  std::vector<std::vector<SourceVariable>> out(m.functions.size());
  const debug::Entries entries(m.text);
  for (size_t k = 0; k < entries.all.size(); ++k) {
    const debug::Entry& e = entries.all[k];
    if (e.tag != debug::tag_subprogram) continue;
    const debug::Value* name = entries.find(e, debug::at_linkage_name);
    if (!name) name = entries.find(e, debug::at_name);
    const auto it = name ? m.function_by_name.find(std::string(name->text)) : m.function_by_name.end();
    if (it == m.function_by_name.end()) continue;
    const Function& f = m.functions[it->second];
    if (!f.defined || !out[it->second].empty()) continue;
    const FunctionReader reader{entries, f};
    const Range whole{0, uint32_t(f.code.size())};
    reader.variables(int(k), reader.range_of(e, whole), out[it->second]);
  }
  return out;
}

std::vector<std::string> variables_in(const std::vector<SourceVariable>& all, std::string_view reg,
                                      uint32_t instruction) {
  std::vector<std::string> here, anywhere;
  const auto add = [](std::vector<std::string>& to, const std::string& name) {
    if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
  };
  for (const SourceVariable& v : all)
    for (const SourceVariable::Held& h : v.held) {
      if (h.reg != reg) continue;
      add(anywhere, v.name);
      if (h.first <= instruction && instruction < h.last) add(here, v.name);
    }
  return here.empty() ? anywhere : here;
}

std::string element_of(const SourceVariable& v, int64_t bytes) {
  if (v.extents.empty() || !v.element_bytes || bytes % int64_t(v.element_bytes)) return {};
  int64_t index = bytes / int64_t(v.element_bytes);
  std::string text;
  for (size_t k = v.extents.size(); k-- > 0;) {
    const int64_t extent = k ? int64_t(std::max<uint64_t>(1, v.extents[k])) : 0;
    const int64_t at = extent ? (index % extent + extent) % extent : index;
    text.insert(0, "[" + std::to_string(at) + "]");
    if (extent) index = (index - at) / extent;
  }
  return v.name + text;
}

}  // namespace dojo::ptx
