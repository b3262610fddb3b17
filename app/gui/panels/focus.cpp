#include "gui/panels/focus.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cstring>

#include "gui/look.hpp"
#include "gui/theme.hpp"

namespace dojo::gui {

namespace {
struct Stops {
  const ImGuiContext* of = nullptr;  ///< owner of these stops: each window and deck has its own
  std::vector<FocusStop> now, before;
};
Stops& kept() {
  static Stops s;
  return s;
}

ImGuiWindow* root_of(ImGuiWindow* w) { return w ? w->RootWindow->RootWindowPopupTree : nullptr; }
bool is_main(ImGuiWindow* root) { return root && std::strcmp(root->Name, "main") == 0; }
bool is_tour(ImGuiWindow* root) { return root && std::strcmp(root->Name, "tour") == 0; }

void keep_stop() {
  if (for_print() || GImGui != kept().of) return;
  ImGuiContext& g = *GImGui;
  if (!g.LastItemData.ID || g.LastItemData.InFlags & ImGuiItemFlags_Disabled) return;
  kept().now.push_back(
      {g.LastItemData.ID, g.CurrentWindow, g.LastItemData.Rect.Min, g.LastItemData.Rect.Max});
}

/// Puts the focus on a stop of the window that has it, and scrolls there.
void focus_to(const FocusStop& to) {
  ImGuiContext& g = *GImGui;
  const ImVec2 at_window = to.window->Pos;
  ImGui::SetNavID(
      to.id, ImGuiNavLayer_Main, 0,
      ImRect(to.min.x - at_window.x, to.min.y - at_window.y, to.max.x - at_window.x, to.max.y - at_window.y));
  g.NavDisableHighlight = false;
  g.NavDisableMouseHover = true;
  ImGui::ScrollToBringRectIntoView(to.window, ImRect(to.min, to.max));
}
}  // namespace

void focus_stop(float rounding, ImU32 colour) {
  keep_stop();
  ImGuiContext& g = *GImGui;
  if (!g.NavId || g.NavId != g.LastItemData.ID || g.NavWindow != g.CurrentWindow || g.NavDisableHighlight)
    return;
  const float w = std::max(2.0f, px(2));
  const ImVec2 lo = g.LastItemData.Rect.Min, hi = g.LastItemData.Rect.Max;
  ImDrawList* d = g.CurrentWindow->DrawList;
  // The item's clip rectangle may end at its edge and would cut the ring.
  const ImRect& clip = g.CurrentWindow->OuterRectClipped;
  d->PushClipRect(clip.Min, clip.Max);
  d->AddRect({lo.x - 1, lo.y - 1}, {hi.x + 1, hi.y + 1}, colour ? colour : theme().accent, px(rounding), 0,
             w);
  d->PopClipRect();
}

void focus_hide() { GImGui->NavDisableHighlight = true; }

void focus_stop_of_imgui() { keep_stop(); }

void focus_begin_frame() {
  // ImGui moves the focus to a menu bar when Alt is released. There is none, and Alt+2 has chosen the focus.
  ImGuiContext& g = *GImGui;
  g.NavWindowingToggleLayer = false;
  // Nor do Ctrl and Alt with an arrow, or with Page Down, move it: they are commands.
  if ((g.IO.KeyCtrl || g.IO.KeyAlt) && g.NavMoveSubmitted) {
    if (g.NavInitRequestFromMove)
      g.NavInitRequest = g.NavInitRequestFromMove = false, g.NavDisableHighlight = true;
    ImGui::NavMoveRequestCancel();
  }
  Stops& s = kept();
  if (s.of != GImGui) {
    s.of = GImGui;
    s.now.clear();
  }
  s.before.swap(s.now);
  s.now.clear();
}

std::vector<FocusStop> focus_stops(bool over_all) {
  std::vector<FocusStop> out;
  if (kept().of != GImGui) return out;
  for (auto& stop : kept().before) {
    ImGuiWindow* root = root_of(stop.window);
    if (over_all == (is_main(root) || is_tour(root))) continue;
    out.push_back(stop);
  }
  // Parts at one height are visited from left to right, in whatever order they are drawn.
  for (size_t k = 0; k < out.size();) {
    size_t e = k + 1;
    const float middle = (out[k].min.y + out[k].max.y) / 2;
    while (e < out.size() && out[e].window == out[k].window && out[e].min.y < middle && out[e].max.y > middle)
      ++e;
    std::stable_sort(out.begin() + long(k), out.begin() + long(e),
                     [](auto& a, auto& b) { return a.min.x < b.min.x; });
    k = e;
  }
  // The tour's stops come first.
  std::stable_partition(out.begin(), out.end(), [](auto& s) { return is_tour(root_of(s.window)); });
  return out;
}

bool focus_walk(bool back, bool over_all, const ImGuiWindow* from) {
  ImGuiContext& g = *GImGui;
  const auto all = focus_stops(over_all);
  if (all.empty()) return false;
  const int n = int(all.size());
  const ImGuiWindow* window = from ? from : g.NavWindow;
  int at = -1;
  for (int k = n; k-- > 0;)
    if (all[size_t(k)].window == window && (from || all[size_t(k)].id == g.NavId)) at = k;
  // ImGui silently focuses a window's first item. While no ring is visible, the walk starts there, or at the
  // tour.
  const bool to_tour = is_tour(root_of(all[0].window)) && !is_tour(root_of(g.NavWindow));
  if (at < 0 || ((at == 0 || to_tour) && g.NavDisableHighlight && !g.ActiveId && !from))
    at = back ? n - 1 : 0;
  else
    at = (at + (back ? n - 1 : 1)) % n;
  const FocusStop& to = all[size_t(at)];
  ImGui::ClearActiveID();
  ImGui::FocusWindow(to.window);
  focus_to(to);
  return true;
}

FocusStop focus_last_item() {
  ImGuiContext& g = *GImGui;
  return {g.LastItemData.ID, g.CurrentWindow, g.LastItemData.Rect.Min, g.LastItemData.Rect.Max};
}

void focus_in_list(const std::vector<FocusStop>& items) {
  ImGuiContext& g = *GImGui;
  if (items.empty() || g.NavWindow != g.CurrentWindow || g.IO.KeyCtrl || g.IO.KeyAlt) return;
  const auto pressed = [](ImGuiKey k) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(k), true); };
  const int n = int(items.size());
  const auto here = std::find_if(items.begin(), items.end(), [&](auto& i) { return i.id == g.NavId; });
  int at = here == items.end() ? -1 : int(here - items.begin());
  if (pressed(ImGuiKey_DownArrow))
    at = (at + 1) % n;
  else if (pressed(ImGuiKey_UpArrow))
    at = at <= 0 ? n - 1 : at - 1;
  else if (pressed(ImGuiKey_Home))
    at = 0;
  else if (pressed(ImGuiKey_End))
    at = n - 1;
  else
    return;
  ImGui::NavMoveRequestCancel();
  focus_to(items[size_t(at)]);
}

void focus_pause_arrows(bool ring) {
  ImGuiContext& g = *GImGui;
  if (g.ActiveId) return;  // a field or a slider has them
  ImGui::NavMoveRequestCancel();
  g.NavInitRequest = false;
  g.NavActivateId = g.NavActivateDownId = g.NavActivatePressedId = g.NavActivateInputId = 0;
  if (!ring) g.NavDisableHighlight = true;
}

bool focus_press() {
  ImGuiContext& g = *GImGui;
  if (!g.NavId || g.NavDisableHighlight || g.ActiveId) return false;
  g.NavActivateId = g.NavActivateDownId = g.NavActivatePressedId = g.NavId;
  return true;
}

}  // namespace dojo::gui
