// The list of labs and steps with their marks.
#include <algorithm>

#include "gui/model/text/step_title.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/rail.hpp"
#include "gui/panels/widgets.hpp"
#include "run/own_program.hpp"
#include "run/stored/stored_report.hpp"

namespace dojo::gui {

namespace {
bool is_program_lab(const Lab& lab) { return !lab.steps.empty() && run::is_program(lab.steps.front()); }
bool is_report_lab(const Lab& lab) { return !lab.steps.empty() && run::is_stored(lab.steps.front()); }
}  // namespace

void Rail::draw() {
  auto& t = theme();
  // The open step stays in sight when another is opened, and when all rows get another height.
  if (rail_step_ != s_.settings.step || rail_scale_ != ui_scale()) {
    rail_step_ = s_.settings.step;
    rail_scale_ = ui_scale();
    rail_scroll_ = true;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("labs", {0, 0}, false);
  ImGui::PopStyleVar();
  std::vector<const Lab*> programs, reports;
  for (auto& lab : s_.catalog().labs)
    if (is_program_lab(lab))
      programs.push_back(&lab);
    else if (is_report_lab(lab))
      reports.push_back(&lab);
    else
      group({&lab});
  group(programs);
  group(reports);
  if (!s_.catalog().problems.empty()) {
    ImGui::Dummy({1, px(8)});
    ImGui::Indent(px(14));
    for (auto& p : s_.catalog().problems) {
      text_wrapped_in(fonts().small, t.bad,
                      p.where.file + (p.where.line ? ":" + std::to_string(p.where.line) : ""));
      text_wrapped_in(fonts().small, t.muted, p.message);
    }
    ImGui::Unindent(px(14));
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  rail_scroll_ = false;
}

namespace {
void open_lab_page(Session& s, const Lab& lab) {
  if (s.lab() != &lab) {
    auto open = std::find_if(lab.steps.begin(), lab.steps.end(),
                             [&](const Step& step) { return s.state_of(step.id()) != StepState::passed; });
    s.open((open == lab.steps.end() ? lab.steps.front() : *open).id());
  }
  s.settings.folded.erase(lab.name);
  s.settings_changed();
  s.ui.lab_page = lab.name;
  s.ui.plots_only = s.ui.motion = s.ui.submissions = false;
}
}  // namespace

void Rail::heading(const Lab& lab, const std::string& title, bool folded) {
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  const float w = ImGui::GetContentRegionAvail().x, h = px(34);
  const ImVec2 p = ImGui::GetCursorScreenPos();
  // The arrow folds the steps, the title opens the lab's page.
  if (ImGui::InvisibleButton("lab", {px(28), h})) {
    if (folded)
      s_.settings.folded.erase(lab.name);
    else
      s_.settings.folded.insert(lab.name);
    s_.settings_changed();
  }
  bool hover = ImGui::IsItemHovered();
  focus_stop();
  ImGui::SetCursorScreenPos({p.x + px(28), p.y});
  if (ImGui::InvisibleButton("page", {w - px(28), h})) open_lab_page(s_, lab);
  hover |= ImGui::IsItemHovered();
  focus_stop();
  if (ImGui::IsItemHovered()) tip(lab.title + "\nOpens the lab's page");
  ImGui::SetCursorScreenPos({p.x, p.y + h});
  if (hover) d->AddRectFilled(p, {p.x + w, p.y + h}, fade(t.hover, 0.6f));
  draw_icon(d, folded ? Icon::chevron_right : Icon::chevron_down, {p.x + px(15), p.y + h / 2}, px(10),
            t.muted);
  int passed = 0;
  for (auto& s : lab.steps) passed += s_.state_of(s.id()) == StepState::passed;
  // A whole program and a stored report have no gates to pass.
  const bool steps = !is_program_lab(lab) && !is_report_lab(lab);
  std::string count = !steps ? "" : std::to_string(passed) + "/" + std::to_string(lab.steps.size());
  float cw = text_size(fonts().small, count).x;
  text_at(d, fonts().small, {p.x + w - cw - px(12), p.y + (h - fonts().small->FontSize) / 2},
          passed == int(lab.steps.size()) && passed ? t.good : t.muted, count);
  text_at(d, fonts().strong, {p.x + px(28), p.y + (h - fonts().strong->FontSize) / 2}, t.text, title,
          w - cw - px(52));
  // A thin line shows the share of passed steps.
  if (steps)
    d->AddRectFilled({p.x + px(28), p.y + h - px(3)}, {p.x + w - px(12), p.y + h - px(1)},
                     fade(t.border, 0.8f), px(1));
  if (passed)
    d->AddRectFilled({p.x + px(28), p.y + h - px(3)},
                     {p.x + px(28) + (w - px(40)) * float(s_.lab_share(lab)), p.y + h - px(1)}, t.good,
                     px(1));
}

void Rail::step_row(const Lab& lab, const Step& s) {
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  const float w = ImGui::GetContentRegionAvail().x, rh = px(27);
  const bool on = &s == s_.step();
  const ImVec2 q = ImGui::GetCursorScreenPos();
  ImGui::PushID(s.id().c_str());
  if (ImGui::InvisibleButton("step", {w, rh})) s_.open(s.id());
  const bool over = ImGui::IsItemHovered();
  if (on) {
    d->AddRectFilled(q, {q.x + w, q.y + rh}, fade(t.accent, 0.16f));
    d->AddRectFilled(q, {q.x + px(3), q.y + rh}, t.accent);
    if (rail_scroll_) ImGui::SetScrollHereY(0.4f);
  } else if (over) {
    d->AddRectFilled(q, {q.x + w, q.y + rh}, fade(t.hover, 0.7f));
  }
  focus_stop(2);
  const StepState st = s_.state_of(s.id());
  Icon icon = st == StepState::passed ? Icon::check : st == StepState::failed ? Icon::half : Icon::ring;
  ImU32 colour = st == StepState::passed ? t.good : st == StepState::failed ? t.warn : fade(t.faint, 0.7f);
  if (s_.running_step() == s.id()) icon = Icon::play, colour = t.accent;
  // A whole program and a stored report are never passed.
  if (icon == Icon::play || (!is_program_lab(lab) && !is_report_lab(lab)))
    draw_icon(d, icon, {q.x + px(16), q.y + rh / 2}, px(13), colour);
  ImFont* f = on ? fonts().strong : fonts().ui;
  const std::string number = step_number(lab, s);
  const float ty = q.y + (rh - f->FontSize) / 2;
  text_at(d, fonts().small,
          {q.x + px(48) - text_size(fonts().small, number).x, q.y + (rh - fonts().small->FontSize) / 2},
          t.faint, number);
  const std::string name = s.title.empty() ? s.name : s.title;
  text_at(d, f, {q.x + px(54), ty},
          on                       ? t.text
          : st == StepState::fresh ? mix(t.text, t.muted, 0.5f)
                                   : t.text,
          name, w - px(66));
  if (over) {
    const char* words[] = {"not tried yet", "tried, not passed yet", "passed"};
    tip(name + "\n" + s.id() + ", " + words[int(st)]);
  }
  ImGui::PopID();
}

void Rail::group(const std::vector<const Lab*>& labs) {
  if (labs.empty()) return;
  const Lab& first = *labs.front();
  if (rail_scroll_ && std::find(labs.begin(), labs.end(), s_.lab()) != labs.end())
    s_.settings.folded.erase(first.name);
  const bool folded = s_.settings.folded.count(first.name) > 0;
  ImGui::PushID(first.name.c_str());
  const ImVec2 p = ImGui::GetCursorScreenPos();
  // The list is narrow: a lab is named by the part of its title before the colon.
  heading(first, first.title.substr(0, first.title.find(':')) + (labs.size() > 1 ? "s" : ""), folded);
  window_.layout.push_back({"lab heading", {p.x, p.y, p.x + ImGui::GetContentRegionAvail().x, p.y + px(34)}});
  if (!folded) {
    ImGui::Dummy({1, px(3)});
    for (auto* lab : labs)
      for (auto& s : lab->steps) step_row(*lab, s);
    ImGui::Dummy({1, px(8)});
  }
  ImGui::PopID();
}

}  // namespace dojo::gui
