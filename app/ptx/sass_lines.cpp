#include "ptx/sass_lines.hpp"

#include <algorithm>
#include <cstring>

namespace dojo::ptx {
namespace {

/// Bytes with a position; reads beyond the end give 0 and set `bad`.
struct Reader {
  std::span<const std::byte> b;
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
      uint8_t x = fixed<uint8_t>();
      if (shift < 64) v |= uint64_t(x & 0x7F) << shift;
      if (!(x & 0x80) || bad) return v;
    }
  }
  int64_t sleb() {
    uint64_t v = 0;
    for (unsigned shift = 0;;) {
      uint8_t x = fixed<uint8_t>();
      if (shift < 64) v |= uint64_t(x & 0x7F) << shift;
      shift += 7;
      if (!(x & 0x80) || bad) {
        if (shift < 64 && (x & 0x40)) v |= ~uint64_t(0) << shift;
        return int64_t(v);
      }
    }
  }
  std::string_view text() {
    auto* p = reinterpret_cast<const char*>(b.data() + at);
    size_t n = strnlen(p, b.size() - at);
    at = std::min(b.size(), at + n + 1);
    return {p, n};
  }
};

struct Row {
  uint64_t address;
  int line;
};

}  // namespace

void read_lines(std::span<const std::byte> program, std::span<const LineRelocation> relocations,
                std::span<const LineSymbol> symbols, uint32_t section, SassFunction& f) {
  std::vector<Row> rows;
  std::vector<uint64_t> ends;
  Reader r{program};
  while (r.at < program.size() && !r.bad) {
    uint64_t length = r.fixed<uint32_t>();
    if (length > program.size() - r.at) break;
    size_t end = r.at + length;
    r.fixed<uint16_t>();  // version
    uint32_t header = r.fixed<uint32_t>();
    size_t start = r.at + header;
    uint8_t step = r.fixed<uint8_t>();
    r.fixed<uint8_t>();  // default is_stmt
    int8_t base = r.fixed<int8_t>();
    uint8_t range = r.fixed<uint8_t>(), first_special = r.fixed<uint8_t>();
    std::vector<uint8_t> operands(256, 0);
    for (int i = 1; i < first_special; ++i) operands[size_t(i)] = r.fixed<uint8_t>();
    if (r.bad || start > end || range == 0) break;
    r.at = start;

    uint64_t address = 0;
    int64_t line = 1;
    bool ours = false;
    auto row = [&] {
      if (ours) rows.push_back({address, int(std::clamp<int64_t>(line, 0, 1 << 30))});
    };
    while (r.at < end && !r.bad) {
      uint8_t op = r.fixed<uint8_t>();
      if (op >= first_special) {
        address += uint64_t((op - first_special) / range) * step;
        line += base + (op - first_special) % range;
        row();
      } else if (op == 0) {
        uint64_t size = r.uleb();
        size_t next = r.at + size;
        if (size == 0 || size > end - std::min(end, r.at)) break;
        uint8_t what = r.fixed<uint8_t>();
        if (what == 1) {  // end of sequence
          if (ours) ends.push_back(address);
          address = 0, line = 1, ours = false;
        } else if (what == 2) {  // set address
          uint64_t where = r.at;
          address = r.fixed<uint64_t>();
          ours = false;
          for (auto& x : relocations) {
            if (x.at != where || x.symbol >= symbols.size()) continue;
            auto& y = symbols[x.symbol];
            ours = y.section == section;
            address = y.value + (x.in_place ? address : uint64_t(x.addend));
          }
        }
        r.at = next;
      } else {
        switch (op) {
          case 1:
            row();
            break;
          case 2:
            address += r.uleb() * step;
            break;
          case 3:
            line += r.sleb();
            break;
          case 8:
            address += uint64_t((255 - first_special) / range) * step;
            break;
          case 9:
            address += r.fixed<uint16_t>();
            break;
          default:
            for (int i = 0; i < operands[op]; ++i) r.uleb();
        }
      }
    }
    r.at = end;
  }
  if (rows.empty()) return;
  f.has_lines = true;
  std::stable_sort(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.address < b.address; });
  size_t at = 0;
  int line = 0;
  for (auto& i : f.code) {
    while (at < rows.size() && rows[at].address <= i.address) line = rows[at++].line;
    i.ptx_line = line;
  }
}

}  // namespace dojo::ptx
