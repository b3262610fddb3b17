#include "gui/panels/tour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "gui/panels/focus.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
struct Stop {
  const char *part, *title, *text;
  const char* hidden = "It is not shown now: Ctrl+P finds it.";  ///< said where the part is not there
};
constexpr Stop all[Tour::stops] = {
    {"rail", "Labs and steps",
     "Each lab is a row of small steps. The mark shows what you have passed. A lab's "
     "title opens its page.",
     "A narrow window has no room for the list of labs. Ctrl+P finds every lab and step by its name."},
    {"brief tab", "The brief",
     "What the step is about and what to do. Put the mouse on a word with a dotted line "
     "to read what it means."},
    {"source tab", "Your file",
     "Edit it here, or in any editor: every save runs it. Unsaved text is kept, also "
     "when you close the window."},
    {"run", "Run",
     "F5 saves, compiles and runs your kernel and the reference on a modelled GPU. No GPU is needed."},
    {"verdict", "The verdict",
     "Right or wrong and where, the times, and what the step asks for. Below it, plots "
     "of the same run."}};
}  // namespace

void Tour::draw(Session& s, const std::vector<std::pair<std::string, ImVec4>>& layout) {
  auto& t = theme();
  const bool on = s.ui.tour >= 0 && s.ui.tour < stops;
  if (std::exchange(shown_, on) && !on)
    focus_hide();  // else the menu's button, the first stop, would have it
  if (!on) return;
  const Stop& stop = all[s.ui.tour];
  const auto part = std::find_if(layout.begin(), layout.end(), [&](auto& l) { return l.first == stop.part; });
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool there = part != layout.end();
  const ImVec4 r = there ? part->second : ImVec4{screen.x / 2, screen.y / 3, screen.x / 2, screen.y / 3};
  ImDrawList* d = ImGui::GetForegroundDrawList();
  // Around the Run button: its own colour is the frame's.
  const float in = stop.part == std::string_view("run") ? -px(4) : px(1);
  if (there) d->AddRect({r.x + in, r.y + in}, {r.z - in, r.w - in}, t.accent, px(5), 0, px(2));
  // Beside the part where there is room, else below or above it.
  const float width = std::min(px(330), screen.x - px(24)), g = px(12);
  ImVec2 at;
  if (r.z + g + width < screen.x && r.w - r.y > px(120))
    at = {r.z + g, r.y + px(40)};
  else if (r.x - g - width > 0 && r.w - r.y > px(120))
    at = {r.x - g - width, r.y + px(40)};
  else
    at = {std::clamp(r.x, px(8), std::max(px(8), screen.x - width - px(8))), r.w + g};
  at.y = std::max(px(8), std::min(at.y, screen.y - height_ - px(8)));
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(16), px(14)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(9));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0f, px(1.5f)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, t.raised);
  ImGui::PushStyleColor(ImGuiCol_Border, t.accent);
  ImGui::Begin("tour", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(3);
  text_in(fonts().small, t.accent, fmt::format("{} of {}", s.ui.tour + 1, stops));
  text_in(fonts().strong, t.text, stop.title);
  text_wrapped_in(fonts().ui, t.text, there ? stop.text : stop.hidden);
  gap(6);
  const bool last = s.ui.tour + 1 == stops;
  if (primary_button(last ? "Start###next" : "Next###next", Icon::arrow_right))
    s.ui.tour = last ? -1 : s.ui.tour + 1;
  if (!last) {
    ImGui::SameLine(0, px(14));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y);
    if (link("Leave the tour", t.muted)) s.ui.tour = -1;
    tip("Esc. Help, Tour of the window brings it back.");
  }
  height_ = ImGui::GetWindowHeight();
  ImGui::End();
}

}  // namespace dojo::gui
