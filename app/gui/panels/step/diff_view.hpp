#pragma once
#include <vector>

#include "gui/model/text/diff.hpp"

namespace dojo::gui {

/// Draws differing lines into the current child window: numbers of both texts, removed and added in colour.
void draw_diff(const std::vector<DiffLine>&);
/// The two texts beside each other, differing lines at one height, long lines wrapped, with a legend.
void draw_side_by_side(const std::vector<DiffLine>&, const char* left, const char* right);

}  // namespace dojo::gui
