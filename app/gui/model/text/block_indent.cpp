#include "gui/model/text/block_indent.hpp"

#include <algorithm>

namespace dojo::gui {

int block_indent(const std::vector<std::string>& lines, int line) {
  for (int k = line - 1, open = 0; k >= 0; --k) {
    const std::string& s = lines[size_t(k)];
    for (size_t c = s.size(); c-- > 0;) {
      open += s[c] == '{' ? 1 : s[c] == '}' ? -1 : 0;
      if (open > 0) return int(std::min(s.find_first_not_of(' '), s.size()));
    }
  }
  return -1;
}

}  // namespace dojo::gui
