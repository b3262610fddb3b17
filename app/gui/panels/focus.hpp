#pragma once
// Where Tab goes: every part that can be used by key is a stop, in reading order. The stop that has the
// keyboard wears a ring. ImGui's own Tab knows text fields only.
#include <imgui.h>

#include <vector>

struct ImGuiWindow;

namespace dojo::gui {

struct FocusStop {
  ImGuiID id = 0;
  ImGuiWindow* window = nullptr;
  ImVec2 min, max;
};

/// Makes the last item a stop and draws the ring while it has the keyboard. `colour` 0: the accent.
void focus_stop(float rounding = 4, ImU32 colour = 0);
/// Makes the last item a stop whose ring ImGui draws by itself (buttons, fields, sliders, lists).
void focus_stop_of_imgui();
/// The same for a part that returns what came of it.
template <class T>
T as_stop(T result) {
  focus_stop_of_imgui();
  return result;
}
/// Begins a frame: what was drawn in the frame before is walked.
void focus_begin_frame();
/// The stops of the frame before, in the order of Tab. Over an open card or menu: its own only.
std::vector<FocusStop> focus_stops(bool over_all);
/// Moves the keyboard to the next stop (`back`: the one before), around the ends; from the stop of a window
/// when one is given. False: there is none.
bool focus_walk(bool back, bool over_all, const ImGuiWindow* from = nullptr);
/// For views whose arrows and space are their own: ImGui does not walk or press by them in this frame.
/// `ring`: Tab was used, so its ring stays.
void focus_pause_arrows(bool ring);
/// Presses the stop that has the keyboard.
void focus_press();

}  // namespace dojo::gui
