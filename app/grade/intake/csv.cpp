#include "grade/intake/csv.hpp"

#include <algorithm>
#include <cctype>

#include "core/error.hpp"

namespace dojo::grade {
namespace {

/// A spreadsheet takes a cell that starts like this for a formula.
bool like_a_formula(const std::string& s) {
  return !s.empty() && std::string("=+-@").find(s[0]) != std::string::npos;
}

std::vector<std::string> split_cells(const std::string& line, char comma) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted) {
      if (c == '"' && i + 1 < line.size() && line[i + 1] == '"')
        out.back() += line[++i];
      else if (c == '"')
        quoted = false;
      else
        out.back() += c;
    } else if (c == '"') {
      quoted = true;
    } else if (c == comma) {
      out.emplace_back();
    } else if (c != '\r') {
      out.back() += c;
    }
  }
  return out;
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
  auto out = split_cells(line, ',');
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
    const int first = ++number;
    size_t end = std::min(text.find('\n', at), text.size());
    // A quoted cell may hold line ends.
    while (end < text.size() && std::count(text.begin() + long(at), text.begin() + long(end), '"') % 2 != 0) {
      end = std::min(text.find('\n', end + 1), text.size());
      ++number;
    }
    const std::string line = text.substr(at, end - at);
    if (std::count(line.begin(), line.end(), '"') % 2 != 0)
      throw Error(file_name + ":" + std::to_string(first) + ": a quote is never closed");
    at = end + 1;
    if (folded(line).empty()) continue;
    if (place_.empty()) {
      if (line.find(',') == std::string::npos && line.find(';') != std::string::npos) comma = ';';
      const auto names = split_cells(line, comma);
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
    rows_.push_back(split_cells(line, comma));
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
