#include "gui/model/source_pages.hpp"

#include <algorithm>
#include <cmath>

namespace dojo::gui {

namespace {
constexpr int tab_width = 4;
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::vector<SourcePages::Row> rows_of(const std::vector<std::string>& lines, int columns) {
  std::vector<SourcePages::Row> out;
  for (int l = 0; l < int(lines.size()); ++l) {
    const std::string& s = lines[size_t(l)];
    const int indent = SourcePages::indent(s, columns);
    int from = 0, start = 0;  // the row's first byte, and its column
    do {
      const int room = std::max(1, from ? columns - indent : columns);
      int to = from, at_space = 0, column = start;
      while (to < int(s.size())) {
        int next = to + 1;
        while (next < int(s.size()) && continues(s[size_t(next)])) ++next;
        const int behind = s[size_t(to)] == '\t' ? column + tab_width - column % tab_width : column + 1;
        if (behind - start > room && to > from) break;
        to = next, column = behind;
        if (s[size_t(to - 1)] == ' ') at_space = to;
      }
      // Between words where there is a place in the row's second half.
      if (to < int(s.size()) && at_space > from && columns_of(s, at_space) - start > room / 2) to = at_space;
      out.push_back({l, from, to});
      from = to, start = columns_of(s, to);
    } while (from < int(s.size()));
  }
  return out;
}

int fit(int all, float type) { return std::max(1, int(std::floor(float(all) / type + 1e-3f))); }

/// Type in which the longest line goes into `columns`, as far as `least`.
float type_of(const std::vector<std::string>& lines, int columns, float least) {
  int longest = 1;
  for (auto& l : lines) longest = std::max(longest, columns_of(l, int(l.size())));
  return std::clamp(float(columns) / float(longest), least, 1.0f);
}
}  // namespace

int columns_of(const std::string& s, int bytes) {
  int c = 0;
  for (int i = 0; i < bytes && i < int(s.size()); ++i) {
    if (s[size_t(i)] == '\t')
      c += tab_width - c % tab_width;
    else if (!continues(s[size_t(i)]))
      ++c;
  }
  return c;
}

int SourcePages::indent(const std::string& line, int columns) {
  const size_t first = line.find_first_not_of(" \t");
  return first == std::string::npos ? 0 : std::min(columns_of(line, int(first)) + 4, columns / 2);
}

SourcePages set_pages(const std::vector<std::string>& lines, int columns, int rows, float least, int later) {
  columns = std::max(8, columns), rows = std::max(1, rows), later = later > 0 ? later : rows;
  SourcePages out;
  out.type = type_of(lines, columns, least);
  auto all = rows_of(lines, fit(columns, out.type));
  // Too many rows: type for one page, or as small as it may be.
  if (int(all.size()) > fit(rows, out.type)) {
    out.type = std::max(least, std::min(out.type, float(rows) / float(all.size())));
    all = rows_of(lines, fit(columns, out.type));
  }
  size_t each = size_t(fit(rows, out.type));
  for (size_t at = 0; at < all.size();) {
    const size_t to = std::min(all.size(), at + each);
    out.pages.emplace_back(all.begin() + long(at), all.begin() + long(to));
    at = to;
    each = size_t(fit(later, out.type));
  }
  if (out.pages.empty()) out.pages.emplace_back();
  return out;
}

SourceSheet set_sheet(const std::vector<std::string>& lines, int columns) {
  return {rows_of(lines, std::max(8, columns))};
}

}  // namespace dojo::gui
