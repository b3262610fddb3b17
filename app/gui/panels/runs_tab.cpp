// Earlier runs of this step, and any two of them compared.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counters.hpp"
#include "gui/panels/ui.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

void Ui::runs_tab() {
  auto& t = theme();
  auto* v = s_.view();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(22), px(16)});
  ImGui::BeginChild("runs", {0, 0}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  int n = int(v->history.size());
  text_in(fonts().title, t.text, "Runs of this step");
  gap(4);
  if (n == 0) {
    text_in(fonts().ui, t.muted, "Nothing was run yet. Every run is kept here, the last fifty of them.");
    ImGui::EndChild();
    return;
  }
  if (compare_a_ >= n || compare_a_ < 0) compare_a_ = std::max(0, n - 2);
  if (compare_b_ >= n || compare_b_ < 0) compare_b_ = n - 1;
  text_wrapped_in(fonts().small, t.muted, "Choose two to compare: click for A, Ctrl and click for B.");
  gap(4);
  if (ImGui::BeginTable("history", 5, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_ScrollY, {0, std::min(ImGui::GetContentRegionAvail().y * 0.5f, px(30) * float(n + 1) + px(6))})) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, px(30));
    ImGui::TableSetupColumn("when", 0, 1.5f);
    ImGui::TableSetupColumn("verdict", 0, 1.5f);
    ImGui::TableSetupColumn("time", 0, 0.8f);
    ImGui::TableSetupColumn("on", 0, 1.8f);
    ImGui::TableHeadersRow();
    for (int i = n - 1; i >= 0; --i) {
      auto& h = v->history[size_t(i)];
      auto* r = student_run(h.report);
      if (!r) continue;
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushID(i);
      bool a = i == compare_a_, b = i == compare_b_;
      if (ImGui::Selectable(a && b ? "AB" : a ? "A" : b ? "B" : "##pick", a || b, ImGuiSelectableFlags_SpanAllColumns)) (ImGui::GetIO().KeyCtrl ? compare_b_ : compare_a_) = i;
      ImGui::PopID();
      ImGui::TableNextColumn();
      text_in(fonts().ui, t.text, h.when);
      ImGui::TableNextColumn();
      Headline head = headline(*r);
      text_in(fonts().ui, t.of(head.tone), head.title);
      ImGui::TableNextColumn();
      text_in(fonts().ui, t.text, r->time_us.value > 0 ? time_text(r->time_us.value) : "–");
      ImGui::TableNextColumn();
      text_in(fonts().small, t.muted, h.report.device.name + ", " + short_size(h.report.size));
    }
    ImGui::EndTable();
  }
  gap(8);
  auto &ha = v->history[size_t(compare_a_)], &hb = v->history[size_t(compare_b_)];
  auto *ra = student_run(ha.report), *rb = student_run(hb.report);
  if (ra && rb) {
    section("A against B");
    if (ImGui::BeginTable("compare", 4, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_ScrollY, ImGui::GetContentRegionAvail())) {
      ImGui::TableSetupScrollFreeze(0, 1);
      ImGui::TableSetupColumn("counter", 0, 2.2f);
      ImGui::TableSetupColumn("A", 0, 1);
      ImGui::TableSetupColumn("B", 0, 1);
      ImGui::TableSetupColumn("B / A", 0, 0.7f);
      ImGui::TableHeadersRow();
      auto row = [&](const std::string& name, const std::string& help, double a, double b) {
        if (a == 0 && b == 0) return;
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        text_in(fonts().ui, t.text, name);
        tip(help);
        ImGui::TableNextColumn();
        text_in(fonts().ui, t.text, number(a));
        ImGui::TableNextColumn();
        text_in(fonts().ui, t.text, number(b));
        ImGui::TableNextColumn();
        bool same = std::fabs(a - b) <= 1e-9 * std::max(std::fabs(a), std::fabs(b));
        text_in(fonts().ui, same ? t.faint : t.text, a != 0 ? number(std::round(b / a * 1000) / 1000) : "–");
      };
      row("time, µs", ra->time_us.source == rb->time_us.source ? to_string(ra->time_us.source) : "one is modelled, the other measured", ra->time_us.value, rb->time_us.value);
      row("bandwidth, GB/s", "the bytes that must move, over the time", ra->gbps, rb->gbps);
      for (auto& c : counter_table()) row(std::string(c.alias), std::string(c.name) + "\n" + std::string(c.help), total(*ra, c.name), total(*rb, c.name));
      ImGui::EndTable();
    }
  }
  ImGui::EndChild();
}


}  // namespace dojo::gui
