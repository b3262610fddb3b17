#pragma once
namespace dojo::gui {

class Session;

/// Notes, the next slide and the clock, over the whole of the current ImGui context's window.
void draw_presenter(const Session&);

}  // namespace dojo::gui
