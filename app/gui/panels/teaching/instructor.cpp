// For instructors: runs another file instead of the student's, shows all gates, and runs a whole lab.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/panels/focus.hpp"
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
    what = s_.submissions->position();
    float side = px(26), from = p.x + width - bw - px(8) - side * 2 - px(86);
    ImGui::SetCursorScreenPos({from, p.y + (h - side) / 2});
    if (icon_button("before", Icon::chevron_left, "The student before (Alt+Page Up)", false, side))
      s_.next_submission(-1);
    ImGui::SetCursorScreenPos({from + side, p.y + (h - side) / 2});
    if (icon_button("behind", Icon::chevron_right, "The next student (Alt+Page Down)", false, side))
      s_.next_submission(1);
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

void InstructorPanel::draw() {
  auto& t = theme();
  auto* v = s_.view();
  auto& step = *s_.step();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(22), px(16)});
  ImGui::BeginChild("instructor", {0, 0}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  text_in(fonts().title, t.text, "What runs");
  gap(2);
  text_wrapped_in(fonts().small, t.muted,
                  "Choose a file and press F5: it runs beside the reference, with every plot and in slow "
                  "motion. Nothing of it is kept.");
  gap(4);
  float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* d = ImGui::GetWindowDrawList();
  auto choice = [&](const char* id, const std::string& title, const std::string& words, bool on) {
    ImFont *f = fonts().ui, *s = fonts().small;
    float wrap = width - px(40),
          wh = words.empty() ? 0 : s->CalcTextSizeA(s->FontSize, FLT_MAX, wrap, words.c_str()).y + px(2);
    float h = f->FontSize + wh + px(12);
    ImVec2 p = ImGui::GetCursorScreenPos();
    bool pressed = ImGui::InvisibleButton(id, {width, h});
    bool hover = ImGui::IsItemHovered();
    if (on)
      d->AddRectFilled(p, {p.x + width, p.y + h}, fade(t.accent, 0.16f), px(5));
    else if (hover)
      d->AddRectFilled(p, {p.x + width, p.y + h}, fade(t.hover, 0.7f), px(5));
    focus_stop(5);
    draw_icon(d, on ? Icon::dot : Icon::ring, {p.x + px(16), p.y + px(6) + f->FontSize / 2}, px(14),
              on ? t.accent : t.faint);
    text_at(d, on ? fonts().strong : f, {p.x + px(32), p.y + px(6)}, t.text, title, width - px(40));
    if (wh > 0)
      d->AddText(s, s->FontSize, {p.x + px(32), p.y + px(8) + f->FontSize}, t.muted, words.c_str(), nullptr,
                 wrap);
    return pressed;
  };
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, px(2)});
  if (choice("own", "The student's file", step.file, !v->stand_in)) s_.choose_stand_in(nullptr);
  auto& all = s_.stand_ins();
  for (auto& s : all) {
    bool on = v->stand_in && v->stand_in->label == s.label;
    std::string words =
        s.words + (s.expect.empty() ? "" : "\nMust end with " + expected_words(s.expect) + ".");
    if (choice(s.label.c_str(), s.kind == StandIn::reference ? "The reference" : s.label, words, on))
      s_.choose_stand_in(std::make_shared<StandIn>(s));
  }
  ImGui::PopStyleVar();
  if (std::none_of(all.begin(), all.end(), [](auto& s) { return s.kind == StandIn::wrong; }))
    text_wrapped_in(fonts().small, t.muted,
                    "This checkout stores no wrong versions of this step (tests/wrong).");
  gap(8);
  section("Gates of this step");
  if (step.gates.empty()) text_in(fonts().ui, t.muted, "None: the result must be right, without findings.");
  auto* r = v->has_report ? student_run(v->report) : nullptr;
  for (auto& g : step.gates) {
    const GateReport* judged = nullptr;
    if (r)
      for (auto& x : r->gates)
        if (x.name == g.expr) judged = &x;
    ImVec2 p = ImGui::GetCursorScreenPos();
    draw_icon(d,
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
            g.expr + (judged ? "    is " + number(judged->value) + ", bound " + number(judged->bound) : ""));
    text_in(fonts().small, t.muted, g.words);
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
    gap(3);
  }
  gap(8);
  lab_table();
  gap(20);
  ImGui::EndChild();
}

void InstructorPanel::lab_table() {
  auto& t = theme();
  section("The whole lab");
  if (s_.ui.focus == "lab") {
    ImGui::SetScrollHereY(0.1f);
    s_.ui.focus.clear();
  }
  bool mine = s_.lab_run_of == s_.lab()->name, going = s_.jobs().running;
  as_stop(ImGui::Checkbox("references", &s_.lab_choice.references));
  ImGui::SameLine(0, px(14));
  as_stop(ImGui::Checkbox("wrong versions", &s_.lab_choice.wrong));
  ImGui::SameLine(0, px(14));
  as_stop(ImGui::Checkbox("your files", &s_.lab_choice.students));
  gap(2);
  if (going) {
    if (primary_button("Cancel##lab", Icon::stop, !s_.cancelling())) s_.cancel();
  } else if (primary_button("Run the whole lab", Icon::play,
                            !s_.running() && (s_.lab_choice.references || s_.lab_choice.wrong ||
                                              s_.lab_choice.students))) {
    s_.run_lab(*s_.lab(), s_.lab_choice);
  }
  if (mine && !s_.lab_run.empty()) {
    ImGui::SameLine(0, px(14));
    ImVec2 p = ImGui::GetCursorScreenPos();
    float w = ImGui::GetContentRegionAvail().x, h = ImGui::GetFrameHeight();
    ImDrawList* d = ImGui::GetWindowDrawList();
    if (going) {
      d->AddRectFilled({p.x, p.y + h / 2 - px(3)}, {p.x + w, p.y + h / 2 + px(3)}, t.raised, px(3));
      d->AddRectFilled({p.x, p.y + h / 2 - px(3)}, {p.x + w * float(s_.work_share()), p.y + h / 2 + px(3)},
                       t.accent, px(3));
    } else {
      text_at(d, fonts().ui, {p.x, p.y + (h - fonts().ui->FontSize) / 2}, t.muted, summary(s_.lab_run), w);
    }
    ImGui::Dummy({w, h});
    gap(4);
    if (ImGui::BeginTable(
            "lab run", 4,
            ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_PadOuterX)) {
      ImGui::TableSetupColumn("step", 0, 1.3f);
      ImGui::TableSetupColumn("what", 0, 1.3f);
      ImGui::TableSetupColumn("outcome", 0, 1.0f);
      ImGui::TableSetupColumn("", 0, 2.4f);
      ImGui::TableHeadersRow();
      for (size_t i = 0; i < s_.lab_run.size(); ++i) {
        auto& r = s_.lab_run[i];
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushID(int(i));
        std::string step = r.step.substr(r.step.find('/') + 1);
        bool clicked = as_stop(ImGui::Selectable(step.c_str(), false, ImGuiSelectableFlags_SpanAllColumns));
        ImGui::PopID();
        tip(r.note.empty() ? "Opens this one" : r.note);
        ImGui::TableNextColumn();
        text_in(fonts().ui, t.text, fitted(fonts().ui, r.label, ImGui::GetContentRegionAvail().x));
        ImGui::TableNextColumn();
        bool now = going && i == s_.jobs().done;
        ImU32 c = !r.ran                     ? now ? t.accent : t.faint
                  : r.told                   ? (r.as_expected ? t.good : t.bad)
                  : r.status == Status::pass ? t.good
                                             : t.warn;
        std::string status = to_string(r.status);
        std::replace(status.begin(), status.end(), '_', ' ');
        text_in(fonts().ui, c,
                r.ran ? (r.told && !r.as_expected ? "unexpected: " : "") + status
                : now ? "runs"
                      : "–");
        ImGui::TableNextColumn();
        text_in(fonts().small, t.muted, fitted(fonts().small, r.note, ImGui::GetContentRegionAvail().x));
        if (clicked && !going) {
          s_.open(r.step);
          std::shared_ptr<const StandIn> in;
          for (auto& x : s_.stand_ins())
            if (x.label == r.label) in = std::make_shared<StandIn>(x);
          s_.choose_stand_in(in);
          s_.ui.tab = UiState::Tab::source;
          break;
        }
      }
      ImGui::EndTable();
    }
  }
}

}  // namespace dojo::gui
