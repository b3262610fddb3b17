// For instructors: runs another file instead of the student's, shows all gates, and runs a whole lab.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/panels/focus.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/teaching/instructor.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

void InstructorPanel::strip() {
  auto& t = theme();
  auto in = s_.view()->stand_in;
  float h = px(34), width = ImGui::GetContentRegionAvail().x;
  ImVec2 p = ImGui::GetCursorScreenPos();
  ImDrawList* d = ImGui::GetWindowDrawList();
  const bool stored = in->kind == StandIn::stored;
  ImU32 c = in->kind == StandIn::wrong ? t.warn : t.accent;
  d->AddRectFilled(p, {p.x + width, p.y + h}, fade(c, 0.14f));
  d->AddRectFilled(p, {p.x + px(4), p.y + h}, c);
  std::string what = in->kind == StandIn::reference ? "The reference"
                     : in->kind == StandIn::wrong   ? "Wrong version: " + in->label
                     : stored                       ? "Stored report, " + s_.view()->shown_from
                                                    : in->label;
  float y = p.y + (h - fonts().strong->FontSize) / 2, x = p.x + px(14);
  const char* back = "Back to the file";
  const float back_w = text_size(fonts().small, back).x + px(20);
  float bw = back_w;
  if (in->kind == StandIn::submission) {
    // Previous and next student, and back to the table.
    what = s_.desk.table->position();
    float side = px(26), from = p.x + width - bw - px(8) - side * 2 - px(86);
    ImGui::SetCursorScreenPos({from, p.y + (h - side) / 2});
    if (icon_button("before", Icon::chevron_left, "The student before (Alt+Page Up)", false, side))
      s_.desk.next(-1);
    ImGui::SetCursorScreenPos({from + side, p.y + (h - side) / 2});
    if (icon_button("behind", Icon::chevron_right, "The next student (Alt+Page Down)", false, side))
      s_.desk.next(1);
    ImGui::SetCursorScreenPos(
        {from + side * 2 + px(6), p.y + std::floor((h - fonts().small->FontSize - px(9)) / 2)});
    ImGui::PushFont(fonts().small);
    if (pill("All rows", false)) s_.ui.submissions = true;
    ImGui::PopFont();
    tip("The table of all submissions (F7)");
    bw += side * 2 + px(94);
  }
  if (stored) {
    text_at(d, fonts().strong, {x, y}, t.text, what, width - px(28));
    const float from = x + text_size(fonts().strong, what).x + px(14);
    if (const float room = p.x + width - px(14) - from; room > px(40))
      text_at(d, fonts().small, {from, p.y + (h - fonts().small->FontSize) / 2}, t.muted,
              fitted(fonts().small, in->ran_on, room));
    ImGui::InvisibleButton("stored", {width, h});
    tip(in->ran_on);
    window_.layout.push_back({"stored strip", {p.x, p.y, p.x + width, p.y + h}});
    return;
  }
  std::string run = what + (in->kind == StandIn::submission ? "" : " runs in your file's place");
  text_at(d, fonts().strong, {x, y}, t.text, run, width - bw - px(30));
  ImGui::SetCursorScreenPos(
      {p.x + width - back_w - px(8), p.y + std::floor((h - fonts().small->FontSize - px(9)) / 2)});
  ImGui::PushFont(fonts().small);
  if (pill(back, false)) s_.choose_stand_in(nullptr);
  ImGui::PopFont();
  tip("The student's file runs again");
  ImGui::SetCursorScreenPos({p.x, p.y + h});
}

void InstructorPanel::source() {
  auto& t = theme();
  auto* v = s_.view();
  auto in = v->stand_in;
  if (!in) return;
  const std::string words =
      in->words + (in->expect.empty() ? "" : "  Must end with " + expected_words(in->expect) + ".");
  if (!words.empty()) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(14), px(8)});
    const float wrap = ImGui::GetContentRegionAvail().x - px(28);
    ImFont* f = fonts().small;
    const float h = f->CalcTextSizeA(f->FontSize, FLT_MAX, wrap, words.c_str()).y + px(16);
    ImGui::BeginChild("stand-in words", {0, h}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar);
    ImGui::PopStyleVar();
    text_wrapped_in(f, in->missing && in->kind != StandIn::stored ? t.bad : t.muted, words);
    ImGui::EndChild();
  }
  // An empty page with a first line would look like an empty file.
  if (in->kind == StandIn::stored && in->file.empty()) return;
  CodeSpec spec;
  spec.wrap = s_.settings.wrap;
  spec.heat = &v->heat;
  spec.marks = &v->marks;
  spec.heat_title = heat_metric(s_.settings.heat).title;
  spec.go_line = s_.ui.go_line;
  auto* run = v->has_report && v->own_report() ? student_run(v->report) : nullptr;
  spec.tooltip = [&, run](int line) {
    std::string out = fmt::format("Line {}", line);
    if (run)
      for (auto& [name, value] : line_counters(*run, s_.step()->file, line))
        out += fmt::format("\n{}  {}", grouped(value), name);
    return out;
  };
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  window_.code.draw("stand-in", window_.text_of(*in), spec, ImGui::GetContentRegionAvail());
  ImGui::PopStyleVar();
}

namespace {

/// A row that chooses one file: a dot or a ring, a title, and words below it. True when it is pressed.
bool choice_row(const char* id, const std::string& title, const std::string& words, bool on) {
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  const float width = ImGui::GetContentRegionAvail().x, wrap = width - px(40);
  ImFont *f = fonts().ui, *small = fonts().small;
  const float words_height =
      words.empty() ? 0 : small->CalcTextSizeA(small->FontSize, FLT_MAX, wrap, words.c_str()).y + px(2);
  const float height = f->FontSize + words_height + px(12);
  const ImVec2 p = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id, {width, height});
  const bool hover = ImGui::IsItemHovered();
  if (on || hover)
    d->AddRectFilled(p, {p.x + width, p.y + height}, on ? fade(t.accent, 0.16f) : fade(t.hover, 0.7f), px(5));
  focus_stop(5);
  draw_icon(d, on ? Icon::dot : Icon::ring, {p.x + px(16), p.y + px(6) + f->FontSize / 2}, px(14),
            on ? t.accent : t.faint);
  text_at(d, on ? fonts().strong : f, {p.x + px(32), p.y + px(6)}, t.text, title, width - px(40));
  if (words_height > 0)
    d->AddText(small, small->FontSize, {p.x + px(32), p.y + px(8) + f->FontSize}, t.muted, words.c_str(),
               nullptr, wrap);
  return pressed;
}

const GateReport* gate_of(const RunReport* run, const GateDef& gate) {
  if (!run) return nullptr;
  const auto at = std::ranges::find(run->gates, gate.expr, &GateReport::name);
  return at == run->gates.end() ? nullptr : &*at;
}

/// A gate with its value and bound; without a run a ring.
void gate_row(const GateDef& gate, const GateReport* judged) {
  auto& t = theme();
  const ImVec2 p = ImGui::GetCursorScreenPos();
  draw_icon(ImGui::GetWindowDrawList(),
            !judged        ? Icon::ring
            : judged->pass ? Icon::check
                           : Icon::cross,
            {p.x + px(9), p.y + fonts().mono->FontSize * 0.65f}, px(13),
            !judged        ? t.faint
            : judged->pass ? t.good
                           : t.bad);
  ImGui::SetCursorScreenPos({p.x + px(24), p.y});
  ImGui::BeginGroup();
  ImGui::PushTextWrapPos(0);
  text_in(fonts().mono_small, t.text,
          gate.expr + (judged ? "    is " + number(judged->value) + ", bound " + number(judged->bound) : ""));
  ImGui::PopTextWrapPos();
  glossed(fonts().small, t.muted, gate.words);
  ImGui::EndGroup();
  gap(3);
}

/// A row of the whole lab's table; true when it is clicked.
bool lab_row(const LabRow& r, bool runs_now) {
  auto& t = theme();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const std::string step = r.step.substr(r.step.find('/') + 1);
  const bool clicked = as_stop(ImGui::Selectable(step.c_str(), false, ImGuiSelectableFlags_SpanAllColumns));
  tip(r.note.empty() ? "Opens this one" : r.note);
  ImGui::TableNextColumn();
  text_in(fonts().ui, t.text, fitted(fonts().ui, r.label, ImGui::GetContentRegionAvail().x));
  ImGui::TableNextColumn();
  const ImU32 colour = !r.ran                     ? runs_now ? t.accent : t.faint
                       : r.told                   ? (r.as_expected ? t.good : t.bad)
                       : r.status == Status::pass ? t.good
                                                  : t.warn;
  std::string status = to_string(r.status);
  std::replace(status.begin(), status.end(), '_', ' ');
  text_in(fonts().ui, colour,
          r.ran      ? (r.told && !r.as_expected ? "unexpected: " : "") + status
          : runs_now ? "runs"
                     : "–");
  ImGui::TableNextColumn();
  text_in(fonts().small, t.muted, fitted(fonts().small, r.note, ImGui::GetContentRegionAvail().x));
  return clicked;
}

}  // namespace

void InstructorPanel::draw() {
  auto& t = theme();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(22), px(16)});
  ImGui::BeginChild("instructor", {0, 0}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  text_in(fonts().title, t.text, "What runs");
  gap(2);
  text_wrapped_in(fonts().small, t.muted,
                  "Choose a file and press F5: it runs beside the reference, with every plot and in slow "
                  "motion. Nothing of it is kept.");
  gap(4);
  choices();
  gap(8);
  gates();
  gap(8);
  section("The whole lab");
  if (s_.ui.focus == "lab") {
    ImGui::SetScrollHereY(0.1f);
    s_.ui.focus.clear();
  }
  lab_controls();
  if (s_.lab_run.of == s_.lab()->name && !s_.lab_run.rows.empty()) {
    ImGui::SameLine(0, px(14));
    lab_progress();
    gap(4);
    lab_table();
  }
  gap(20);
  ImGui::EndChild();
}

void InstructorPanel::choices() {
  auto* v = s_.view();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, px(2)});
  if (choice_row("own", "The student's file", s_.step()->file, !v->stand_in)) s_.choose_stand_in(nullptr);
  const auto& all = s_.stand_ins();
  for (const StandIn& s : all) {
    const bool on = v->stand_in && v->stand_in->label == s.label;
    const std::string words =
        s.words + (s.expect.empty() ? "" : "\nMust end with " + expected_words(s.expect) + ".");
    if (choice_row(s.label.c_str(), s.kind == StandIn::reference ? "The reference" : s.label, words, on))
      s_.choose_stand_in(std::make_shared<StandIn>(s));
  }
  ImGui::PopStyleVar();
  if (std::ranges::find(all, StandIn::wrong, &StandIn::kind) == all.end())
    text_wrapped_in(fonts().small, theme().muted,
                    "This checkout stores no wrong versions of this step (tests/wrong).");
}

void InstructorPanel::gates() {
  const auto* v = s_.view();
  const Step& step = *s_.step();
  section("Gates of this step");
  if (step.gates.empty())
    text_in(fonts().ui, theme().muted, "None: the result must be right, without findings.");
  const RunReport* run = v->has_report ? student_run(v->report) : nullptr;
  for (const GateDef& g : step.gates) gate_row(g, gate_of(run, g));
}

/// What to run of the lab, and the button that runs it or cancels.
void InstructorPanel::lab_controls() {
  as_stop(ImGui::Checkbox("references", &s_.lab_run.choice.references));
  ImGui::SameLine(0, px(14));
  as_stop(ImGui::Checkbox("wrong versions", &s_.lab_run.choice.wrong));
  ImGui::SameLine(0, px(14));
  as_stop(ImGui::Checkbox("your files", &s_.lab_run.choice.students));
  gap(2);
  const bool anything = s_.lab_run.choice.references || s_.lab_run.choice.wrong || s_.lab_run.choice.students;
  if (s_.jobs.line().running) {
    if (primary_button("Cancel##lab", Icon::stop, !s_.cancelling())) s_.cancel();
  } else if (primary_button("Run the whole lab", Icon::play, !s_.running() && anything)) {
    s_.lab_run.start(*s_.lab(), s_.lab_run.choice);
  }
}

/// A bar while the lab runs, then its summary.
void InstructorPanel::lab_progress() {
  auto& t = theme();
  const ImVec2 p = ImGui::GetCursorScreenPos();
  const float w = ImGui::GetContentRegionAvail().x, h = ImGui::GetFrameHeight();
  ImDrawList* d = ImGui::GetWindowDrawList();
  if (s_.jobs.line().running) {
    const float top = p.y + h / 2 - px(3), bottom = p.y + h / 2 + px(3);
    d->AddRectFilled({p.x, top}, {p.x + w, bottom}, t.raised, px(3));
    d->AddRectFilled({p.x, top}, {p.x + w * float(s_.work_share()), bottom}, t.accent, px(3));
  } else {
    text_at(d, fonts().ui, {p.x, p.y + (h - fonts().ui->FontSize) / 2}, t.muted, summary(s_.lab_run.rows), w);
  }
  ImGui::Dummy({w, h});
}

void InstructorPanel::lab_table() {
  if (!ImGui::BeginTable(
          "lab run", 4,
          ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_PadOuterX))
    return;
  ImGui::TableSetupColumn("step", 0, 1.3f);
  ImGui::TableSetupColumn("what", 0, 1.3f);
  ImGui::TableSetupColumn("outcome", 0, 1.0f);
  ImGui::TableSetupColumn("", 0, 2.4f);
  ImGui::TableHeadersRow();
  const bool going = s_.jobs.line().running;
  for (size_t i = 0; i < s_.lab_run.rows.size(); ++i) {
    ImGui::PushID(int(i));
    const bool clicked = lab_row(s_.lab_run.rows[i], going && i == s_.jobs.line().done);
    ImGui::PopID();
    if (!clicked || going) continue;
    open_row(s_.lab_run.rows[i]);
    break;
  }
  ImGui::EndTable();
}

/// Opens a row's step with the file that ran.
void InstructorPanel::open_row(const LabRow& row) {
  const std::string label = row.label;  // the row may go with the lab's last run
  s_.open(row.step);
  std::shared_ptr<const StandIn> in;
  for (const StandIn& x : s_.stand_ins())
    if (x.label == label) in = std::make_shared<StandIn>(x);
  s_.choose_stand_in(in);
  s_.ui.tab = UiState::Tab::source;
}

}  // namespace dojo::gui
