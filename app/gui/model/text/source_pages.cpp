#include "gui/model/text/source_pages.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/text/word_char.hpp"

namespace dojo::gui {

namespace {
constexpr int tab_width = 4;
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Is this byte part of a name, a number or a word? A letter beyond ASCII is one.
bool in_word(char c) { return is_word_char(c) || static_cast<unsigned char>(c) >= 0x80; }

/// The column behind bytes [from, to) that begin at a column.
int column_behind(const std::string& s, int from, int to, int column) {
  for (int i = from; i < to && i < int(s.size()); ++i) {
    if (s[size_t(i)] == '\t')
      column += tab_width - column % tab_width;
    else if (!continues(s[size_t(i)]))
      column += is_wide(code_point_at(s, i)) ? 2 : 1;
  }
  return column;
}

/// May a line be broken between these two characters? Before a word, and behind a space or a comma.
bool parts(char a, char b) {
  if (b == ' ' || b == '\t' || continues(b)) return false;
  return a == ' ' || a == '\t' || a == ',' || a == ';' || (!in_word(a) && in_word(b));
}

/// Where a row that begins at `from` and has room as far as `to` ends: behind a space in its second half,
/// else between two words, else inside one. `first`: the line's first byte that is no blank; a row has more
/// than blanks.
int row_end(const std::string& s, int from, int to, int first) {
  int between = to;
  for (int at = to; at > std::max(from, first); --at) {
    if (s[size_t(at - 1)] == ' ' && s[size_t(at)] != ' ' && at - from > (to - from) / 2) return at;
    if (between == to && parts(s[size_t(at - 1)], s[size_t(at)])) between = at;
  }
  return between;
}

std::vector<SourcePages::Row> rows_of(const std::vector<std::string>& lines, int columns) {
  std::vector<SourcePages::Row> out;
  for (int l = 0; l < int(lines.size()); ++l) {
    const std::string& s = lines[size_t(l)];
    const int indent = SourcePages::indent(s, columns), end = int(s.size()),
              first = int(std::min(s.size(), s.find_first_not_of(" \t")));
    int from = 0, start = 0;  // the row's first byte, and its column
    do {
      const int room = std::max(1, from ? columns - indent : columns);
      int to = from, column = start;
      while (to < end) {
        int next = to + 1;
        while (next < end && continues(s[size_t(next)])) ++next;
        const int behind = column_behind(s, to, next, column);
        if (behind - start > room && to > from) break;
        to = next, column = behind;
      }
      if (to < end) to = row_end(s, from, to, first), column = column_behind(s, from, to, start);
      out.push_back({l, from, to});
      from = to, start = column;
    } while (from < end);
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

/// Where the last part of a line that is set off by spaces begins; 0: it has none.
int last_part(const std::string& s) {
  const size_t gap = s.find_last_not_of(' ') == std::string::npos ? std::string::npos
                                                                  : s.rfind("  ", s.find_last_not_of(' '));
  return gap == std::string::npos || s.find_first_not_of(' ') > gap ? 0 : int(gap) + 2;
}
}  // namespace

unsigned code_point_at(const std::string& s, int byte) {
  const auto at = [&](int k) { return k < int(s.size()) ? static_cast<unsigned char>(s[size_t(k)]) : 0u; };
  const unsigned first = at(byte);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  unsigned out = more ? first & (0x3Fu >> more) : first;
  for (int k = 1; k <= more; ++k) {
    if ((at(byte + k) & 0xC0) != 0x80) return first;
    out = out << 6 | (at(byte + k) & 0x3F);
  }
  return out;
}

bool is_wide(unsigned c) {
  constexpr std::pair<unsigned, unsigned> blocks[] = {
      {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x4DBF},  {0x4E00, 0xA4CF}, {0xA960, 0xA97F},
      {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},  {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6},
      {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
  return c >= blocks[0].first && std::any_of(std::begin(blocks), std::end(blocks),
                                             [&](auto& b) { return c >= b.first && c <= b.second; });
}

int columns_of(const std::string& s, int bytes) { return column_behind(s, 0, bytes, 0); }

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
    // The pages that it takes in any case are filled: as large a type as needs no more of them.
    const auto pages_of = [&](float type) {
      const int count = int(rows_of(lines, fit(columns, type)).size()) - fit(rows, type),
                each = fit(later, type);
      return 1 + std::max(0, (count + each - 1) / each);
    };
    const int least_pages = pages_of(out.type);
    const float widest = type_of(lines, columns, least);  // lines that were whole stay whole
    float larger = out.type;
    for (float type = out.type; least_pages > 1 && type <= widest + 1e-3f; type += 0.02f)
      if (pages_of(type) <= least_pages) larger = type;
    if (larger > out.type) out.type = larger, all = rows_of(lines, fit(columns, out.type));
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

std::vector<FigureRow> set_figure(const std::vector<std::string>& lines, int columns) {
  constexpr double least_share =
      0.3;  // of the room, for a part that is broken: else it gets a column of words
  std::vector<FigureRow> out;
  for (int l = 0; l < int(lines.size()); ++l) {
    const std::string& s = lines[size_t(l)];
    const int end = int(s.size());
    if (columns_of(s, end) <= columns) {
      out.push_back({l, 0, end, 0});
      continue;
    }
    const int part = last_part(s), column = columns_of(s, part), room = columns - column;
    if (!part || room < least_share * columns) return {};
    for (int from = part, to = part; from < end; from = to) {
      // As many words as there is room for.
      for (int next = from; next < end;) {
        const size_t space = s.find(' ', size_t(next));
        const int word_end = space == std::string::npos ? end : int(space);
        if (columns_of(s, word_end) - columns_of(s, from) > room) break;
        to = word_end;
        next = word_end + 1;
      }
      if (to == from) return {};  // a word wider than the room
      out.push_back({l, from == part ? 0 : from, to, from == part ? 0 : column});
      while (to < end && s[size_t(to)] == ' ') ++to;
    }
  }
  return out;
}

int longest_line(const std::vector<std::string>& lines) {
  int longest = 1;
  for (auto& l : lines) longest = std::max(longest, columns_of(l, int(l.size())));
  return longest;
}

double broken_columns(const std::vector<std::string>& lines) {
  int least = longest_line(lines);
  while (least > 20 && !set_figure(lines, least - 1).empty()) --least;
  return least * legible_broken;
}

FittedFigure fit_figure(const std::vector<std::string>& lines, double columns) {
  FittedFigure out;
  if (lines.empty()) return out;
  const auto set = [&](double type) {
    out.type = type;
    out.rows = set_figure(lines, int(columns / type + 1e-3));
    return !out.rows.empty();
  };
  const double whole = columns / longest_line(lines);
  if (set(std::clamp(whole, legible_figure, 1.0))) return out;
  for (double type = usual_figure; type > smallest_figure; type -= 0.04)
    if (set(type)) return out;
  if (set(smallest_figure)) return out;
  out.fits = false, out.type = usual_figure;
  for (int l = 0; l < int(lines.size()); ++l) out.rows.push_back({l, 0, int(lines[size_t(l)].size()), 0});
  return out;
}

}  // namespace dojo::gui
