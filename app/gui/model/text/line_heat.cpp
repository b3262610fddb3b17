#include "gui/model/text/line_heat.hpp"

#include <algorithm>
#include <string_view>

#include "core/counters.hpp"
#include "ptx/module.hpp"

namespace dojo::gui {

const std::vector<HeatMetric>& heat_metrics() {
  static const std::vector<HeatMetric> all = {
      {"instructions",
       "Instructions",
       "warp instructions",
       {"smsp__inst_executed.sum"},
       "Warp instructions that this line executed: one per warp of 32 threads and instruction."},
      {"sectors",
       "Sectors",
       "32-byte sectors",
       {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
       "32-byte sectors of global memory that this line's loads and stores touched. Four per request is the "
       "minimum for a full warp of floats."},
      {"wavefronts",
       "Wavefronts",
       "shared wavefronts",
       {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
       "Wavefronts of this line's shared accesses; a wavefront is one pass through the 32 banks. One per "
       "access "
       "is the minimum for 4-byte words."},
      {"conflicts",
       "Bank conflicts",
       "excess wavefronts",
       {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
       "Wavefronts beyond the minimum: lanes of a warp access different words of one of the 32 banks."},
      {"stalls",
       "Stalls",
       "warps waiting, on average",
       {"smsp__average_warps_issue_stalled_*"},
       "Warps that wait at this line per issued instruction, on average. All stall reasons together; "
       "modelled."},
      {"divergence",
       "Divergent branches",
       "branches",
       {"smsp__sass_branch_targets_threads_divergent.sum"},
       "Branches of this line at which lanes of one warp take different targets."},
  };
  return all;
}

const HeatMetric& heat_metric(const std::string& key) {
  for (auto& m : heat_metrics())
    if (key == m.key) return m;
  return heat_metrics().front();
}

bool same_file(const std::string& a, const std::string& b) { return ptx::same_file(a, b); }

std::map<int, LineHeat> line_heat(const RunReport& run, const std::string& file, const HeatMetric& m) {
  std::map<int, LineHeat> out;
  for (auto& l : run.launches)
    for (auto& c : l.lines) {
      if (c.line <= 0 || !same_file(c.file, file)) continue;
      double v = 0;
      for (std::string_view name : m.counters) {
        const bool prefix = name.ends_with('*');
        if (prefix) name.remove_suffix(1);
        for (auto it = c.counters.lower_bound(std::string(name));
             it != c.counters.end() && (prefix ? it->first.starts_with(name) : it->first == name); ++it)
          if (std::string_view(it->first).find("stalled_selected") == std::string_view::npos) v += it->second;
      }
      if (v > 0) out[c.line].value += v;
    }
  double total = 0, most = 0;
  for (auto& [line, h] : out) total += h.value, most = std::max(most, h.value);
  for (auto& [line, h] : out) h.share = h.value / total, h.heat = h.value / most;
  return out;
}

std::vector<std::pair<std::string, double>> line_counters(const RunReport& run, const std::string& file,
                                                          int line) {
  std::map<std::string, double> sum;
  for (auto& l : run.launches)
    for (auto& c : l.lines)
      if (c.line == line && same_file(c.file, file))
        for (auto& [name, v] : c.counters) sum[name] += v;
  std::vector<std::pair<std::string, double>> out;
  for (auto& [name, v] : sum) {
    auto* info = find_counter(name);
    if (info && !info->sums) continue;  // ratios don't add over launches
    if (v != 0) out.push_back({info ? std::string(info->alias) : name, v});
  }
  std::stable_sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.second > b.second; });
  return out;
}

std::map<int, std::vector<LineMark>> line_marks(const RunReport& run, const std::string& file) {
  std::map<int, std::vector<LineMark>> out;
  for (auto& d : run.diagnostics) {
    if (d.where.line > 0 && same_file(d.where.file, file))
      out[d.where.line].push_back({d.severity, d.message});
    for (auto& r : d.related)
      if (r.where.line > 0 && r.where.line != d.where.line && same_file(r.where.file, file))
        out[r.where.line].push_back({Severity::note, r.message});
  }
  return out;
}

}  // namespace dojo::gui
