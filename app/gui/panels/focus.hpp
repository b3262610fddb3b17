#pragma once
// Navigation by Tab. Every part that can be used by keyboard is a stop, in reading order; the focused stop
// has a ring. ImGui's own Tab reaches text fields only.
#include <imgui.h>

#include <vector>

struct ImGuiWindow;

namespace dojo::gui {

struct FocusStop {
  ImGuiID id = 0;
  ImGuiWindow* window = nullptr;
  ImVec2 min, max;
};

/// Makes the last ImGui item a stop, and draws its ring while it is focused. `colour` 0: the accent.
void focus_stop(float rounding = 4, ImU32 colour = 0);
/// Makes the last item a stop whose ring ImGui draws (buttons, fields, sliders, lists).
void focus_stop_of_imgui();
/// The same around a call that draws an item: as_stop(ImGui::Button("Run")). Returns the call's result.
template <class T>
T as_stop(T result) {
  focus_stop_of_imgui();
  return result;
}
/// Begins a frame: Tab now walks over the stops of the frame before.
void focus_begin_frame();
/// The stops of the frame before, in Tab order; while a card or menu is open, only its own.
std::vector<FocusStop> focus_stops(bool over_all);
/// Focuses the next stop (`back`: the previous), wrapping around at the ends; starts at the window `from` if
/// given. False: there is no stop.
bool focus_walk(bool back, bool over_all, const ImGuiWindow* from = nullptr);
/// Up, down, Home and End among the items of a list in the current window, around at its ends, in place of
/// ImGui's own walk: from the last item of a submenu that goes on in the menu behind it.
void focus_in_list(const std::vector<FocusStop>& items);
/// The last item as one of such a list.
FocusStop focus_last_item();
/// For views that use arrows and space themselves: ImGui ignores these keys in this frame. `ring`: keeps the
/// ring, because Tab was used.
void focus_pause_arrows(bool ring);
/// Hides the ring until the focus is moved by key: what was focused is gone.
void focus_hide();
/// Presses the focused stop. False: no stop shows that it has the focus.
bool focus_press();

}  // namespace dojo::gui
