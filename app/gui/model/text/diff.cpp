#include "gui/model/text/diff.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace dojo::gui {

namespace {
std::string_view bare(const std::string& s) {
  std::string_view v = s;
  while (!v.empty() && (v.back() == ' ' || v.back() == '\t' || v.back() == '\r')) v.remove_suffix(1);
  return v;
}
}  // namespace

std::vector<DiffLine> diff_lines(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<DiffLine> out;
  size_t head = 0, tail = 0;
  const size_t least = std::min(a.size(), b.size());
  while (head < least && bare(a[head]) == bare(b[head])) ++head;
  while (tail < least - head && bare(a[a.size() - 1 - tail]) == bare(b[b.size() - 1 - tail])) ++tail;
  const size_t n = a.size() - head - tail, m = b.size() - head - tail;
  for (size_t k = 0; k < head; ++k) out.push_back({DiffLine::same, int(k) + 1, int(k) + 1, b[k]});
  size_t i = 0, j = 0;
  if (n && m && n * m <= 16'000'000) {
    // longest[i][j]: of the rests from i and j on.
    std::vector<uint16_t> longest((n + 1) * (m + 1), 0);
    auto at = [&](size_t x, size_t y) -> uint16_t& { return longest[x * (m + 1) + y]; };
    for (size_t x = n; x-- > 0;)
      for (size_t y = m; y-- > 0;)
        at(x, y) = bare(a[head + x]) == bare(b[head + y]) ? uint16_t(at(x + 1, y + 1) + 1)
                                                          : std::max(at(x + 1, y), at(x, y + 1));
    while (i < n && j < m) {
      if (bare(a[head + i]) == bare(b[head + j])) {
        out.push_back({DiffLine::same, int(head + i) + 1, int(head + j) + 1, b[head + j]});
        ++i, ++j;
      } else if (at(i + 1, j) >= at(i, j + 1)) {
        out.push_back({DiffLine::removed, int(head + i) + 1, 0, a[head + i]});
        ++i;
      } else {
        out.push_back({DiffLine::added, 0, int(head + j) + 1, b[head + j]});
        ++j;
      }
    }
  }
  for (; i < n; ++i) out.push_back({DiffLine::removed, int(head + i) + 1, 0, a[head + i]});
  for (; j < m; ++j) out.push_back({DiffLine::added, 0, int(head + j) + 1, b[head + j]});
  for (size_t k = 0; k < tail; ++k) {
    const size_t x = a.size() - tail + k, y = b.size() - tail + k;
    out.push_back({DiffLine::same, int(x) + 1, int(y) + 1, b[y]});
  }
  return out;
}

std::vector<DiffLine> with_context(const std::vector<DiffLine>& all, int context) {
  std::vector<bool> keep(all.size(), false);
  for (size_t k = 0; k < all.size(); ++k)
    if (all[k].kind != DiffLine::same)
      for (size_t x = k > size_t(context) ? k - size_t(context) : 0;
           x <= std::min(all.size() - 1, k + size_t(context)); ++x)
        keep[x] = true;
  std::vector<DiffLine> out;
  bool left_out = false;
  for (size_t k = 0; k < all.size(); ++k) {
    if (!keep[k]) {
      left_out = true;
      continue;
    }
    if (left_out) out.push_back({DiffLine::same, 0, 0, "\xE2\x80\xA6"});
    left_out = false;
    out.push_back(all[k]);
  }
  return out;
}

}  // namespace dojo::gui
