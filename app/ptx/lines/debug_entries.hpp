#pragma once
// The debug information that a PTX text carries (DWARF 2 to 4 in .section directives): its sections' bytes
// and the tree of entries in .debug_info. https://dwarfstd.org, DWARF 4, sections 7.5 and 7.6.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/lines/line_program.hpp"

namespace dojo::ptx::debug {

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

/// A section's bytes; where its text has a label or symbol, that stands in `symbols` and the bytes hold what
/// is added to it.
struct Section {
  std::string bytes;
  std::map<size_t, std::string> symbols;
  std::map<std::string, size_t, std::less<>> labels;
};

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
  explicit Entries(std::string_view ptx);

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
  void read_abbreviations();

  Value value(DwarfReader& r, uint64_t form);

  void read();

  Section info_, abbrev_, loc_, str_;
  std::map<uint64_t, Abbreviation> abbreviations_;
  std::map<uint64_t, uint32_t> by_offset_;
};

}  // namespace dojo::ptx::debug
