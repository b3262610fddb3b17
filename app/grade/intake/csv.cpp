#include "grade/intake/csv.hpp"

#include <algorithm>
#include <cctype>

#include "core/error.hpp"
#include "core/text/csv.hpp"

namespace dojo::grade {
namespace {

/// A spreadsheet takes a cell that starts like this for a formula.
bool like_a_formula(const std::string& s) {
  return !s.empty() && std::string("=+-@").find(s[0]) != std::string::npos;
}

std::string folded(std::string s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.pop_back();
  s.erase(0, std::min(s.find_first_not_of(" \t"), s.size()));
  for (char& c : s) c = char(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

}  // namespace

std::string csv_cell(const std::string& text) {
  const std::string s = like_a_formula(text) ? "'" + text : text;
  if (s.find_first_of(",\"\r\n") == std::string::npos) return s;
  std::string out = "\"";
  for (char c : s)
    out += c == '"' ? std::string("\"\"") : c == '\n' || c == '\r' ? std::string(" ") : std::string(1, c);
  return out + "\"";
}

std::vector<std::string> csv_cells(const std::string& line) {
  size_t at = 0;
  auto out = next_csv_row(line, at).cells;
  for (auto& cell : out)
    if (cell.size() > 1 && cell[0] == '\'' && like_a_formula(cell.substr(1))) cell.erase(0, 1);
  return out;
}

CsvTable::CsvTable(const std::string& file_name, const std::string& text,
                   const std::vector<std::string>& columns, const std::vector<std::string>& needed)
    : columns_(columns) {
  int number = 0;
  char comma = ',';
  for (size_t at = text.rfind("\xEF\xBB\xBF", 0) == 0 ? 3 : 0; at < text.size();) {
    const int first = number + 1;
    const size_t from = at;
    CsvRow row = next_csv_row(text, at, comma);
    const std::string line = text.substr(from, at - from);
    number += int(std::max<long>(1, std::count(line.begin(), line.end(), '\n')));
    if (!row.closed) throw Error(file_name + ":" + std::to_string(first) + ": a quote is never closed");
    if (folded(line).empty()) continue;
    if (place_.empty()) {
      if (line.find(',') == std::string::npos && line.find(';') != std::string::npos) {
        comma = ';';
        at = from;
        row = next_csv_row(text, at, comma);
      }
      const auto& names = row.cells;
      for (const auto& c : columns_) {
        const auto it =
            std::find_if(names.begin(), names.end(), [&](const auto& n) { return folded(n) == c; });
        place_.push_back(it == names.end() ? -1 : int(it - names.begin()));
        if (it == names.end() && std::find(needed.begin(), needed.end(), c) != needed.end()) {
          std::string all;
          for (const auto& n : columns_) all += (all.empty() ? "" : ",") + n;
          throw Error(file_name + ":1: no column '" + c + "'; the first line is " + all);
        }
      }
      continue;
    }
    rows_.push_back(std::move(row.cells));
    lines_.push_back(first);
  }
}

std::string CsvTable::at(size_t row, const std::string& column) const {
  const auto it = std::find(columns_.begin(), columns_.end(), column);
  const int place = it == columns_.end() ? -1 : place_.at(size_t(it - columns_.begin()));
  if (place < 0 || size_t(place) >= rows_[row].size()) return {};
  std::string cell = rows_[row][size_t(place)];
  while (!cell.empty() && std::isspace(static_cast<unsigned char>(cell.back()))) cell.pop_back();
  cell.erase(0, std::min(cell.find_first_not_of(" \t"), cell.size()));
  return cell;
}

}  // namespace dojo::grade
