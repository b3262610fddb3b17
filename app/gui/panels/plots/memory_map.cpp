#include "gui/panels/plots/memory_map.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
// In a low window the plots' panel scrolls to what has no room.
constexpr float least_table = 90;  ///< its head and two lines

struct LineRow {
  int line = 0;
  double accesses = 0, passes = 0, excess = 0;
};

/// A line's accesses to shared memory (wavefronts, and excess ones) or to global memory (requests, sectors).
LineRow line_row(const LineCounters& of, bool shared) {
  const auto get = [&](const std::string& name) {
    auto it = of.counters.find(name);
    return it == of.counters.end() ? 0.0 : it->second;
  };
  LineRow r{of.line};
  for (const std::string op : {"ld", "st"}) {
    if (shared) {
      r.passes += get("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_" + op + ".sum");
      r.excess += get("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + op + ".sum");
    } else {
      r.accesses += get("l1tex__t_requests_pipe_lsu_mem_global_op_" + op + ".sum");
      r.passes += get("l1tex__t_sectors_pipe_lsu_mem_global_op_" + op + ".sum");
    }
  }
  if (shared) r.accesses = r.passes - r.excess;  // the fewest wavefronts possible
  return r;
}

/// All lines of the step's file that touch this memory, the one with most wavefronts or sectors first.
std::vector<LineRow> line_rows(const RunReport& run, const std::string& file, bool shared) {
  std::map<int, LineRow> by_line;
  for (auto& l : run.launches)
    for (auto& c : l.lines) {
      if (!same_file(c.file, file)) continue;
      const LineRow r = line_row(c, shared);
      if (r.passes <= 0) continue;
      LineRow& sum = by_line[c.line];
      sum.line = c.line, sum.accesses += r.accesses, sum.passes += r.passes, sum.excess += r.excess;
    }
  std::vector<LineRow> rows;
  for (auto& [line, r] : by_line) rows.push_back(r);
  std::sort(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.passes > b.passes; });
  return rows;
}

/// Why no line has a figure.
std::string no_lines(const RunReport& run, bool shared, bool yours) {
  const auto all = [&](auto f) { return std::all_of(run.launches.begin(), run.launches.end(), f); };
  if (!all([&](const LaunchReport& l) { return !stopped_early(run, l); }))
    return "The run was stopped: its lines have no counters.";
  // A result from before the program's start has no counters per line.
  if (all([](const LaunchReport& l) { return l.lines.empty(); }))
    return "Run it again (F5) to see the counters of each line.";
  return std::string(yours ? "Your run" : "The run") + " touched no " +
         (shared ? "shared memory." : "global memory.");
}
}  // namespace

void MemoryMap::line_table() {
  auto& t = theme();
  auto* v = s_.view();
  auto* run = v->has_report ? s_.lectern.shows_reference() ? reference_run(v->report) : student_run(v->report)
                            : nullptr;
  if (!run) return;
  const auto rows = line_rows(*run, s_.step()->file, shared);
  if (rows.empty()) return text_wrapped_in(fonts().small, t.muted, no_lines(*run, shared, is_yours()));
  ImGui::PushFont(fonts().small);
  if (ImGui::BeginTable("lines", 4,
                        ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY |
                            ImGuiTableFlags_PadOuterX,
                        {0, std::max(ImGui::GetContentRegionAvail().y, px(least_table))})) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn(is_yours() && !s_.ui.lecture ? "your line" : "line", 0, 1);
    ImGui::TableSetupColumn(shared ? "at best" : "requests", 0, 1);
    ImGui::TableSetupColumn(shared ? "wavefronts" : "sectors", 0, 1);
    ImGui::TableSetupColumn(shared ? "ratio" : "per request", 0, 1);
    table_heads(0b1110);
    for (auto& r : rows) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushID(r.line);
      if (link("line " + std::to_string(r.line))) {
        s_.ui.tab = UiState::Tab::source;
        window_.pending_line = r.line;
      }
      ImGui::PopID();
      ImGui::TableNextColumn();
      number_cell(fonts().small, t.text, grouped(r.accesses));
      ImGui::TableNextColumn();
      number_cell(fonts().small, t.text, grouped(r.passes));
      ImGui::TableNextColumn();
      double per = r.accesses > 0 ? r.passes / r.accesses : 0;
      number_cell(fonts().small, shared && r.excess > 0 ? t.bad : t.text,
                  r.accesses > 0 ? number(std::round(per * 100) / 100) : "–");
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

float MemoryMap::line_table_height(ImVec2 size) const {
  auto* v = s_.view();
  const bool filled = v && v->has_report &&
                      (s_.lectern.shows_reference() ? reference_run(v->report) : student_run(v->report));
  return filled ? std::min(size.y * 0.30f, px(130)) : 0;
}

}  // namespace dojo::gui
