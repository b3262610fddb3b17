#pragma once
#include <vector>

#include "gui/model/diff.hpp"

namespace dojo::gui {

/// Draws differing lines into the current child window: numbers of both texts, removed and added in colour.
void draw_diff(const std::vector<DiffLine>&);

}  // namespace dojo::gui
