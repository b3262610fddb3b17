// The middle: tabs with the brief, the source, the reference and the earlier runs.
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cstring>
#include <utility>

#include "gui/look.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/step/brief.hpp"
#include "gui/panels/step/centre.hpp"
#include "gui/panels/step/runs_tab.hpp"
#include "gui/panels/step/source.hpp"
#include "gui/panels/teaching/instructor.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"
#include "run/own_program.hpp"

namespace dojo::gui {

using Tab = UiState::Tab;

void CentrePanel::tabs() {
  auto& t = theme();
  auto* v = s_.view();
  float h = px(38), w = ImGui::GetContentRegionAvail().x;
  ImVec2 p = ImGui::GetCursorScreenPos();
  ImDrawList* d = ImGui::GetWindowDrawList();
  d->AddRectFilled({p.x, p.y + h - std::max(1.0f, px(1))}, {p.x + w, p.y + h}, t.border);
  float x = p.x + px(8);
  bool locked = !s_.solved_or_instructor();
  struct Entry {
    Tab tab;
    std::string label;
    const char* help;
    bool off;
  };
  std::vector<Entry> all = {
      {Tab::source, s_.step()->file, "Your file, with counters beside each line (Alt+2)", false},
      {Tab::reference, "Reference",
       locked ? "The solved twin: opens once you have passed" : "The solved twin (Alt+3)", locked},
      {Tab::compare, "Runs", "Earlier runs of this step, compared (Alt+4)", false},
  };
  if (run::is_program(*s_.step()) || s_.stored())
    std::erase_if(all, [](auto& e) { return e.tab == Tab::reference; });
  if (s_.stored()) std::erase_if(all, [](auto& e) { return e.tab == Tab::compare; });
  if (!window_.wide) all.insert(all.begin(), {Tab::brief, "Brief", "What this step is about (Alt+1)", false});
  if (s_.instructor && !s_.stored())
    all.push_back({Tab::instructor, "Instructor", "What runs, all gates, the whole lab (Alt+5)", false});
  // A long file name is cut, so that no tab leaves the window.
  auto extra = [&](const Entry& k) {
    return (k.off ? px(18) : 0) + (k.tab == Tab::source && v->text.modified() ? px(14) : 0) + px(24);
  };
  float others = px(16);
  for (auto& k : all) others += extra(k) + (k.tab == Tab::source ? 0 : text_size(fonts().strong, k.label).x);
  std::string help;
  for (auto& k : all)
    if (const std::string cut =
            k.tab == Tab::source ? fitted(fonts().strong, k.label, std::max(px(40), w - others)) : k.label;
        cut != k.label) {
      help = k.label + "\n" + k.help;
      k.help = help.c_str();
      k.label = cut;
    }
  for (auto& k : all) {
    bool on = window_.shown_tab() == k.tab, dirty = k.tab == Tab::source && v->text.modified();
    ImFont* f = on ? fonts().strong : fonts().ui;
    float bw = text_size(fonts().strong, k.label).x + extra(k);
    window_.layout.push_back({"tab", {x, p.y, x + bw, p.y + h}});
    if (k.tab == Tab::brief || k.tab == Tab::source)
      window_.layout.push_back({k.tab == Tab::brief ? "brief tab" : "source tab", {x, p.y, x + bw, p.y + h}});
    ImGui::SetCursorScreenPos({x, p.y});
    ImGui::PushID(int(k.tab));
    if (ImGui::InvisibleButton("tab", {bw, h}) && !k.off) s_.ui.tab = k.tab;
    bool hover = ImGui::IsItemHovered();
    focus_stop();
    tip_below(k.help);
    ImGui::PopID();
    ImU32 c = k.off ? t.faint : on ? t.text : hover ? t.text : t.muted;
    float tx = x + px(12);
    if (k.off) draw_icon(d, Icon::lock, {tx + px(6), p.y + h / 2}, px(12), t.faint), tx += px(18);
    text_at(d, f, {tx, p.y + (h - f->FontSize) / 2}, c, k.label);
    if (dirty) d->AddCircleFilled({x + bw - px(12), p.y + h / 2}, px(3.5f), t.warn);
    if (on) d->AddRectFilled({x + px(6), p.y + h - px(3)}, {x + bw - px(6), p.y + h}, t.accent, px(1));
    x += bw;
  }
  ImGui::SetCursorScreenPos({p.x, p.y + h});
  if (s_.ui.tab == Tab::reference && locked) s_.ui.tab = Tab::brief;
}

void CentrePanel::draw() {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  tabs();
  ImGui::PopStyleVar();
  window_.code_focused = false;
  if (s_.view()->stand_in) instructor_.strip();
  switch (window_.shown_tab()) {
    case Tab::source:
      source_.draw();
      break;
    case Tab::reference:
      source_.reference();
      break;
    case Tab::compare:
      runs_.draw();
      break;
    case Tab::instructor:
      instructor_.draw();
      break;
    default:
      brief_.draw();
  }
}

}  // namespace dojo::gui
