#include "ptx/lines/source_variables.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>

#include "ptx/lines/line_program.hpp"

namespace dojo::ptx {
namespace {

// Names of the standard, as far as they are needed here.
enum Tag : uint64_t {
  tag_array = 0x01,
  tag_enumeration = 0x04,
  tag_parameter = 0x05,
  tag_lexical_block = 0x0b,
  tag_pointer = 0x0f,
  tag_reference = 0x10,
  tag_typedef = 0x16,
  tag_inlined = 0x1d,
  tag_subrange = 0x21,
  tag_const = 0x26,
  tag_subprogram = 0x2e,
  tag_variable = 0x34,
  tag_volatile = 0x35,
};
enum Attribute : uint64_t {
  at_location = 0x02,
  at_name = 0x03,
  at_byte_size = 0x0b,
  at_low_pc = 0x11,
  at_high_pc = 0x12,
  at_upper_bound = 0x2f,
  at_abstract_origin = 0x31,
  at_count = 0x37,
  at_line = 0x3b,
  at_type = 0x49,
  at_linkage_name = 0x2007,
};
constexpr uint8_t op_addr = 0x03, op_plus_constant = 0x23, op_register = 0x90;

/// A section's bytes; where its text has a label or symbol, that stands in `symbols` and the bytes hold what
/// is added to it.
struct Section {
  std::string bytes;
  std::map<size_t, std::string> symbols;
  std::map<std::string, size_t, std::less<>> labels;
};

bool word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.' || c == '%';
}

/// Reads the directives between the braces of a section. False: something else is there.
bool read_section(std::string_view text, Section& out) {
  size_t at = 0;
  const auto blank = [&] {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  };
  const auto word = [&] {
    const size_t from = at;
    while (at < text.size() && word_char(text[at])) ++at;
    return text.substr(from, at - from);
  };
  for (blank(); at < text.size(); blank()) {
    const std::string_view directive = word();
    if (directive.empty()) return false;
    if (at < text.size() && text[at] == ':') {
      out.labels.emplace(directive, out.bytes.size());
      ++at;
      continue;
    }
    const int size = directive == ".b8"    ? 1
                     : directive == ".b16" ? 2
                     : directive == ".b32" ? 4
                     : directive == ".b64" ? 8
                                           : 0;
    if (!size) return false;
    for (;;) {
      blank();
      const bool minus = at < text.size() && text[at] == '-';
      if (minus) ++at;
      std::string_view value = word();
      if (value.empty()) return false;
      uint64_t number = 0;
      if (!std::isdigit(static_cast<unsigned char>(value[0]))) {
        out.symbols[out.bytes.size()] = value;
        blank();
        value = {};
        if (at < text.size() && text[at] == '+') {
          ++at;
          blank();
          value = word();
        }
      }
      const bool hex = value.starts_with("0x");
      if (hex) value.remove_prefix(2);
      std::from_chars(value.data(), value.data() + value.size(), number, hex ? 16 : 10);
      if (minus) number = uint64_t(0) - number;
      for (int k = 0; k < size; ++k) out.bytes += char(number >> (8 * k) & 255);
      blank();
      if (at >= text.size() || text[at] != ',') break;
      ++at;
    }
  }
  return true;
}

/// The first section of that name in PTX text.
bool find_section(std::string_view ptx, std::string_view name, Section& out) {
  for (size_t at = 0; (at = ptx.find(".section", at)) != ptx.npos;) {
    at += 8;
    size_t from = at;
    while (from < ptx.size() && std::isspace(static_cast<unsigned char>(ptx[from]))) ++from;
    if (ptx.substr(from, name.size()) != name || from + name.size() >= ptx.size() ||
        word_char(ptx[from + name.size()]))
      continue;
    const size_t open = ptx.find('{', from), close = open == ptx.npos ? open : ptx.find('}', open);
    if (close == ptx.npos) return false;
    return read_section(ptx.substr(open + 1, close - open - 1), out);
  }
  return false;
}

/// An attribute's value: a number, a text, a block of bytes, or a symbol with what is added to it.
struct Value {
  uint64_t form = 0, number = 0;
  std::string_view text;
  std::string symbol;
  size_t block = 0, block_bytes = 0;  ///< in the section's bytes
};

struct Entry {
  uint64_t tag = 0;
  int parent = -1;
  std::map<uint64_t, Value> has;
  const Value* find(uint64_t attribute) const {
    const auto it = has.find(attribute);
    return it == has.end() ? nullptr : &it->second;
  }
};

struct Abbreviation {
  uint64_t tag = 0;
  bool children = false;
  std::vector<std::pair<uint64_t, uint64_t>> attributes;  ///< with their forms
};

/// The tree of entries of .debug_info.
class Entries {
 public:
  explicit Entries(std::string_view ptx) {
    if (!find_section(ptx, ".debug_info", info_) || !find_section(ptx, ".debug_abbrev", abbrev_)) return;
    find_section(ptx, ".debug_loc", loc_);
    find_section(ptx, ".debug_str", str_);
    read_abbreviations();
    read();
  }

  std::vector<Entry> all;
  const Section& info() const { return info_; }
  const Section& loc() const { return loc_; }

  /// The entry that an attribute refers to, or null.
  const Entry* at(const Value* v) const {
    if (!v) return nullptr;
    const auto it = by_offset_.find(v->number);
    return it == by_offset_.end() ? nullptr : &all[it->second];
  }
  /// An attribute of the entry or of the abstract entry behind it.
  const Value* find(const Entry& e, uint64_t attribute) const {
    if (const Value* v = e.find(attribute)) return v;
    const Entry* behind = at(e.find(at_abstract_origin));
    return behind && behind != &e ? behind->find(attribute) : nullptr;
  }

 private:
  void read_abbreviations() {
    DwarfReader r{abbrev_.bytes};
    while (!r.bad && r.at < r.b.size()) {
      const uint64_t code = r.uleb();
      if (!code) continue;
      Abbreviation a;
      a.tag = r.uleb();
      a.children = r.fixed<uint8_t>();
      for (;;) {
        const uint64_t attribute = r.uleb(), form = r.uleb();
        if (r.bad || (!attribute && !form)) break;
        a.attributes.emplace_back(attribute, form);
      }
      abbreviations_.emplace(code, std::move(a));
    }
  }

  Value value(DwarfReader& r, uint64_t form) {
    Value v;
    v.form = form;
    const size_t from = r.at;
    const auto block = [&](uint64_t n) {
      v.block = r.at, v.block_bytes = n;
      r.skip(n);
    };
    switch (form) {
      case 0x01:  // an address
      case 0x07:
      case 0x14:
        v.number = r.fixed<uint64_t>();
        break;
      case 0x03:
        block(r.fixed<uint16_t>());
        break;
      case 0x04:
        block(r.fixed<uint32_t>());
        break;
      case 0x09:
      case 0x18:
        block(r.uleb());
        break;
      case 0x0a:
        block(r.fixed<uint8_t>());
        break;
      case 0x05:
      case 0x12:
        v.number = r.fixed<uint16_t>();
        break;
      case 0x06:
      case 0x0e:
      case 0x10:
      case 0x13:
      case 0x17:
        v.number = r.fixed<uint32_t>();
        break;
      case 0x0b:
      case 0x0c:
      case 0x11:
        v.number = r.fixed<uint8_t>();
        break;
      case 0x08:
        v.text = r.text();
        break;
      case 0x0d:
        v.number = uint64_t(r.sleb());
        break;
      case 0x0f:
      case 0x15:
        v.number = r.uleb();
        break;
      case 0x19:
        v.number = 1;
        break;
      default:
        r.bad = true;
    }
    if (const auto it = info_.symbols.find(from); it != info_.symbols.end() && form != 0x08)
      v.symbol = it->second;
    if (form == 0x0e) {
      uint64_t at = v.number;
      if (const auto it = str_.labels.find(v.symbol); it != str_.labels.end()) at += it->second;
      DwarfReader s{str_.bytes, size_t(at)};
      v.text = s.text();
    }
    return v;
  }

  void read() {
    DwarfReader r{info_.bytes};
    while (!r.bad && r.at < r.b.size()) {
      const size_t unit = r.at;
      const uint64_t end = unit + 4 + r.fixed<uint32_t>();
      const int version = r.fixed<uint16_t>();
      r.skip(4 + 1);  // where the abbreviations begin, and bytes of an address
      if (version < 2 || version > 4 || end > r.b.size()) return;
      std::vector<int> parents{-1};
      while (!r.bad && r.at < end) {
        const size_t offset = r.at;
        const uint64_t code = r.uleb();
        if (!code) {
          if (parents.size() > 1) parents.pop_back();
          continue;
        }
        const auto a = abbreviations_.find(code);
        if (a == abbreviations_.end()) return;
        Entry e;
        e.tag = a->second.tag;
        e.parent = parents.back();
        for (const auto& [attribute, form] : a->second.attributes) {
          Value v = value(r, form);
          // References count from the unit's start.
          if (form >= 0x11 && form <= 0x15) v.number += unit;
          e.has.emplace(attribute, std::move(v));
        }
        by_offset_.emplace(offset, uint32_t(all.size()));
        if (a->second.children) parents.push_back(int(all.size()));
        all.push_back(std::move(e));
      }
    }
  }

  Section info_, abbrev_, loc_, str_;
  std::map<uint64_t, Abbreviation> abbreviations_;
  std::map<uint64_t, uint32_t> by_offset_;
};

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
  const Entries& entries;
  const Function& f;

  Range range_of(const Entry& e, Range whole) const {
    const Value *low = e.find(at_low_pc), *high = e.find(at_high_pc);
    if (!low || !high) return whole;
    const auto first = label(f, low->symbol), last = label(f, high->symbol);
    return first && last ? Range{*first, *last} : whole;
  }

  /// Where an expression says that the variable is.
  void place(const Section& in, size_t at, size_t bytes, Range where, SourceVariable& v) const {
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

  void location(const Value& v, Range scope, SourceVariable& to) const {
    if (v.block_bytes) return place(entries.info(), v.block, v.block_bytes, scope, to);
    const Section& loc = entries.loc();
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
  void type(const Entry* t, SourceVariable& v, int depth = 0) const {
    if (!t || depth > 16) return;
    if (t->tag == tag_pointer || t->tag == tag_reference) {
      v.element_bytes = 8;
      return;
    }
    if (t->tag == tag_array) {
      const int self = int(t - entries.all.data());
      for (size_t k = size_t(self) + 1; k < entries.all.size() && entries.all[k].parent >= self; ++k) {
        const Entry& e = entries.all[k];
        if (e.parent != self || e.tag != tag_subrange) continue;
        if (const Value* n = e.find(at_count))
          v.extents.push_back(n->number);
        else if (const Value* top = e.find(at_upper_bound))
          v.extents.push_back(top->number + 1);
      }
    } else if (const Value* n = t->find(at_byte_size)) {
      v.element_bytes = n->number;
      return;
    }
    type(entries.at(t->find(at_type)), v, depth + 1);
  }

  void variables(int self, Range scope, std::vector<SourceVariable>& out) const {
    for (size_t k = size_t(self) + 1; k < entries.all.size() && entries.all[k].parent >= self; ++k) {
      const Entry& e = entries.all[k];
      if (e.parent != self) continue;
      if (e.tag == tag_lexical_block || e.tag == tag_inlined) {
        variables(int(k), range_of(e, scope), out);
        continue;
      }
      if (e.tag != tag_variable && e.tag != tag_parameter) continue;
      const Value *name = entries.find(e, at_name), *where = e.find(at_location);
      if (!name || name->text.empty() || !where) continue;
      SourceVariable v;
      v.name = name->text;
      if (const Value* line = entries.find(e, at_line)) v.line = int(line->number);
      type(entries.at(entries.find(e, at_type)), v);
      location(*where, scope, v);
      if (!v.held.empty() || !v.symbol.empty()) out.push_back(std::move(v));
    }
  }
};

}  // namespace

std::vector<std::vector<SourceVariable>> source_variables(const Module& m) {
  std::vector<std::vector<SourceVariable>> out(m.functions.size());
  const Entries entries(m.text);
  for (size_t k = 0; k < entries.all.size(); ++k) {
    const Entry& e = entries.all[k];
    if (e.tag != tag_subprogram) continue;
    const Value* name = entries.find(e, at_linkage_name);
    if (!name) name = entries.find(e, at_name);
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
