// Right or wrong, why, and what next.
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/counters.hpp"
#include "gui/model/text/step_title.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/result/result.hpp"
#include "gui/panels/step/brief.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"
#include "run/own_program.hpp"

namespace dojo::gui {

bool ResultPanel::run_on_own_device() {
  const std::string device = s_.step()->device;
  std::string title = device;
  for (auto& d : s_.devices())
    if (d.name == device) title = d.title + (d.kind == DeviceKind::simt ? " (modelled)" : "");
  const std::string label = fitted(fonts().ui, "Run it on " + title, ImGui::GetContentRegionAvail().x);
  const bool pressed = link(label);
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  window_.layout.push_back({label, {a.x, a.y, b.x, b.y}});
  if (!pressed) return false;
  s_.choose_device(device);
  s_.run(false);
  return true;
}

/// What stands where the result will: what runs, or how to run it.
void ResultPanel::not_run() {
  auto& t = theme();
  auto* v = s_.view();
  ImDrawList* d = ImGui::GetWindowDrawList();
  const bool program = run::is_program(*s_.step());
  if (s_.running_step() == v->id) {
    text_in(fonts().title, t.text, "Running…");
    gap(2);
    text_wrapped_in(fonts().ui, t.muted,
                    std::string(program       ? "Your program runs from main to its end."
                                : v->stand_in ? v->stand_in->label + " runs first, then the reference."
                                              : "Your kernel runs first, then the reference.") +
                        " The window stays yours meanwhile." +
                        (s_.run_limit_s() > 0
                             ? fmt::format(" It is stopped after {:.0f} s of computing.", s_.run_limit_s())
                             : ""));
  } else if (v->error.empty()) {
    text_in(fonts().title, t.text, "Not run yet");
    gap(2);
    const std::string words =
        v->stand_in
            ? "Press Run: " + v->stand_in->label +
                  (v->stand_in->hostile() ? "'s file runs in a sandbox" : " runs in the place of your file") +
                  ", and nothing of it is kept."
        : program ? "Press Run, or just save the file in your own editor."
                  : "Read the brief, edit the file, and press Run, or just save it in your own editor.";
    text_wrapped_in(fonts().ui, t.muted, words);
    const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
    window_.layout.push_back({"not run: " + words, {lo.x, lo.y, hi.x, hi.y}});
    gap(8);
    auto cap = [&](const char* keys, const char* what) {
      ImVec2 p = ImGui::GetCursorScreenPos();
      key_cap(keys);
      text_at(d, fonts().small, {p.x + px(62), p.y + px(2.5f)}, t.muted, what);
      gap(1);
    };
    cap("F5", program ? "run the program" : v->stand_in ? "run this file" : "run the step");
    if (!v->stand_in) cap("Ctrl+E", "open the file in your editor");
    if (!program && !v->stand_in) cap("Ctrl+H", "a hint");
    cap("Ctrl+P", "every command");
  }
}

/// The small words below a headline, in as many lines as they need: their end says what was expected, that
/// the file has changed, or from which commit a recording is. Returns where they or the icon beside them end.
float ResultPanel::head_words(float x, float top, float width, const std::string& words) {
  const float side = px(34), room = width - side - px(18), size = fonts().small->FontSize;
  const ImVec2 at = {std::floor(x), std::floor(top + side - size + px(1))};
  float y = at.y, widest = 0;
  for (const std::string& line : wrapped_lines(fonts().small, words, room)) {
    text_at(ImGui::GetWindowDrawList(), fonts().small, {at.x, y}, theme().muted, line);
    widest = std::max(widest, text_size(fonts().small, line).x);
    y += size;
  }
  window_.layout.push_back({"verdict's detail", {at.x, at.y, at.x + widest, y}});
  return std::max(top + side, y);
}

void ResultPanel::head(const Headline& h) {
  auto& t = theme();
  auto* v = s_.view();
  const bool stored = s_.stored();
  ImDrawList* d = ImGui::GetWindowDrawList();
  const float width = ImGui::GetContentRegionAvail().x;
  ImVec2 p = ImGui::GetCursorScreenPos();
  const ImU32 c = v->stale() ? t.muted : t.of(h.tone);
  float side = px(34);
  d->AddRectFilled(p, {p.x + side, p.y + side}, fade(c, 0.18f), px(8));
  draw_icon(d,
            h.tone == Tone::good   ? Icon::check
            : h.tone == Tone::warn ? Icon::warning
            : v->todo_line         ? Icon::pencil
                                   : Icon::cross,
            {p.x + side / 2, p.y + side / 2}, px(19), c);
  float tx = p.x + side + px(12);
  text_at(d, fonts().title, {tx, p.y - px(2)}, v->stale() ? t.muted : t.text, h.title, width - side - px(12));
  std::string detail =
      h.detail +
      // A stored report says when and where it ran above its source.
      (v->shown_from.empty() || stored ? "" : " (Run of " + v->shown_from.substr(0, 16) + ".)") +
      (v->stale() ? (v->own_report() ? " (The file has changed since.)" : " (Another file would run now.)")
                  : "");
  // Chosen after the run, or while it went on: the figures are of the other one.
  if (!stored && v->report.device.name != s_.device()) detail += " (On " + v->report.device.title + ".)";
  ImGui::SetCursorScreenPos({p.x, head_words(tx, p.y, width, detail) + px(9)});
}

/// The first lines of a result card's picture: what it is a result of.
void ResultPanel::card_head() {
  ImGui::SetScrollY(0);
  const ImU32 colours[] = {theme().text, theme().muted};
  for (size_t k = 0; k < s_.card_head.size() && k < 2; ++k) {
    text_wrapped_in(k == 0 ? fonts().strong : fonts().small, colours[k], s_.card_head[k]);
    const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
    window_.layout.push_back({"card: " + s_.card_head[k], {lo.x, lo.y, hi.x, hi.y}});
  }
  gap(10);
}

void ResultPanel::draw() {
  auto& t = theme();
  auto* v = s_.view();
  ImGui::BeginChild("verdict body", {0, 0}, false);
  if (s_.ui.card) card_head();
  if (!v->error.empty()) {
    text_in(fonts().title, t.bad, "The run could not be made");
    gap(2);
    text_wrapped_in(fonts().ui, t.text, v->error);
    // A recording has few sizes of few steps.
    if (s_.device().starts_with("rec:")) run_on_own_device();
    gap(8);
  }
  if (!v->file_problem.empty()) {
    text_in(fonts().title, t.bad, v->file_gone ? "The file is not there" : "The file cannot be opened");
    gap(2);
    text_wrapped_in(fonts().ui, t.text, v->file_problem);
    gap(8);
  }
  auto* r = v->has_report ? student_run(v->report) : nullptr;
  auto* ref = v->has_report ? reference_run(v->report) : nullptr;
  const bool stored = s_.stored();
  if (!r && ref && v->report.device.kind == DeviceKind::recording && !stored) {
    recorded(*ref);
    ImGui::EndChild();
    return;
  }
  if (!r && !ref) {
    not_run();
    ImGui::EndChild();
    return;
  }
  if (!r) r = ref;
  Headline h = headline(*r);
  // A report without gates is of a program, or of a run that asked for none.
  const bool program = run::is_program(*s_.step()) || (stored && r->gates.empty());
  if (program && r->status == Status::pass) {
    const size_t n = r->diagnostics.size();
    h = {Tone::good, "Ran to its end",
         n == 0   ? "There are no findings."
         : n == 1 ? "There is one warning."
                  : fmt::format("There are {} warnings.", n)};
  }
  if (v->todo_line)
    h = {Tone::neutral, "Not started", "The TODO is at line " + std::to_string(v->todo_line) + "."};
  head(h);
  if (v->todo_line && !s_.ui.card) {
    if (link("Go to line " + std::to_string(v->todo_line))) {
      s_.ui.tab = UiState::Tab::source;
      window_.pending_line = v->todo_line;
    }
    gap(6);
  }
  const bool own = r == student_run(v->report);
  if (r->status == Status::pass && own && !program && !stored && !s_.ui.card) next_card();
  // Where the text is wrong, the line that differs comes before hundreds that don't.
  if (text_differs(*r)) findings(*r);
  printed_text(*r);
  if (!text_differs(*r)) findings(*r);
  if (h.tone == Tone::bad) mismatches(*r);
  gates(*r);
  run_times(*r, ref);
  if (program || stored) kernel_table(*r);
  // The prediction is here only while the brief, which also has it, is hidden; a card has the result alone.
  if (!window_.brief_shown && !s_.ui.card && !s_.awaiting_prediction() &&
      !s_.step()->prediction.question.empty()) {
    gap(8);
    brief_.prediction_card(false);
  }
  if (!s_.ui.card) advice();
  const float end = ImGui::GetCursorScreenPos().y;
  window_.layout.push_back({"result's end", {0, end, 0, end}});
  gap(10);
  ImGui::EndChild();
}

void ResultPanel::recorded(const RunReport& reference) {
  auto& t = theme();
  auto* v = s_.view();
  const ImU32 c = t.of(Series::reference);
  ImDrawList* d = ImGui::GetWindowDrawList();
  const float width = ImGui::GetContentRegionAvail().x, side = px(34);
  const ImVec2 p = ImGui::GetCursorScreenPos();
  d->AddRectFilled(p, {p.x + side, p.y + side}, fade(c, 0.18f), px(8));
  draw_icon(d, Icon::info, {p.x + side / 2, p.y + side / 2}, px(19), c);
  const float tx = p.x + side + px(12);
  text_at(d, fonts().title, {tx, p.y - px(2)}, c, "Recorded reference", width - side - px(12));
  ImGui::SetCursorScreenPos({p.x, head_words(tx, p.y, width, v->report.device.recorded_note) + px(10)});
  const float fw = (width - px(8)) / 2, fh = px(56);
  const ImVec2 q = ImGui::GetCursorScreenPos();
  for (int i = 0; i < 2; ++i) {
    const ImVec2 a = {q.x + (fw + px(8)) * float(i), q.y}, b = {a.x + fw, a.y + fh};
    const bool you = i == 0;
    d->AddRectFilled(a, b, t.raised, px(7));
    d->AddRectFilled({a.x + px(10), a.y + px(10)}, {a.x + px(13), b.y - px(10)},
                     you ? fade(t.faint, 0.5f) : c, px(2));
    text_at(d, fonts().small, {a.x + px(20), a.y + px(8)}, t.muted, you ? "You" : "Reference", fw - px(24));
    text_at(d, fonts().title, {a.x + px(20), a.y + px(25)}, you ? t.faint : t.text,
            you ? "–" : time_text(reference.time_us.value), fw - px(24));
  }
  ImGui::Dummy({width, fh});
  gap(4);
  text_wrapped_in(fonts().ui, t.text,
                  "Your side is empty: a recording cannot run your file. Choose a modelled GPU, or a GPU of "
                  "this machine, to run it.");
  // An error above offers it already.
  if (v->error.empty() || !s_.device().starts_with("rec:")) run_on_own_device();
  gap(10);
}

void ResultPanel::next_card() {
  auto& t = theme();
  auto* next = s_.next_step();
  if (!next) {
    text_in(fonts().ui, t.good, "That was the last step. Well done.");
    return;
  }
  if (primary_button("Next step", Icon::arrow_right)) {
    s_.open(next->id());
    return;
  }
  ImGui::SameLine(0, px(12));
  ImGui::AlignTextToFramePadding();
  std::string what = step_title(s_.catalog().lab_of(*next), *next);
  text_in(fonts().ui, t.muted, fitted(fonts().ui, what, ImGui::GetContentRegionAvail().x));
  gap(4);
}

}  // namespace dojo::gui
