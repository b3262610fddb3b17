#pragma once
// What the line number programs of DWARF 2 to 5 have in common (https://dwarfstd.org, section 6.2): their
// bytes, the numbers of their header, and their execution. Whose program it is decides what becomes of its
// rows.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace dojo::ptx {

/// Bytes with a position; reads beyond the end give 0 and set `bad`.
struct DwarfReader {
  std::string_view b;
  size_t at = 0;
  bool bad = false;
  template <class T>
  T fixed() {
    T v{};
    if (at > b.size() || b.size() - at < sizeof(T))
      bad = true, at = b.size();
    else
      std::memcpy(&v, b.data() + at, sizeof(T)), at += sizeof(T);
    return v;
  }
  uint64_t uleb() {
    uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto x = fixed<uint8_t>();
      if (shift < 64) v |= uint64_t(x & 0x7F) << shift;
      if (!(x & 0x80) || bad) return v;
    }
  }
  int64_t sleb() {
    uint64_t v = 0;
    for (unsigned shift = 0;;) {
      const auto x = fixed<uint8_t>();
      if (shift < 64) v |= uint64_t(x & 0x7F) << shift;
      shift += 7;
      if (!(x & 0x80) || bad) {
        if (shift < 64 && (x & 0x40)) v |= ~uint64_t(0) << shift;
        return int64_t(v);
      }
    }
  }
  std::string_view text() {
    if (at >= b.size()) return bad = true, std::string_view();
    const std::string_view s = b.substr(at, strnlen(b.data() + at, b.size() - at));
    at = std::min(b.size(), at + s.size() + 1);
    return s;
  }
  void skip(uint64_t n) {
    if (n > b.size() - std::min(at, b.size())) bad = true, n = 0;
    at += n;
  }
};

/// The numbers of a header that the execution needs.
struct LineHeader {
  uint8_t step = 0, range = 0, first_special = 0;
  int8_t base = 0;
  std::vector<uint8_t> operands;  ///< how many each standard operation has, by its number
};

/// Reads them, from the minimum instruction length on.
inline LineHeader read_line_header(DwarfReader& r, int version) {
  LineHeader h;
  h.step = r.fixed<uint8_t>();
  if (version >= 4) r.skip(1);  // operations per instruction
  r.skip(1);                    // default is_stmt
  h.base = r.fixed<int8_t>();
  h.range = r.fixed<uint8_t>(), h.first_special = r.fixed<uint8_t>();
  h.operands.assign(256, 0);
  for (int i = 1; i < h.first_special; ++i) h.operands[size_t(i)] = r.fixed<uint8_t>();
  return h;
}

/// Executes a program from the reader's position to `end`. `out.row(address, file, line, last)` takes its
/// rows; `last`: the sequence ends before this address. `out.address(reader)` reads an address that the
/// program sets.
template <class Out>
void execute_lines(DwarfReader& r, size_t end, const LineHeader& h, Out& out) {
  uint64_t address = 0, file = 1;
  int64_t line = 1;
  const auto row = [&](bool last) {
    out.row(address, file, int(std::clamp<int64_t>(line, 0, 1 << 30)), last);
  };
  while (r.at < end && !r.bad) {
    const auto op = r.fixed<uint8_t>();
    if (op >= h.first_special) {
      address += uint64_t((op - h.first_special) / h.range) * h.step;
      line += h.base + (op - h.first_special) % h.range;
      row(false);
      continue;
    }
    if (op == 0) {
      const uint64_t size = r.uleb();
      const size_t next = r.at + size;
      if (size == 0 || size > end - std::min(end, r.at)) return;
      const auto what = r.fixed<uint8_t>();
      if (what == 1) row(true), address = 0, file = 1, line = 1;
      if (what == 2) address = out.address(r);
      r.at = next;
      continue;
    }
    switch (op) {
      case 1:
        row(false);
        break;
      case 2:
        address += r.uleb() * h.step;
        break;
      case 3:
        line += r.sleb();
        break;
      case 4:
        file = r.uleb();
        break;
      case 8:
        address += uint64_t((255 - h.first_special) / h.range) * h.step;
        break;
      case 9:
        address += r.fixed<uint16_t>();
        break;
      default:
        for (int i = 0; i < h.operands[op]; ++i) r.uleb();
    }
  }
}

}  // namespace dojo::ptx
