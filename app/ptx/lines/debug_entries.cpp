#include "ptx/lines/debug_entries.hpp"

#include <cctype>
#include <charconv>

namespace dojo::ptx::debug {
namespace {

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

}  // namespace

Entries::Entries(std::string_view ptx) {
  if (!find_section(ptx, ".debug_info", info_) || !find_section(ptx, ".debug_abbrev", abbrev_)) return;
  find_section(ptx, ".debug_loc", loc_);
  find_section(ptx, ".debug_str", str_);
  read_abbreviations();
  read();
}

void Entries::read_abbreviations() {
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

Value Entries::value(DwarfReader& r, uint64_t form) {
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

void Entries::read() {
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

}  // namespace dojo::ptx::debug
