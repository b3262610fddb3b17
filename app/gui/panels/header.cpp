// The window's header: the menu, the step's title, the GPU, the size, and the button that runs.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/paths.hpp"
#include "core/text/error_words.hpp"
#include "gui/model/text/device_label.hpp"
#include "gui/model/text/step_title.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/ui.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

namespace {
constexpr float header_height = 48;
/// Below this width the header has the mark without the name, and short names of GPU and size.
float compact_header() { return px(760); }
}  // namespace

/// From the right: run, watch, size, device. Returns where they begin.
float Ui::header_controls(ImVec2 p, float width) {
  const float h = px(header_height), y = p.y + std::floor((h - ImGui::GetFrameHeight()) / 2);
  float run_w = px(112), dev_w = px(176);
  const bool compact = width < compact_header(), tight = width < px(1150);
  // Wide enough for the names of all extents, where there is room.
  const float named = s_.step() ? text_size(fonts().ui, short_size(s_.size())).x + px(46) : 0;
  float size_w = std::clamp(named, px(150), std::max(px(150), width * 0.24f));
  if (tight) size_w = std::clamp(named, px(120), px(170)), dev_w = px(136);
  if (compact) size_w = px(104), dev_w = px(88), run_w = px(96);
  float right = p.x + width - px(12) - run_w;
  ImGui::SetCursorScreenPos({right, y});
  if (s_.running() && !s_.recorder.quiet()) {
    if (primary_button(s_.cancelling() ? "Ending…##run" : "Cancel##run", Icon::stop, !s_.cancelling(), run_w))
      s_.cancel();
    tip_below("Ends the run (Esc)");
  } else {
    if (primary_button("Run  F5##run", Icon::play, s_.step() && !s_.stored(), run_w)) s_.run();
    tip_below(s_.stored() ? "A stored report: nothing runs here. Open a step or a program to run it."
                          : "Saves, compiles and runs your kernel and the reference (F5)");
  }
  window.layout.push_back({"run", {right, y, right + run_w, y + ImGui::GetFrameHeight()}});
  right -= text_size(fonts().small, "On save").x + px(26);
  ImGui::SetCursorScreenPos({right, p.y + std::floor((h - fonts().small->FontSize - px(9)) / 2)});
  if (pill("On save", s_.settings.watch)) s_.commands.run("run.watch");
  tip_below(s_.settings.watch ? "Every save of the file runs it, from whatever editor"
                              : "Saves are not watched: press F5 to run");
  if (!s_.step()) return right;
  if (!s_.step()->size.empty()) {  // a program of one's own has none
    right -= size_w + px(10);
    ImGui::SetCursorScreenPos({right, y});
    size_combo(size_w);
  }
  right -= dev_w + px(8);
  ImGui::SetCursorScreenPos({right, y});
  device_combo(dev_w);
  return right;
}

/// The lab, where there is room, and the step; `at` is the header's upper edge.
void Ui::header_title(ImVec2 at, float end) {
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImFont *f = fonts().ui, *strong = fonts().strong;
  const float h = px(header_height), y = at.y + (h - f->FontSize) / 2;
  const std::string title = step_title(*s_.lab(), *s_.step());
  const float lab = std::min(text_size(f, s_.lab()->title).x,
                             std::max(0.0f, end - at.x - text_size(strong, title).x - px(18)));
  if (lab > px(50)) {
    text_at(d, f, {at.x, y}, t.muted, s_.lab()->title, lab + 1);
    at.x += lab + px(4);
    draw_icon(d, Icon::chevron_right, {at.x + px(5), at.y + h / 2}, px(10), t.faint);
    at.x += px(14);
  }
  if (end - at.x < px(24)) return;
  text_at(d, strong, {at.x, y}, t.text, title, end - at.x + px(2));
  window.layout.push_back(
      {"title", {at.x, at.y, std::min(end, at.x + text_size(strong, title).x), at.y + h}});
  if (text_size(strong, title).x > end - at.x + px(2) && ImGui::IsMouseHoveringRect(at, {end, at.y + h}))
    tip_at_mouse(title);
}

void Ui::header() {
  auto& t = theme();
  float h = px(header_height), width = ImGui::GetContentRegionAvail().x, frame = ImGui::GetFrameHeight();
  ImVec2 p = ImGui::GetCursorScreenPos();
  ImDrawList* d = ImGui::GetWindowDrawList();
  d->AddRectFilled(p, {p.x + width, p.y + h}, t.panel);
  float y = p.y + std::floor((h - frame) / 2);
  ImGui::SetCursorScreenPos({p.x + px(10), y});
  if (icon_button("menu", Icon::menu, "Menu (F10)", s_.ui.menu, frame) ||
      (ImGui::IsKeyPressed(key::f10, false) && !ImGui::IsPopupOpen("menu")))
    ImGui::OpenPopup("menu");
  menu_popup({p.x + px(10), y + frame});
  float x = p.x + px(10) + frame + px(8);
  ImFont* brand = fonts().strong;
  // The mark: four warps' lanes, one lit.
  for (int i = 0; i < 4; ++i)
    d->AddRectFilled({x + px(4.5f) * float(i), p.y + h / 2 - px(7)},
                     {x + px(4.5f) * float(i) + px(3), p.y + h / 2 + px(7)}, i == 2 ? t.series[1] : t.accent,
                     px(1));
  x += px(24);
  if (width >= compact_header()) {
    text_at(d, brand, {x, p.y + (h - brand->FontSize) / 2}, t.text, "WarpDojo");
    x += text_size(brand, "WarpDojo").x + px(16);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(6)});
  const float right = header_controls(p, width);
  if (s_.step()) header_title({x, p.y}, right - px(12));
  ImGui::PopStyleVar();
  // Progress: a line under the header, so that nothing moves.
  float line = std::max(1.0f, px(1));
  d->AddRectFilled({p.x, p.y + h - line}, {p.x + width, p.y + h}, t.border);
  if (s_.running()) {
    float share = float(s_.work_share());
    d->AddRectFilled({p.x, p.y + h - px(3)}, {p.x + width * std::max(0.02f, share), p.y + h}, t.accent);
  }
  ImGui::SetCursorScreenPos({p.x, p.y + h});
}

void Ui::menu_popup(ImVec2 button) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(8), px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(10), px(7)});
  // Under its button, also when F10 opened it.
  ImGui::SetNextWindowPos({button.x, button.y + px(4)}, ImGuiCond_Appearing);
  s_.ui.menu = ImGui::BeginPopup("menu");
  if (s_.ui.menu)
    window.layout.push_back(
        {"menu",
         {ImGui::GetWindowPos().x, ImGui::GetWindowPos().y, ImGui::GetWindowPos().x + ImGui::GetWindowWidth(),
          ImGui::GetWindowPos().y + ImGui::GetWindowHeight()}});
  // Where ImGui has closed it itself, the next one stays open.
  if (std::exchange(close_menu_, false) && s_.ui.menu) ImGui::CloseCurrentPopup();
  if (s_.ui.menu) {
    for (auto& name : s_.commands.menus()) {
      if (!ImGui::BeginMenu(name.c_str())) continue;
      std::vector<FocusStop> items;
      for (auto& c : s_.commands.all()) {
        if (c.menu != name) continue;
        if (c.separator) ImGui::Separator();
        std::string keys = c.keys.empty() ? "" : to_string(c.keys.front());
        if (ImGui::MenuItem(c.title.c_str(), keys.c_str(), c.checked && c.checked(), c.usable()))
          s_.commands.run(c.id);
        if (c.usable()) items.push_back(focus_last_item());
      }
      focus_in_list(items);
      ImGui::EndMenu();
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

void Ui::device_combo(float width) {
  std::string now = s_.device();
  auto* info = s_.device_info();
  // Where it is short, the line at the foot says what the device is.
  const std::string shown = device_label(now, info ? info->title : "", width < px(110));
  ImGui::SetNextWindowSizeConstraints({px(380), 0}, {px(520), px(460)});
  if (begin_combo("##device", shown, width)) {
    auto list = s_.devices();
    if (list.empty() && s_.step()) {
      list.emplace_back();
      list.back().name = list.back().title = now;
    }
    for (auto& d : list) {
      bool on = d.name == now;
      const bool recording = d.kind == DeviceKind::recording;
      // What a recording's title goes on with, from the driver to the commits, is in its tip.
      const std::string title = recording ? d.title.substr(0, d.title.find(',')) : d.title;
      const std::string note =
          recording ? fs::path(d.name.substr(d.name.find(':') + 1)).filename().string() + " · recording"
                    : d.name + (d.kind == DeviceKind::cuda ? " · measured" : " · modelled");
      const float note_width = text_size(fonts().small, note).x;
      const std::string label =
          fitted(fonts().ui, title, ImGui::GetContentRegionAvail().x - note_width - px(24)) + "##" + d.name;
      if (ImGui::Selectable(label.c_str(), on, 0, {0, ImGui::GetTextLineHeight() + px(4)}))
        s_.choose_device(d.name);
      if (on) ImGui::SetItemDefaultFocus();
      const ImVec2 q = ImGui::GetItemRectMax();
      text_at(ImGui::GetWindowDrawList(), fonts().small,
              {q.x - note_width - px(8), ImGui::GetItemRectMin().y + px(3)}, theme().muted, note);
      tip(d.title + "\n" + std::to_string(d.sms) + " SMs, " + grouped(std::round(d.peak_gbps)) + " GB/s, " +
          si(d.peak_gflops * 1e9) + "FLOP/s");
    }
    ImGui::EndCombo();
  }
  tip_below("The GPU that runs it: " + (info ? info->title : now));
}

void Ui::size_combo(float width) {
  auto& t = theme();
  Size now = s_.size();
  ImGui::SetNextWindowSizeConstraints({px(270), 0}, {px(420), px(460)});
  std::string shown = now.size() == 1 ? now.begin()->first + " = " + short_size(now) : short_size(now);
  if (begin_combo("##size", shown, width)) {
    Size own = s_.step()->size;
    for (auto& c : size_choices(own)) {
      bool on = c == now;
      if (ImGui::Selectable((size_text(c) + (c == own ? "   the step's own" : "")).c_str(), on))
        s_.choose_size(c), size_error_.clear();
      if (on) ImGui::SetItemDefaultFocus();
    }
    ImGui::Separator();
    text_in(fonts().small, t.muted, "Another size, such as 1000, 4M, 2^20");
    ImGui::SetNextItemWidth(-1);
    if (as_stop(ImGui::InputTextWithHint("##own", own.size() == 1 ? "n" : "rows=64, cols=1000", size_text_,
                                         sizeof size_text_, ImGuiInputTextFlags_EnterReturnsTrue))) {
      try {
        s_.choose_size(parse_size(size_text_, now));
        size_error_.clear();
        ImGui::CloseCurrentPopup();
      } catch (const std::exception& e) {
        size_error_ = error_words(e);
      }
    }
    if (!size_error_.empty()) text_wrapped_in(fonts().small, t.bad, size_error_);
    ImGui::EndCombo();
  }
  tip_below("The size of the problem: " + size_text(now) +
            (now == s_.step()->size ? "" : " (the step's own: " + size_text(s_.step()->size) + ")"));
}

}  // namespace dojo::gui
