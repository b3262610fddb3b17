#pragma once
#include <string>
#include <vector>

#include "gui/model/markdown.hpp"

namespace dojo::gui {

/// Draws blocks at the cursor, as wide as the window allows (at most `max_width` pixels; 0: all). Returns the
/// target of a link that was clicked, or "".
std::string draw_markdown(const std::vector<MdBlock>&, const LiveValue&, float max_width = 0);

}  // namespace dojo::gui
