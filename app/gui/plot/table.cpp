#include "gui/plot/table.hpp"

namespace dojo::gui {

namespace {
void cell(std::string& out, const std::string& s) {
  if (s.find_first_of(",\"\n\r") == std::string::npos) {
    out += s;
    return;
  }
  out += '"';
  for (char c : s) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}
void line(std::string& out, const std::vector<std::string>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i) out += ',';
    cell(out, cells[i]);
  }
  out += '\n';
}
}  // namespace

std::string to_csv(const Table& t) {
  std::string out;
  line(out, t.columns);
  for (auto& r : t.rows) line(out, r);
  return out;
}

}  // namespace dojo::gui
