// What a run printed and how long it took, its kernels, and the one advice.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/counters.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/result/result.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"
#include "run/own_program.hpp"
#include "run/verdict/shown.hpp"

namespace dojo::gui {

double run_us(const RunReport& r) {
  double kernels = 0;
  for (auto& l : r.launches) kernels += l.time_us;
  return r.status == Status::pass ? r.time_us.value : std::max(r.time_us.value, kernels);
}

void ResultPanel::kernel_table(const RunReport& r) {
  auto& t = theme();
  const auto rows = run::kernel_rows(r);
  if (rows.empty()) return;
  section("Kernels");
  if (!ImGui::BeginTable(
          "kernels", 4,
          ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg | ImGuiTableFlags_PadOuterX))
    return;
  ImGui::TableSetupColumn("kernel", 0, 1.4f);
  ImGui::TableSetupColumn("launches", 0, 1.1f);
  ImGui::TableSetupColumn("time", 0, 0.9f);
  ImGui::TableSetupColumn("bound by", 0, 1.3f);
  table_heads(0b0110);
  for (auto& k : rows) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    text_in(fonts().ui, t.text, fitted(fonts().ui, k.kernel, ImGui::GetContentRegionAvail().x));
    tip(k.kernel);
    ImGui::TableNextColumn();
    number_cell(fonts().ui, t.text, std::to_string(k.launches));
    ImGui::TableNextColumn();
    number_cell(fonts().ui, t.text, k.time_us > 0 ? time_on(s_.view()->report.device, k.time_us) : "–");
    ImGui::TableNextColumn();
    text_in(fonts().ui, t.muted, k.bound_by.empty() ? "–" : k.bound_by);
  }
  ImGui::EndTable();
  gap(4);
}

void ResultPanel::printed_text(const RunReport& r) {
  if (r.printed.empty()) return;
  auto& t = theme();
  section("Printed");
  const std::string text = r.printed.substr(0, 4000);
  text_wrapped_in(fonts().mono, t.text, text);
  if (text.size() < r.printed.size()) text_in(fonts().small, t.muted, "… and more");
  gap(4);
}

void ResultPanel::run_times(const RunReport& r, const RunReport* ref) {
  auto& t = theme();
  auto* v = s_.view();
  if ((!(r.time_us.value > 0) && !v->todo_line) || r.status == Status::compile_error) return;
  const float width = ImGui::GetContentRegionAvail().x;
  struct Fig {
    std::string label, value, note;
    ImU32 colour;
  };
  auto rate = [&](const RunReport& run) {
    return run.gbps > 0 && has_rates(run, v->report.device) ? gbps_text(run.gbps) : "";
  };
  auto time = [&](const RunReport& run) {
    return time_on(v->report.device,
                   v->student_blocks.stopped && &run == &r ? run_us(run) : run.time_us.value);
  };
  std::vector<Fig> figs;
  // The unedited file does none of the work, so its short time would mislead.
  const bool untouched = v->todo_line > 0;
  // What a stopped run had done until then; its last kernel is not among it.
  const char* mine = v->student_blocks.stopped ? "You, until it stopped" : "You";
  // A stored report's run has the name that the plots give it.
  const bool named = !v->report_of.empty() && !s_.stored();
  if (!untouched)
    figs.push_back({named       ? v->report_of
                    : &r == ref ? "Reference"
                                : mine,
                    time(r), rate(r), t.of(&r == ref ? Series::reference : Series::student)});
  if (ref && ref != &r && ref->time_us.value > 0)
    figs.push_back({"Reference", time(*ref), rate(*ref), t.of(Series::reference)});
  if (!untouched && !v->student_blocks.stopped && r.pct_of_peak_bandwidth >= 0.5 &&
      has_rates(r, v->report.device))
    figs.push_back(
        {"Of the peak", fmt::format("{:.0f} %", r.pct_of_peak_bandwidth),
         to_string(v->report.device.kind == DeviceKind::simt ? Source::modelled : r.time_us.source),
         t.muted});
  if (figs.empty()) return;
  section("Time");
  // In a narrow panel the last, least important figures are left out.
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
    window_.layout.push_back({"time of " + figs[i].label, {a.x, a.y, b.x, b.y}});
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
  if (ref && ref != &r && !untouched) {
    std::string ratio = ratio_text(r.time_us.value, ref->time_us.value);
    const char* doubt = time_doubt(r);
    const char* source = r.time_us.source == Source::modelled ? ", modelled." : ", measured.";
    if (!*doubt && !ratio.empty()) ratio[0] = char(std::toupper(static_cast<unsigned char>(ratio[0])));
    if (!ratio.empty()) text_wrapped_in(fonts().small, t.muted, doubt + ratio + source);
  }
  gap(4);
}

void ResultPanel::advice() {
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
        window_.pending_line = a.line;
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

}  // namespace dojo::gui
