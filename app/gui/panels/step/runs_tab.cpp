// Earlier runs of this step, and any two of them compared.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counters.hpp"
#include "gui/model/plots/compare.hpp"
#include "gui/model/text/device_label.hpp"
#include "gui/panels/plots/plots.hpp"
#include "gui/panels/step/diff_view.hpp"
#include "gui/panels/step/runs_tab.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
constexpr float least_counters = 190;  ///< height of the table of counters, below the list of runs

/// Day and minute; the year and the seconds where there is room, else under the mouse.
void when_cell(const std::string& when) {
  const float cell = ImGui::GetContentRegionAvail().x;
  const bool whole = text_size(fonts().ui, when).x <= cell || when.size() < 16;
  text_in(fonts().ui, theme().text, fitted(fonts().ui, whole ? when : when.substr(5, 11), cell));
  tip(when);
}

/// Two figures of one counter, and their ratio.
void counter_row(const std::string& name, const std::string& help, double a, double b) {
  if (a == 0 && b == 0) return;
  auto& t = theme();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  text_in(fonts().ui, t.text, name);
  tip(help);
  ImGui::TableNextColumn();
  number_cell(fonts().ui, t.text, number(a));
  ImGui::TableNextColumn();
  number_cell(fonts().ui, t.text, number(b));
  ImGui::TableNextColumn();
  const bool same = std::fabs(a - b) <= 1e-9 * std::max(std::fabs(a), std::fabs(b));
  number_cell(fonts().ui, same ? t.faint : t.text, a != 0 ? number(std::round(b / a * 1000) / 1000) : "–");
}

void side_by_side(const PastRun& ha, const PastRun& hb) {
  TextBuffer a, b;
  a.set(ha.source);
  b.set(hb.source);
  const auto lines = with_context(diff_lines(a.lines(), b.lines()), 3);
  if (std::none_of(lines.begin(), lines.end(), [](auto& l) { return l.kind != DiffLine::same; }))
    text_in(fonts().ui, theme().muted, "A and B ran the same source.");
  else
    draw_side_by_side(lines, "A", "B");
}
}  // namespace

void RunsTab::draw() {
  auto& t = theme();
  auto* v = s_.view();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(22), px(16)});
  ImGui::BeginChild("runs", {0, 0}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  const int n = int(v->history.size());
  text_in(fonts().title, t.text, "Runs of this step");
  gap(4);
  if (n == 0) {
    text_in(fonts().ui, t.muted, "No runs yet. The last fifty are kept here.");
    ImGui::EndChild();
    return;
  }
  if (compare_a_ >= n || compare_a_ < 0) compare_a_ = std::max(0, n - 2);
  if (compare_b_ >= n || compare_b_ < 0) compare_b_ = n - 1;
  text_wrapped_in(fonts().small, t.muted,
                  "A click chooses run A, Ctrl and a click run B: they are compared below.");
  gap(4);
  if (const int chosen = list(v->history); chosen >= 0) {
    s_.restore_text(v->history[size_t(chosen)]);
  } else {
    gap(8);
    comparison(v->history[size_t(compare_a_)], v->history[size_t(compare_b_)]);
  }
  ImGui::EndChild();
}

int RunsTab::list(const std::vector<PastRun>& history) {
  const int n = int(history.size());
  // The comparison below has its room first, then the list; where there isn't enough, the whole tab scrolls.
  const float room = ImGui::GetContentRegionAvail().y, whole = px(25) * float(n + 1) + px(6);
  const float high = std::min(
      whole, std::clamp(room - px(270) - px(least_counters), px(110), std::max(px(110), room * 0.5f)));
  // Where five columns would show nothing whole, date and device are under the mouse.
  const bool narrow = ImGui::GetContentRegionAvail().x < px(380);
  if (!ImGui::BeginTable(narrow ? "short history" : "history", narrow ? 3 : 5,
                         ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_ScrollY |
                             ImGuiTableFlags_PadOuterX,
                         {0, high}))
    return -1;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, px(30));
  const bool roomy = ImGui::GetContentRegionAvail().x > px(640);
  const float when = text_size(fonts().ui, roomy ? "0000-00-00 00:00:00" : "00-00 00:00").x + px(14);
  if (!narrow) ImGui::TableSetupColumn("when", ImGuiTableColumnFlags_WidthFixed, when);
  ImGui::TableSetupColumn("verdict", 0, 1.7f);
  ImGui::TableSetupColumn("time", ImGuiTableColumnFlags_WidthFixed, px(68));
  if (!narrow) ImGui::TableSetupColumn("on", 0, 1.2f);
  table_heads(narrow ? 0b100 : 0b01000);
  int chosen = -1;
  for (int i = n - 1; i >= 0; --i) {
    auto& past = history[size_t(i)];
    auto* run = student_run(past.report);
    if (!run && past.source.empty()) continue;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    pick_cell(i);
    if (!narrow) {
      ImGui::TableNextColumn();
      when_cell(past.when);
    }
    ImGui::TableNextColumn();
    if (run)
      run_cells(past, *run, narrow);
    else if (text_cells(past, i, narrow))
      chosen = i;
  }
  ImGui::EndTable();
  return chosen;
}

void RunsTab::pick_cell(int i) {
  const bool a = i == compare_a_, b = i == compare_b_;
  const char* letter = a && b ? "AB" : a ? "A" : b ? "B" : "##pick";
  ImGui::PushID(i);
  if (ImGui::Selectable(letter, a || b,
                        ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap))
    (ImGui::GetIO().KeyCtrl ? compare_b_ : compare_a_) = i;
  ImGui::PopID();
}

bool RunsTab::text_cells(const PastRun& past, int i, bool narrow) {
  text_in(fonts().ui, theme().muted, fitted(fonts().ui, past.note, ImGui::GetContentRegionAvail().x));
  tip(past.note + (narrow ? "\n" + past.when : ""));
  ImGui::TableNextColumn();
  if (!narrow) ImGui::TableNextColumn();
  ImGui::PushID(i);
  const bool restored = link("Restore");
  ImGui::PopID();
  return restored;
}

void RunsTab::run_cells(const PastRun& past, const RunReport& run, bool narrow) {
  auto& t = theme();
  const Headline head = headline(run);
  text_in(fonts().ui, t.of(head.tone), fitted(fonts().ui, head.title, ImGui::GetContentRegionAvail().x));
  const ReportDevice& device = past.report.device;
  const std::string on = device_label(device.name, device.title) + ", " + short_size(past.report.size);
  place("verdict of a run");
  tip(head.title + (head.detail.empty() ? "" : "\n" + head.detail) +
      (narrow ? "\n" + past.when + ", " + on : ""));
  ImGui::TableNextColumn();
  number_cell(fonts().ui, t.text,
              run.time_us.value > 0 ? time_on(past.report.device, run.time_us.value) : "–");
  if (narrow) return;
  ImGui::TableNextColumn();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::floor((fonts().ui->FontSize - fonts().small->FontSize) *
                                                           0.7f));  // on one base line
  text_in(fonts().small, t.muted, fitted(fonts().small, on, ImGui::GetContentRegionAvail().x));
}

/// Remembers where the last item stands.
void RunsTab::place(const char* name) {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  window_.layout.push_back({name, {from.x, from.y, to.x, to.y}});
}

void RunsTab::comparison(const PastRun& ha, const PastRun& hb) {
  auto *ra = student_run(ha.report), *rb = student_run(hb.report);
  const bool sources = !ha.source.empty() && !hb.source.empty(), counters_known = ra && rb;
  const bool shows_source = sources && (runs_source_ || !counters_known);
  if (pill("Counters", !shows_source) && sources) runs_source_ = false;
  tip(counters_known ? "The counters of A and B beside each other"
                     : "One of the two never ran: it has no counters");
  ImGui::SameLine(0, px(3));
  if (pill("Source", shows_source)) runs_source_ = true;
  tip(sources ? "The sources of A and B beside each other" : "Runs of earlier versions kept no source");
  place("source of runs");
  if (restore("Restore A", ha) || restore("Restore B", hb)) return;
  gap(2);
  if (shows_source)
    side_by_side(ha, hb);
  else if (counters_known)
    counters(ha, hb);
}

bool RunsTab::restore(const char* label, const PastRun& past) {
  if (past.source.empty()) return false;
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
  if (hi.x + px(14) + ImGui::CalcTextSize(label).x <= right) {
    // In the middle of the pill or the link before it.
    ImGui::SameLine(0, px(14));
    ImGui::SetCursorScreenPos(
        {ImGui::GetCursorScreenPos().x, std::floor((lo.y + hi.y - ImGui::GetTextLineHeight()) / 2)});
  }
  const bool clicked = link(label);
  place(label);
  tip("Puts the source of this run into the editor. Undo takes it back.");
  if (clicked) s_.restore_text(past);
  return clicked;
}

void RunsTab::counters(const PastRun& ha, const PastRun& hb) {
  auto& t = theme();
  auto &ra = *student_run(ha.report), &rb = *student_run(hb.report);
  section("A against B");
  const bool one_unit = in_units(ha.report.device) == in_units(hb.report.device);
  const Ratio ratio = compare_times(ra, rb);
  text_wrapped_in(fonts().ui, ratio.known && one_unit ? t.text : t.muted,
                  &ha == &hb ? "A and B are one run. Ctrl and a click choose another as B."
                  : one_unit ? ratio.text
                             : "One run counts units, the other µs: a ratio would mean nothing.");
  gap(4);
  if (one_unit) compare_plot(ha, hb);
  if (ra.launches.empty() && rb.launches.empty())
    return text_wrapped_in(fonts().ui, t.muted, "Neither run has counters: no kernel ran to its end.");
  const ImVec2 from = ImGui::GetCursorScreenPos(),
               rest = {ImGui::GetContentRegionAvail().x,
                       std::max(px(least_counters), ImGui::GetContentRegionAvail().y)};
  window_.layout.push_back({"counters of two runs", {from.x, from.y, from.x + rest.x, from.y + rest.y}});
  if (!ImGui::BeginTable("compare", 4,
                         ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_ScrollY |
                             ImGuiTableFlags_PadOuterX,
                         rest))
    return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("counter", 0, 2.2f);
  ImGui::TableSetupColumn("A", 0, 1);
  ImGui::TableSetupColumn("B", 0, 1);
  ImGui::TableSetupColumn("B / A", 0, 0.7f);
  table_heads(0b1110);
  counter_row(std::string("time, ") + time_unit(ha.report.device),
              ra.time_us.source == rb.time_us.source ? to_string(ra.time_us.source)
                                                     : "one is modelled, the other measured",
              ra.time_us.value, rb.time_us.value);
  if (has_rates(ra, ha.report.device) && has_rates(rb, hb.report.device))
    counter_row("bandwidth, GB/s", "effective: the bytes that must move, per second", ra.gbps, rb.gbps);
  for (auto& c : counter_table())
    counter_row(std::string(c.alias) + (c.unit == "%" ? ", %" : ""),
                std::string(c.name) + "\n" + std::string(c.help), total(ra, c.name), total(rb, c.name));
  ImGui::EndTable();
}

void RunsTab::compare_plot(const PastRun& ha, const PastRun& hb) {
  auto& t = theme();
  auto *ra = student_run(ha.report), *rb = student_run(hb.report);
  if (!(ra->time_us.value > 0) && !(rb->time_us.value > 0)) return;
  double most = 0;
  for (auto* r : {ra, rb}) most = std::max({most, r->time_us.value, r->time_us.max});
  auto& f = plots_.frame("compare");
  f.view.keep_y = true;
  f.view.set_home({0, most * 1.15, false}, {0, 1, false});
  PlotSpec spec;
  auto& info = plot_info("compare");
  spec.title = info.says;
  spec.note = info.note;
  std::vector<LegendItem> legend{plots_.entry("run_a", "Run A", t.data[0]),
                                 plots_.entry("run_b", "Run B", t.data[1])};
  spec.legend = &legend;
  spec.x_label = time_unit(ra->time_us.value > 0 ? ha.report.device : hb.report.device);
  spec.y_ticks = false;
  spec.left = px(30);
  ImVec2 size = {ImGui::GetContentRegionAvail().x, f.note ? px(230) : px(152)};
  PlotArea a;
  if (!plots_.plot_begin("compare", size, spec, a, [&] { return compare_table(ha, hb); })) return;
  a.draw->PopClipRect();
  std::vector<std::string> hover;
  const float row = a.height() / 2, bar = std::min(px(22), row * 0.62f);
  int n = 0;
  for (auto& [letter, past, run, colour] : {std::tuple{"A", &ha, ra, t.data[0]}, {"B", &hb, rb, t.data[1]}}) {
    const float y = a.min.y + row * (float(n++) + 0.5f);
    if (legend[size_t(n - 1)].hidden) continue;
    text_at(a.draw, fonts().strong, {a.min.x - px(20), y - fonts().strong->FontSize / 2}, t.text, letter);
    const float x0 = std::max(a.min.x, a.x(0)), x1 = std::clamp(a.x(run->time_us.value), x0 + 1, a.max.x);
    a.draw->AddRectFilled({x0, y - bar / 2}, {x1, y + bar / 2}, colour, px(3));
    if (run->time_us.max > run->time_us.min && run->time_us.n > 1) {
      const float lo = a.x(run->time_us.min), hi = a.x(run->time_us.max);
      a.draw->AddLine({lo, y}, {hi, y}, t.text, px(1.5f));
      for (float x : {lo, hi}) a.draw->AddLine({x, y - px(5)}, {x, y + px(5)}, t.text, px(1.5f));
    }
    const std::string text =
        run->time_us.value > 0 ? time_on(past->report.device, run->time_us.value) : "no time";
    const float w = text_size(fonts().small, text).x;
    const bool inside = x1 + px(8) + w > a.max.x;
    text_at(a.draw, fonts().small, {inside ? x1 - w - px(8) : x1 + px(8), y - fonts().small->FontSize / 2},
            inside ? text_on(colour) : t.text, text);
    if (a.hovered && std::fabs(a.mouse.y - y) < row / 2)
      hover = {std::string(letter) + ": " + text + ", " + to_string(run->time_us.source), past->when,
               past->report.device.title + ", " + size_text(past->report.size)};
  }
  a.draw->PushClipRect(a.min, a.max, true);
  plots_.plot_end(a, hover);
  gap(6);
}

}  // namespace dojo::gui
