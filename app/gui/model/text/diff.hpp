#pragma once
// The lines in which two texts differ.
#include <string>
#include <vector>

namespace dojo::gui {

struct DiffLine {
  enum Kind { same, removed, added } kind = same;
  int left = 0, right = 0;  ///< line numbers from 1; 0: not in that text
  std::string text;
};

/// From `a` to `b`, by a longest common subsequence of lines; space at the ends of lines doesn't count. Texts
/// of more than some thousand differing lines come out as all removed, all added.
std::vector<DiffLine> diff_lines(const std::vector<std::string>& a, const std::vector<std::string>& b);

/// The differing lines with `context` lines around each, and one line with no numbers ("…") where lines are
/// left out.
std::vector<DiffLine> with_context(const std::vector<DiffLine>&, int context);

}  // namespace dojo::gui
