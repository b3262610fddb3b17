#include "gui/panels/ui.hpp"
#include "core/error_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/model/text/step_title.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

void Ui::keys() {
  ImGuiIO& io = ImGui::GetIO();
  bool overlay = s_.ui.palette || s_.ui.help || s_.ui.predict || s_.ui.confirm_reset || s_.ui.about ||
                 s_.ui.conflict || s_.ui.open_file || s_.ui.glossary || s_.ui.losing;
  if (s_.ui.menu && ImGui::IsKeyPressed(key::escape, false)) {
    close_menu_ = true;
    return;
  }
  if (ImGui::IsKeyPressed(key::escape, false)) {
    if (overlay) {
      s_.ui.palette = s_.ui.help = s_.ui.predict = s_.ui.confirm_reset = s_.ui.about = s_.ui.conflict =
          s_.ui.glossary = s_.ui.open_file = s_.ui.losing = false;
      return;
    }
    if (s_.ui.tour >= 0) {
      s_.ui.tour = -1;
      return;
    }
    if (window.find_open) {
      window.find_open = false;
      s_.ui.focus = "source";
      return;
    }
  }
  if (ImGui::IsKeyPressed(key::escape, false) && s_.ui.submissions && !s_.ui.lecture && !s_.running() &&
      !io.WantTextInput) {
    s_.ui.submissions = false;
    return;
  }
  if (ImGui::IsKeyPressed(key::escape, false) && s_.ui.motion && !s_.ui.lecture && !s_.running()) {
    if (s_.motion.playing)
      s_.motion.playing = false;
    else
      s_.ui.motion = false;
    return;
  }
  // Tab walks through all parts. In the source it indents; Esc leaves the source, to the part after it.
  const bool list_open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (!list_open) {
    if (ImGui::IsKeyPressed(key::tab, true) && !io.KeyCtrl && !io.KeyAlt &&
        (overlay || !window.code_focused) && focus_walk(io.KeyShift, overlay)) {
      window.walked = true;
      return;
    }
    if (ImGui::IsKeyPressed(key::escape, false) && window.code_focused && !overlay && !s_.running() &&
        focus_walk(false, false,
                   window.code.focused() ? window.code.window() : window.reference_code.window()))
      return;
  }
  // In a list too: ImGui itself chooses there by space only.
  if ((ImGui::IsKeyPressed(key::enter, false) || ImGui::IsKeyPressed(key::keypad_enter, false)) &&
      !io.WantTextInput && (list_open || overlay || !window.code_focused))
    focus_press();
  bool typing = io.WantTextInput || window.code_focused;
  for (auto& c : s_.commands.all())
    for (auto& k : c.keys) {
      if (!k.key || k.key >= int(IM_ARRAYSIZE(io.KeysDown)) ||
          !ImGui::IsKeyPressed(k.key, c.id.starts_with("view.larger") || c.id.starts_with("view.smaller") ||
                                          c.id.starts_with("edit.")))
        continue;
      if (k.ctrl != io.KeyCtrl || k.shift != io.KeyShift || k.alt != io.KeyAlt) continue;
      // A text field of its own keeps the editing keys.
      if (io.WantTextInput && !window.code_focused && c.id.starts_with("edit.") && c.id != "edit.find")
        continue;
      if (overlay && c.id != "help.palette" && c.id != "help.keys" && c.id != "file.close" &&
          !c.id.starts_with("view."))
        continue;
      if (s_.commands.press(k, typing)) return;
    }
}

void Ui::frame() {
  auto& t = theme();
  set_glossary(&s_.glossary());
  window.next_frame = 1e9;
  focus_begin_frame();
  plots.offers.clear();
  window.layout.clear();
  // In slow motion and on slides arrows and space are the view's own: ImGui's walk over buttons pauses.
  const bool own_keys = (s_.ui.motion || s_.ui.lecture) && !s_.ui.palette && !s_.ui.help && !s_.ui.menu;
  if (own_keys) focus_pause_arrows(window.walked);
  if (!own_keys) window.walked = false;
  keys();
  ImGuiViewport* vp = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(vp->Pos);
  ImGui::SetNextWindowSize(vp->Size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, t.ground);
  ImGui::Begin("main", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleColor();
  if (!s_.ui.lecture) lecture_.leave();
  if (s_.ui.lecture) {
    lecture_.draw();
  } else {
    header();
    workspace(ImGui::GetContentRegionAvail().y - px(26));
    status_bar();
  }
  ImGui::End();
  ImGui::PopStyleVar(4);
  overlays_.draw();
  s_.ui.focus_tab = false;
  s_.ui.go_line = window.pending_line;
  if (window.pending_line) window.next_frame = 0;
  window.pending_line = 0;
  s_.ui.fit_plots = false;
  window.next_frame = std::min(window.next_frame, s_.motion.next_tick(s_.now()));
  if (s_.running())
    window.next_frame = std::min(window.next_frame, 1.0 / 60);
  else if (ImGui::GetIO().WantTextInput || window.code_focused)
    window.next_frame = std::min(window.next_frame, 0.53);
}

void Ui::header() {
  auto& t = theme();
  float h = px(48), width = ImGui::GetContentRegionAvail().x, frame = ImGui::GetFrameHeight();
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
  text_at(d, brand, {x, p.y + (h - brand->FontSize) / 2}, t.text, "WarpDojo");
  x += text_size(brand, "WarpDojo").x + px(16);

  // From the right: run, watch, size, device.
  float run_w = px(112), dev_w = px(176);
  bool tight = width < px(1150);
  // Wide enough for the names of all extents, where there is room.
  const float named = s_.step() ? text_size(fonts().ui, short_size(s_.size())).x + px(46) : 0;
  float size_w = std::clamp(named, px(150), std::max(px(150), width * 0.24f));
  if (tight) size_w = std::clamp(named, px(120), px(170)), dev_w = px(136);
  float right = p.x + width - px(12) - run_w;
  ImGui::SetCursorScreenPos({right, y});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(6)});
  if (s_.running() && !s_.quiet_recording()) {
    if (primary_button(s_.cancelling() ? "Ending…##run" : "Cancel##run", Icon::stop, !s_.cancelling(), run_w))
      s_.cancel();
    tip("Ends the run (Esc)");
  } else {
    if (primary_button("Run  F5##run", Icon::play, s_.step() && !s_.stored(), run_w)) s_.run();
    tip(s_.stored() ? "A stored report: nothing runs here. Open a step or a program to run it."
                    : "Saves, compiles and runs your kernel and the reference (F5)");
  }
  window.layout.push_back({"run", {right, y, right + run_w, y + frame}});
  std::string watch = "On save";
  float watch_w = text_size(fonts().small, watch).x + px(16);
  right -= watch_w + px(10);
  ImGui::SetCursorScreenPos({right, p.y + std::floor((h - fonts().small->FontSize - px(9)) / 2)});
  if (pill("On save", s_.settings.watch)) s_.commands.run("run.watch");
  tip(s_.settings.watch ? "Every save of the file runs it, from whatever editor"
                        : "Saves are not watched: press F5 to run");
  if (s_.step()) {
    if (!s_.step()->size.empty()) {  // a program of one's own has none
      right -= size_w + px(10);
      ImGui::SetCursorScreenPos({right, y});
      size_combo(size_w);
    }
    right -= dev_w + px(8);
    ImGui::SetCursorScreenPos({right, y});
    device_combo(dev_w);
    std::string crumb = s_.lab()->title;
    ImFont* f = fonts().ui;
    float room = right - x - px(12), cy = p.y + (h - f->FontSize) / 2;
    const std::string title = step_title(*s_.lab(), *s_.step());
    float tw = text_size(fonts().strong, title).x, arrow = px(18);
    float cw = std::min(text_size(f, crumb).x, std::max(0.0f, room - tw - arrow));
    if (cw > px(50)) {
      text_at(d, f, {x, cy}, t.muted, crumb, cw + 1);
      x += cw + px(4);
      draw_icon(d, Icon::chevron_right, {x + px(5), p.y + h / 2}, px(10), t.faint);
      x += px(14);
    }
    text_at(d, fonts().strong, {x, cy}, t.text, title, right - x - px(10));
  }
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
  auto& t = theme();
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
  if (s_.ui.menu && std::exchange(close_menu_, false)) ImGui::CloseCurrentPopup();
  if (s_.ui.menu) {
    for (auto& name : s_.commands.menus()) {
      if (!ImGui::BeginMenu(name.c_str())) continue;
      for (auto& c : s_.commands.all()) {
        if (c.menu != name) continue;
        if (c.separator) ImGui::Separator();
        std::string keys = c.keys.empty() ? "" : to_string(c.keys.front());
        if (ImGui::MenuItem(c.title.c_str(), keys.c_str(), c.checked && c.checked(), c.usable()))
          s_.commands.run(c.id);
      }
      ImGui::EndMenu();
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  (void)t;
}

void Ui::device_combo(float width) {
  std::string now = s_.device();
  auto* info = s_.device_info();
  std::string shown = now;
  if (now.starts_with("simt:"))
    shown = now.substr(5) + " (modelled)";
  else if (now.starts_with("rec:"))
    shown = fs::path(now.substr(4)).stem().string() + " (recording)";
  else if (info)
    shown = info->title;
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
  tip("The GPU that runs it: " + (info ? info->title : now));
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
  tip("The size of the problem: " + size_text(now) +
      (now == s_.step()->size ? "" : " (the step's own: " + size_text(s_.step()->size) + ")"));
}

void Ui::status_bar() {
  auto& t = theme();
  float h = px(26), width = ImGui::GetContentRegionAvail().x;
  ImVec2 p = ImGui::GetCursorScreenPos();
  ImDrawList* d = ImGui::GetWindowDrawList();
  d->AddRectFilled(p, {p.x + width, p.y + h}, mix(t.panel, t.ground, 0.6f));
  d->AddRectFilled(p, {p.x + width, p.y + std::max(1.0f, px(1))}, t.border);
  ImFont* f = fonts().small;
  float y = p.y + (h - f->FontSize) / 2;
  std::string left = "Ready", right;
  ImU32 dot = t.faint;
  if (s_.running()) {
    auto& a = s_.progress();
    static const std::pair<const char*, const char*> phases[] = {
        {"compile", "compiling"}, {"inputs", "making inputs"}, {"run", "running"}, {"check", "checking"}};
    std::string phase = a.phase;
    for (auto& [k, v] : phases)
      if (phase == k) phase = v;
    left = s_.cancelling() ? "Ending the run…"
                           : (a.who == "reference" ? "Reference: " : "Your kernel: ") + phase + "  " +
                                 time_text(s_.run_seconds() * 1e6) + s_.limit_text();
    if (s_.sweep().running)
      left = "Sweep " + std::to_string(s_.sweep().done + 1) + " of " + std::to_string(s_.sweep().total) +
             ". " + left;
    if (auto& j = s_.jobs(); j.running)
      left = fmt::format("{}: {} of {}, {}", j.what, j.done + 1, j.total, j.now.says);
    dot = t.accent;
  } else if (auto* v = s_.view()) {
    if (!v->error.empty())
      left = v->error, dot = t.bad;
    else if (v->disk_newer)
      left = "Another program changed the file while you edited it here. Ctrl+S shows both versions.",
      dot = t.warn;
    else if (!v->file_problem.empty())
      left = v->file_problem, dot = t.bad;
    else if (v->has_report)
      if (auto* r = student_run(v->report)) {
        left = r->status == Status::compile_error ? "Did not compile, in " + time_text(r->compile_ms * 1e3)
                                                  : "Compiled in " + time_text(r->compile_ms * 1e3) +
                                                        ", ran in " + time_text(r->wall_ms * 1e3);
        if (s_.stored() && r->wall_ms <= 0 && r->compile_ms <= 0) left = "Stored report";  // of `exec`
        if (v->stale()) left += "; changed since";
        dot = v->todo_line ? t.faint : t.of(headline(*r).tone);
      }
  }
  if (auto* v = s_.view(); v && v->has_report) {
    auto& dev = v->report.device;
    right = dev.title +
            (dev.kind == DeviceKind::simt
                 ? ", modelled" + (dev.model_version.empty() ? "" : " (" + dev.model_version + ")")
             : dev.kind == DeviceKind::recording ? ", recording"
                                                 : ", measured") +
            (s_.stored() ? ", stored " + v->shown_from : "") + "   ·   ";
  }
  right += "Ctrl+P commands   F1 keys";
  float rw = text_size(f, right).x;
  if (rw > width * 0.6f) right = "Ctrl+P commands   F1 keys", rw = text_size(f, right).x;
  d->AddCircleFilled({p.x + px(16), p.y + h / 2}, px(4), dot);
  text_at(d, f, {p.x + px(28), y}, t.muted, left, width - rw - px(60));
  text_at(d, f, {p.x + width - rw - px(12), y}, t.faint, right);
  ImGui::Dummy({width, h});
}

}  // namespace dojo::gui
