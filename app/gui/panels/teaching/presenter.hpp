#pragma once
// The presenter's second window.
namespace dojo::gui {

class Session;

/// Draws notes, the next slide and the clocks over the whole window of the current ImGui context.
void draw_presenter(const Session&);

}  // namespace dojo::gui
