#include "core/text/nearest.hpp"

#include <algorithm>

namespace dojo {

size_t edit_distance(const std::string& a, const std::string& b) {
  // Rows i - 2, i - 1 and i of the table of prefixes.
  std::vector<size_t> before, above, row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::move(above);
    above = row;
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest_word(const std::string& wanted, const std::vector<std::string>& candidates) {
  std::string best;
  size_t least = (wanted.size() + 2) / 3 + 1;
  for (const auto& c : candidates)
    if (const size_t d = edit_distance(wanted, c); d < least) least = d, best = c;
  return best;
}

}  // namespace dojo
