// Right or wrong, why, and what next.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counters.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/ui.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"
#include "run/own_program.hpp"

namespace dojo::gui {

void Ui::verdict() {
  auto& t = theme();
  auto* v = s_.view();
  ImGui::BeginChild("verdict body", {0, 0}, false);
  ImDrawList* d = ImGui::GetWindowDrawList();
  float width = ImGui::GetContentRegionAvail().x;
  if (!v->error.empty()) {
    text_in(fonts().title, t.bad, "The run could not be made");
    gap(2);
    text_wrapped_in(fonts().ui, t.text, v->error);
    gap(8);
  }
  if (!v->file_problem.empty()) {
    text_in(fonts().title, t.bad, "The file is not there");
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
    if (s_.running_step() == v->id) {
      text_in(fonts().title, t.text, "Running…");
      gap(2);
      text_wrapped_in(fonts().ui, t.muted,
                      "Your kernel runs first, then the reference. The window stays yours meanwhile." +
                          (s_.run_limit_s() > 0
                               ? fmt::format(" It is stopped after {:.0f} s of computing.", s_.run_limit_s())
                               : ""));
    } else if (v->error.empty()) {
      text_in(fonts().title, t.text, "Not run yet");
      gap(2);
      text_wrapped_in(fonts().ui, t.muted,
                      "Read the brief, edit the file, and press Run, or just save it in your own editor.");
      gap(8);
      auto cap = [&](const char* keys, const char* what) {
        ImVec2 p = ImGui::GetCursorScreenPos();
        key_cap(keys);
        text_at(d, fonts().small, {p.x + px(62), p.y + px(2.5f)}, t.muted, what);
        gap(1);
      };
      cap("F5", "run the step");
      cap("Ctrl+E", "open the file in your editor");
      cap("Ctrl+H", "a hint");
      cap("Ctrl+P", "every command");
    }
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
  ImVec2 p = ImGui::GetCursorScreenPos();
  ImU32 c = t.of(h.tone);
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
      h.detail + (v->shown_from.empty() ? "" : (stored ? " (Stored " : " (Run of ") + v->shown_from + ".)") +
      (v->stale() ? (v->own_report() ? " (The file has changed since.)" : " (Another file would run now.)")
                  : "");
  text_at(d, fonts().small, {tx, p.y + side - fonts().small->FontSize + px(1)}, t.muted, detail,
          width - side - px(12));
  if (text_size(fonts().small, detail).x > width - side - px(12)) {
    ImGui::SetCursorScreenPos({tx, p.y + side - fonts().small->FontSize});
    ImGui::InvisibleButton("detail", {width - side - px(12), fonts().small->FontSize + 2});
    tip(detail);
  }
  ImGui::SetCursorScreenPos({p.x, p.y + side + px(10)});

  if (v->todo_line) {
    if (link("Go to line " + std::to_string(v->todo_line))) {
      s_.ui.tab = UiState::Tab::source;
      pending_line_ = v->todo_line;
    }
    gap(6);
  }
  const bool own = r == student_run(v->report);
  if (r->status == Status::pass && own && !program && !stored) next_card();
  printed_text(*r);
  findings(*r);
  if (h.tone == Tone::bad) mismatches(*r);
  gates(*r);
  run_times(*r, ref);
  if (program || stored) kernel_table(*r);
  // Once: in the brief where that is shown.
  if (!brief_shown_ && !s_.awaiting_prediction() && !s_.step()->prediction.question.empty()) {
    gap(8);
    prediction_card(false);
  }
  advice();
  gap(10);
  ImGui::EndChild();
}

void Ui::kernel_table(const RunReport& r) {
  auto& t = theme();
  const auto rows = run::kernel_rows(r);
  if (rows.empty()) return;
  section("Kernels");
  if (!ImGui::BeginTable(
          "kernels", 4,
          ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg | ImGuiTableFlags_PadOuterX))
    return;
  ImGui::TableSetupColumn("kernel", 0, 1.6f);
  ImGui::TableSetupColumn("launches", 0, 0.8f);
  ImGui::TableSetupColumn("time", 0, 0.9f);
  ImGui::TableSetupColumn("bound by", 0, 1.4f);
  table_heads(0b0110);
  for (auto& k : rows) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    text_in(fonts().ui, t.text, fitted(fonts().ui, k.kernel, ImGui::GetContentRegionAvail().x));
    tip(k.kernel);
    ImGui::TableNextColumn();
    number_cell(fonts().ui, t.text, std::to_string(k.launches));
    ImGui::TableNextColumn();
    number_cell(fonts().ui, t.text, time_on(s_.view()->report.device, k.time_us));
    ImGui::TableNextColumn();
    text_in(fonts().ui, t.muted, k.bound_by.empty() ? "–" : k.bound_by);
  }
  ImGui::EndTable();
  gap(4);
}

void Ui::printed_text(const RunReport& r) {
  if (r.printed.empty()) return;
  auto& t = theme();
  section("Printed");
  const std::string text = r.printed.substr(0, 4000);
  text_in(fonts().mono, t.text, text);
  if (text.size() < r.printed.size()) text_in(fonts().small, t.muted, "… and more");
  gap(4);
}

void Ui::run_times(const RunReport& r, const RunReport* ref) {
  if (!(r.time_us.value > 0) || r.status == Status::compile_error) return;
  auto& t = theme();
  auto* v = s_.view();
  const bool units = in_units(v->report.device);
  const float width = ImGui::GetContentRegionAvail().x;
  struct Fig {
    std::string label, value, note;
    ImU32 colour;
  };
  auto rate = [&](const RunReport& run) { return run.gbps > 0 && !units ? si(run.gbps) + " GB/s" : ""; };
  auto time = [&](const RunReport& run) { return time_on(v->report.device, run.time_us.value); };
  std::vector<Fig> figs;
  figs.push_back({v->report_of.empty() ? (&r == ref ? "Reference" : "You") : v->report_of, time(r), rate(r),
                  t.of(&r == ref ? Series::reference : Series::student)});
  if (ref && ref != &r && ref->time_us.value > 0)
    figs.push_back({"Reference", time(*ref), rate(*ref), t.of(Series::reference)});
  if (r.pct_of_peak_bandwidth > 0 && !units)
    figs.push_back(
        {"Of the peak", fmt::format("{:.0f} %", r.pct_of_peak_bandwidth),
         to_string(v->report.device.kind == DeviceKind::simt ? Source::modelled : r.time_us.source),
         t.muted});
  section("Time");
  // Where it is narrow, the least of them gives way.
  auto fits = [&] {
    float room = (width - px(8) * float(figs.size() - 1)) / float(figs.size()) - px(24);
    return std::all_of(figs.begin(), figs.end(),
                       [&](auto& f) { return text_size(fonts().title, f.value).x <= room; });
  };
  while (figs.size() > 1 && !fits()) figs.pop_back();
  float fw = (width - px(8) * float(figs.size() - 1)) / float(figs.size()), fh = px(56);
  ImVec2 q = ImGui::GetCursorScreenPos();
  ImDrawList* d = ImGui::GetWindowDrawList();
  for (size_t i = 0; i < figs.size(); ++i) {
    ImVec2 a = {q.x + (fw + px(8)) * float(i), q.y}, b = {a.x + fw, a.y + fh};
    d->AddRectFilled(a, b, t.raised, px(7));
    d->AddRectFilled({a.x + px(10), a.y + px(10)}, {a.x + px(13), b.y - px(10)}, figs[i].colour, px(2));
    text_at(d, fonts().small, {a.x + px(20), a.y + px(8)}, t.muted, figs[i].label, fw - px(24));
    text_at(d, fonts().title, {a.x + px(20), a.y + px(25)}, t.text, figs[i].value, fw - px(24));
    float vw = text_size(fonts().title, figs[i].value).x, nw = text_size(fonts().small, figs[i].note).x;
    if (vw + nw + px(38) < fw)
      text_at(d, fonts().small, {b.x - nw - px(10), b.y - px(11) - fonts().small->FontSize}, t.faint,
              figs[i].note);
  }
  ImGui::Dummy({width, fh});
  if (ref && ref != &r && !v->todo_line) {
    std::string ratio = ratio_text(r.time_us.value, ref->time_us.value);
    const char* doubt = correct(r) ? "" : "The result is wrong, so its time says little: ";
    const char* source = r.time_us.source == Source::modelled ? ", modelled." : ", measured.";
    if (!ratio.empty()) text_wrapped_in(fonts().small, t.muted, doubt + ratio + source);
  }
  gap(4);
}

void Ui::recorded(const RunReport& reference) {
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
  text_at(d, fonts().small, {tx, p.y + side - fonts().small->FontSize + px(1)}, t.muted,
          v->report.device.recorded_note, width - side - px(12));
  ImGui::SetCursorScreenPos({p.x, p.y + side + px(10)});
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
  if (link("Run it on " + s_.step()->device)) {
    s_.choose_device(s_.step()->device);
    s_.run(false);
  }
  gap(10);
}

void Ui::advice() {
  auto& t = theme();
  auto* v = s_.view();
  if (v->advice.empty()) return;
  section("Advice");
  ImDrawList* d = ImGui::GetWindowDrawList();
  int n = 0;
  for (auto& a : v->advice) {
    if (n == 3) break;
    ImGui::PushID(1000 + n++);
    ImVec2 p = ImGui::GetCursorScreenPos();
    d->AddCircleFilled({p.x + px(9), p.y + fonts().ui->FontSize * 0.62f}, px(3), n == 1 ? t.accent : t.faint);
    ImGui::SetCursorScreenPos({p.x + px(24), p.y});
    ImGui::BeginGroup();
    glossed(fonts().ui, t.text, for_reading(a.text));
    ImGui::PushFont(fonts().small);
    bool same = false;
    if (a.line > 0 && same_file(a.file, s_.step()->file)) {
      if (link("line " + std::to_string(a.line))) {
        s_.ui.tab = UiState::Tab::source;
        pending_line_ = a.line;
      }
      same = true;
    }
    const Lab* lab = a.lab.empty() ? nullptr : s_.catalog().find_lab(a.lab);
    if (lab && lab != s_.lab() && !lab->steps.empty()) {
      if (same) ImGui::SameLine(0, px(14));
      if (link("Lab: " + lab->title)) s_.open(lab->steps.front().id());
    }
    ImGui::PopFont();
    ImGui::EndGroup();
    gap(4);
    ImGui::PopID();
  }
}

void Ui::next_card() {
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
  std::string what = std::to_string(next->number) + ". " + next->title;
  text_in(fonts().ui, t.muted, fitted(fonts().ui, what, ImGui::GetContentRegionAvail().x));
  gap(4);
}

void Ui::findings(const RunReport& r) {
  auto& t = theme();
  if (r.diagnostics.empty()) return;
  section(r.status == Status::compile_error ? "Errors" : "Findings");
  ImDrawList* d = ImGui::GetWindowDrawList();
  int n = 0;
  for (auto& x : r.diagnostics) {
    if (++n > 30) {
      text_in(fonts().small, t.muted, fmt::format("… and {} more", r.diagnostics.size() - 30));
      break;
    }
    ImGui::PushID(n);
    ImU32 c = x.severity == Severity::error ? t.bad : x.severity == Severity::warning ? t.warn : t.muted;
    ImVec2 p = ImGui::GetCursorScreenPos();
    float lh = fonts().ui->FontSize * 1.3f;
    draw_icon(d,
              x.severity == Severity::error     ? Icon::cross
              : x.severity == Severity::warning ? Icon::warning
                                                : Icon::info,
              {p.x + px(9), p.y + lh / 2}, px(14), c);
    ImGui::SetCursorScreenPos({p.x + px(24), p.y});
    ImGui::BeginGroup();
    glossed(fonts().ui, t.text, x.message);
    auto jump = [&](const SourceLoc& w, int k) {
      if (w.line <= 0) return;
      ImGui::PushID(k);
      ImGui::PushFont(fonts().small);
      bool mine = same_file(w.file, s_.step()->file);
      std::string where = (mine ? "line " : w.file + ":") + std::to_string(w.line) +
                          (w.column > 0 ? ", column " + std::to_string(w.column) : "");
      if (mine ? link(where) : false) {
        s_.ui.tab = UiState::Tab::source;
        s_.ui.go_line = 0;
        if (auto* v = s_.view()) v->text.move_to({w.line - 1, std::max(0, w.column - 1)});
        pending_line_ = w.line;
      }
      if (!mine) text_in(fonts().small, t.muted, where);
      ImGui::PopFont();
      ImGui::PopID();
    };
    std::string place = place_text(x.block, x.thread);
    if (!x.kernel.empty()) place = x.kernel + (place.empty() ? "" : ", " + place);
    jump(x.where, 0);
    if (x.where.line > 0 && !place.empty()) {
      std::string text = "·  " + place;
      if (ImGui::GetItemRectMax().x + text_size(fonts().small, text).x + px(8) <
          ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x)
        ImGui::SameLine(0, px(8));
      text_in(fonts().small, t.muted, text);
    } else if (!place.empty()) {
      text_in(fonts().small, t.muted, place);
    }
    if (x.block && !x.kernel.empty() && !s_.stored() && &r == student_run(s_.view()->report)) {
      ImGui::PushFont(fonts().small);
      if (link("Watch it in slow motion")) s_.open_motion_at(x);
      tip("Records this block and stops where it was found (F8)");
      ImGui::PopFont();
    }
    int k = 1;
    for (auto& rel : x.related) {
      ImGui::PushTextWrapPos(0);
      std::string who = place_text(rel.block, rel.thread);
      text_in(fonts().small, t.muted, rel.message + (who.empty() ? "" : " (" + who + ")"));
      ImGui::PopTextWrapPos();
      jump(rel.where, k++);
    }
    ImGui::EndGroup();
    gap(4);
    ImGui::PopID();
  }
}

void Ui::mismatches(const RunReport& r) {
  auto& t = theme();
  if (r.check.mismatches.empty() || text_differs(r)) return;
  section("First differences");
  bool who = std::any_of(r.check.mismatches.begin(), r.check.mismatches.end(),
                         [](auto& m) { return m.block || m.thread; });
  if (ImGui::BeginTable("mismatches", who ? 4 : 3,
                        ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg |
                            ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_PadOuterX)) {
    ImGui::TableSetupColumn("where", 0, 1.1f);
    ImGui::TableSetupColumn("got", 0, 1);
    ImGui::TableSetupColumn("expected", 0, 1);
    if (who) ImGui::TableSetupColumn("last written by", 0, 1.9f);
    ImGui::PushFont(fonts().small);
    ImGui::PushStyleColor(ImGuiCol_Text, t.muted);
    ImGui::TableHeadersRow();
    ImGui::PopStyleColor();
    for (auto& m : r.check.mismatches) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      text_in(fonts().small, t.text, fmt::format("{}[{}]", m.buffer.empty() ? "out" : m.buffer, m.index));
      ImGui::TableNextColumn();
      text_in(fonts().mono_small, t.bad, fmt::format("{:.7g}", m.got));
      ImGui::TableNextColumn();
      text_in(fonts().mono_small, t.text, fmt::format("{:.7g}", m.expected));
      if (who) {
        ImGui::TableNextColumn();
        std::string place = place_text(m.block, m.thread);
        text_in(fonts().small, t.muted, place.empty() ? "nobody" : place);
      }
    }
    ImGui::PopFont();
    ImGui::EndTable();
  }
  std::string note = fmt::format("Largest error {:.3g}, allowed {:.3g}.", r.check.max_abs, r.check.tolerance);
  text_wrapped_in(fonts().small, t.muted,
                  note + (r.check.tolerance_note.empty() ? "" : " " + r.check.tolerance_note));
}

void Ui::gates(const RunReport& r) {
  auto& t = theme();
  if (r.gates.empty()) return;
  section("Gates");
  ImDrawList* d = ImGui::GetWindowDrawList();
  for (auto& g : r.gates) {
    ImVec2 p = ImGui::GetCursorScreenPos();
    float lh = fonts().mono->FontSize * 1.35f;
    // Before the first edit a gate is a goal, no failure.
    const bool goal = s_.view()->todo_line > 0 && !g.pass;
    const ImU32 failed = goal ? t.muted : t.bad;
    draw_icon(d,
              g.pass ? Icon::check
              : goal ? Icon::ring
                     : Icon::cross,
              {p.x + px(9), p.y + lh / 2}, px(14), g.pass ? t.good : failed);
    ImGui::SetCursorScreenPos({p.x + px(24), p.y});
    ImGui::BeginGroup();
    std::string is = "is " + number(g.value);
    float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x,
          vw = text_size(fonts().small, is).x;
    text_at(d, fonts().small, {right - vw, p.y + px(2)}, g.pass ? t.muted : failed, is);
    ImGui::PushTextWrapPos(right - ImGui::GetWindowPos().x - vw - px(10));
    text_in(fonts().mono_small, t.text, g.name);
    ImGui::PopTextWrapPos();
    if (const std::string bound = bound_words(g); !bound.empty())
      text_in(fonts().small, g.pass ? t.muted : t.text, "here: " + bound);
    if (!g.words.empty()) glossed(fonts().small, t.muted, g.words);
    ImGui::EndGroup();
    gap(3);
  }
}

}  // namespace dojo::gui
