#pragma once
#include <vector>

#include "gui/model/text/diff.hpp"

namespace dojo::gui {

/// Draws the differences in one column of the current window: line numbers of both texts, removed and added
/// lines in colour, long ones wrapped.
void draw_diff(const std::vector<DiffLine>&);
/// Pixels that they take in a window whose content is `width` wide.
float diff_height(const std::vector<DiffLine>&, float width);
/// Draws them in two columns with the titles `left` and `right`: differing lines at one height, long lines
/// wrapped.
void draw_side_by_side(const std::vector<DiffLine>&, const char* left, const char* right);

}  // namespace dojo::gui
