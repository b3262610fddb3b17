#include "core/text/csv.hpp"

namespace dojo {

CsvRow next_csv_row(std::string_view text, size_t& at, char separator) {
  CsvRow row{{{}}};
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c != '"')
        row.cells.back() += c;
      else if (at + 1 < text.size() && text[at + 1] == '"')
        row.cells.back() += text[++at];
      else
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == separator) {
      row.cells.emplace_back();
    } else if (c == '\n') {
      ++at;
      break;
    } else if (c != '\r') {
      row.cells.back() += c;
    }
  }
  row.closed = !quoted;
  return row;
}

}  // namespace dojo
