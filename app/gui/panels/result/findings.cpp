// What a run found: findings, elements that differ, gates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counters.hpp"
#include "gui/model/text/gate_words.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/result/result.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"
#include "run/own_program.hpp"
#include "run/step/poison.hpp"

namespace dojo::gui {

void ResultPanel::findings(const RunReport& r) {
  auto& t = theme();
  if (r.diagnostics.empty()) return;
  section(r.status == Status::compile_error ? "Errors" : "Findings");
  ImDrawList* d = ImGui::GetWindowDrawList();
  int n = 0;
  for (auto* listed : errors_first(r)) {
    const Diagnostic& x = *listed;
    if (++n > 30) {
      text_in(fonts().small, t.muted, fmt::format("… and {} more", r.diagnostics.size() - 30));
      break;
    }
    ImGui::PushID(n);
    // Of an unedited file a finding says what there is to do, not what its student did wrong.
    const Severity shown = s_.view()->todo_line > 0 ? Severity::note : x.severity;
    ImU32 c = shown == Severity::error ? t.bad : shown == Severity::warning ? t.warn : t.muted;
    ImVec2 p = ImGui::GetCursorScreenPos();
    float lh = fonts().ui->FontSize * 1.3f;
    draw_icon(d,
              shown == Severity::error     ? Icon::cross
              : shown == Severity::warning ? Icon::warning
                                           : Icon::info,
              {p.x + px(9), p.y + lh / 2}, px(14), c);
    ImGui::SetCursorScreenPos({p.x + px(24), p.y});
    ImGui::BeginGroup();
    // A compiler's message quotes the student's names, which may be words of the glossary.
    if (r.status == Status::compile_error)
      text_wrapped_in(fonts().ui, t.text, x.message);
    else
      glossed(fonts().ui, t.text, x.message);
    auto jump = [&](const SourceLoc& w, int k) {
      if (w.line <= 0) return;
      ImGui::PushID(k);
      ImGui::PushFont(fonts().small);
      bool mine = same_file(w.file, s_.step()->file);
      std::string where = (mine ? "line " : w.file + ":") + std::to_string(w.line) +
                          (w.column > 0 ? ", column " + std::to_string(w.column) : "");
      const bool leads = mine && !s_.ui.card;  // nothing is pressed on a picture
      if (leads && link(where)) {
        s_.ui.tab = UiState::Tab::source;
        s_.ui.go_line = 0;
        if (auto* v = s_.view()) v->text.move_to({w.line - 1, std::max(0, w.column - 1)});
        window_.pending_line = w.line;
      }
      if (!leads) text_in(fonts().small, t.muted, where);
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
    if (x.block && !x.kernel.empty() && !s_.stored() && !s_.ui.card && &r == student_run(s_.view()->report)) {
      ImGui::PushFont(fonts().small);
      if (link("Watch it in slow motion")) s_.recorder.open_at(x);
      tip("Records this block and stops where it was found (F8)");
      ImGui::PopFont();
    }
    int k = 1;
    for (auto& rel : x.related) {
      ImGui::PushTextWrapPos(0);
      std::string who = place_text(rel.block, rel.thread);
      if (rel.message.starts_with("block ")) who.clear();  // it names the place itself
      text_in(fonts().small, t.muted, rel.message + (who.empty() ? "" : " (" + who + ")"));
      ImGui::PopTextWrapPos();
      jump(rel.where, k++);
    }
    ImGui::EndGroup();
    gap(4);
    ImGui::PopID();
  }
}

void ResultPanel::mismatches(const RunReport& r) {
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
      if (never_written(m))
        text_in(fonts().small, t.bad, "not written");
      else
        text_in(fonts().mono_small, t.bad, fmt::format("{:.7g}", m.got));
      ImGui::TableNextColumn();
      text_in(fonts().mono_small, t.text, fmt::format("{:.7g}", m.expected));
      if (who) {
        ImGui::TableNextColumn();
        std::string place = place_text(m.block, m.thread);
        text_in(fonts().small, t.muted, place.empty() ? "no thread" : place);
      }
    }
    ImGui::PopFont();
    ImGui::EndTable();
  }
  // How far an element is off that no thread wrote says nothing.
  const bool written = std::none_of(r.check.mismatches.begin(), r.check.mismatches.end(), never_written);
  const std::string& why = r.check.tolerance_note;
  const bool none = r.check.tolerance == 0 && why.starts_with("0: ");  // the note repeats the number
  std::string note =
      written ? fmt::format("Largest error {:.3g}, allowed {:.3g}", r.check.max_abs, r.check.tolerance)
              : fmt::format("Allowed error {:.3g}", r.check.tolerance);
  text_wrapped_in(fonts().small, t.muted,
                  note + (why.empty() ? "." : " (" + why.substr(none ? 3 : 0) + ")."));
}

void ResultPanel::gates(const RunReport& r) {
  auto& t = theme();
  if (r.gates.empty()) return;
  section("Gates");
  ImDrawList* d = ImGui::GetWindowDrawList();
  // Gates are judged on the step's own device, whatever the run was on.
  ReportDevice device = s_.view()->report.device;
  bool known = device.name == s_.step()->device;
  for (auto& own : s_.devices())
    if (!known && own.name == s_.step()->device)
      device.kind = own.kind, device.clock_mhz = own.clock_mhz, known = true;
  for (auto& g : r.gates) {
    ImVec2 p = ImGui::GetCursorScreenPos();
    float lh = fonts().mono->FontSize * 1.35f;
    // Before the first edit a gate is a goal, not a failure.
    const bool goal = s_.view()->todo_line > 0 && !g.pass;
    const ImU32 failed = goal ? t.muted : t.bad;
    draw_icon(d,
              g.pass ? Icon::check
              : goal ? Icon::ring
                     : Icon::cross,
              {p.x + px(9), p.y + lh / 2}, px(14), g.pass ? t.good : failed);
    ImGui::SetCursorScreenPos({p.x + px(24), p.y});
    ImGui::BeginGroup();
    const std::string unit = known ? gate_unit(g, device) : "", is = "is " + number(g.value) + unit;
    float right =
              ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x - px(6),  // off the scroll bar
        vw = text_size(fonts().small, is).x;
    text_at(d, fonts().small, {right - vw, p.y + px(2)}, g.pass ? t.muted : failed, is);
    window_.layout.push_back({"gate " + is, {right - vw, p.y, right, p.y + lh}});
    ImGui::PushTextWrapPos(right - ImGui::GetWindowPos().x - vw - px(10));
    text_in(fonts().mono_small, t.text, g.name);
    ImGui::PopTextWrapPos();
    if (const std::string bound = bound_words(g); !bound.empty())
      text_in(fonts().small, g.pass ? t.muted : t.text, "here: " + bound + unit);
    if (!g.words.empty() && !(s_.ui.card && g.pass)) glossed(fonts().small, t.muted, gate_says(g));
    ImGui::EndGroup();
    gap(3);
  }
}

}  // namespace dojo::gui
