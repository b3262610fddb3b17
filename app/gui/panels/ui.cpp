#include "gui/panels/ui.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/panels/focus.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

void Ui::keys() {
  ImGuiIO& io = ImGui::GetIO();
  const bool overlay = s_.ui.overlay.has_value();
  if (s_.ui.menu && ImGui::IsKeyPressed(key::escape, false)) {
    close_menu_ = true;
    return;
  }
  // Esc closes an open list, and nothing else: ImGui did so at the beginning of this frame.
  if (list_was_open_ && ImGui::IsKeyPressed(key::escape, false)) return;
  if (ImGui::IsKeyPressed(key::escape, false)) {
    if (overlay) {
      s_.ui.overlay.reset();
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
  // A lecture does not end by a slip of the hand.
  if (ImGui::IsKeyPressed(key::escape, false) && s_.ui.lecture && !s_.running())
    s_.toast("F11 ends the slides.");
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
      !io.WantTextInput && (list_open || overlay || !window.code_focused) && !focus_press() && !list_open &&
      !overlay && s_.ui.tour >= 0) {
    s_.ui.tour = s_.ui.tour + 1 < Tour::stops ? s_.ui.tour + 1 : -1;
    return;
  }
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
          c.id != "file.quit" && !c.id.starts_with("view."))
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
  const bool own_keys = (s_.ui.motion || s_.ui.lecture) && !s_.ui.shows(Overlay::palette) &&
                        !s_.ui.shows(Overlay::help) && !s_.ui.menu;
  if (own_keys) focus_pause_arrows(window.walked);
  if (!own_keys) window.walked = false;
  keys();
  window.code_focused = false;  // the source says so where it is drawn: slow motion covers it
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
  list_was_open_ = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
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
    const auto* v = s_.view();
    const bool other = v && v->stand_in && s_.running_step() == v->id && !s_.jobs.line().running;
    const std::string mine = other ? v->stand_in->label + ": " : "Your kernel: ";
    static const std::pair<const char*, const char*> phases[] = {
        {"compile", "compiling"}, {"inputs", "making inputs"}, {"run", "running"}, {"check", "checking"}};
    std::string phase = a.phase;
    for (auto& [k, v] : phases)
      if (phase == k) phase = v;
    left = s_.cancelling() ? "Ending the run…"
                           : (a.who == "reference" ? "Reference: " : mine) + phase + "  " +
                                 time_text(s_.run_seconds() * 1e6) + s_.limit_text();
    if (s_.sweep().running)
      left = "Sweep " + std::to_string(s_.sweep().done + 1) + " of " + std::to_string(s_.sweep().total) +
             ". " + left;
    if (auto& j = s_.jobs.line(); j.running)
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
        dot = v->todo_line || v->stale() ? t.faint : t.of(headline(*r).tone);
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
