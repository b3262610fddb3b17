#include "ptx/lines/sass_lines.hpp"

#include <algorithm>

#include "ptx/lines/line_program.hpp"

namespace dojo::ptx {
namespace {

struct Row {
  uint64_t address;
  int line;
};

/// Keeps the rows whose addresses lie in one section.
struct SectionRows {
  std::span<const LineRelocation> relocations;
  std::span<const LineSymbol> symbols;
  uint32_t section;
  std::vector<Row> rows = {};
  bool ours = false;

  void row(uint64_t address, uint64_t, int line, bool last) {
    if (ours && !last) rows.push_back({address, line});
    ours &= !last;
  }
  uint64_t address(DwarfReader& r) {
    const uint64_t where = r.at;
    uint64_t address = r.fixed<uint64_t>();
    ours = false;
    for (const LineRelocation& x : relocations) {
      if (x.at != where || x.symbol >= symbols.size()) continue;
      const LineSymbol& y = symbols[x.symbol];
      ours = y.section == section;
      address = y.value + (x.in_place ? address : uint64_t(x.addend));
    }
    return address;
  }
};

}  // namespace

void read_lines(std::span<const std::byte> program, std::span<const LineRelocation> relocations,
                std::span<const LineSymbol> symbols, uint32_t section, SassFunction& f) {
  SectionRows found{relocations, symbols, section};
  DwarfReader r{{reinterpret_cast<const char*>(program.data()), program.size()}};
  while (r.at < program.size() && !r.bad) {
    const uint64_t length = r.fixed<uint32_t>();
    if (length > program.size() - r.at) break;
    const size_t end = r.at + length;
    r.fixed<uint16_t>();  // version: 2
    const uint32_t size = r.fixed<uint32_t>();
    const size_t start = r.at + size;
    const LineHeader header = read_line_header(r, 2);
    if (r.bad || start > end || header.range == 0) break;
    r.at = start;
    found.ours = false;
    execute_lines(r, end, header, found);
    r.at = end;
  }
  std::vector<Row>& rows = found.rows;
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
