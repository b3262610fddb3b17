#pragma once
// Draws Markdown (briefs, slides, help) with ImGui.
#include <imgui.h>

#include <string>
#include <vector>

#include "gui/model/text/markdown.hpp"

namespace dojo::gui {

/// Draws blocks at the cursor, as wide as the window allows (at most `max_width` pixels; 0: all). Its lines
/// are `line_distance` heights of the type apart. Returns the target of a link that was clicked, or "".
std::string draw_markdown(const std::vector<MdBlock>&, float max_width = 0, float line_distance = 1.5f);
/// The smallest width in pixels at which no line of code is cut and no word of a table is broken.
float least_width(const std::vector<MdBlock>&);
/// The room where all figures among the blocks stand with no line broken, in `type` of the usual size; 0:
/// none.
float figure_width(const std::vector<MdBlock>&, double type);
/// The narrowest room where they are legible with the ends of lines broken; 0: none.
float broken_figure_width(const std::vector<MdBlock>&);

/// Wrapped text at the cursor, with the glossary's terms marked and what is in backticks set as code.
void glossed(ImFont*, ImU32 colour, const std::string& text);

}  // namespace dojo::gui
