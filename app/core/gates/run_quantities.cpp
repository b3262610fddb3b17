#include "core/gates/run_quantities.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/counters.hpp"
#include "core/error.hpp"
#include "core/host_work.hpp"
#include "core/timeline/work_spans.hpp"

namespace dojo::gates {
namespace {

using Run = const RunReport&;
using Launch = const LaunchReport&;

template <class F>
double sum(Run run, F f) {
  double s = 0;
  for (const auto& l : run.launches)
    if (works(l)) s += f(l);
  return s;
}

template <class F>
double largest(Run run, F f) {
  double most = 0;
  for (const auto& l : run.launches)
    if (works(l)) most = std::max(most, double(f(l)));
  return most;
}

template <class F>
double by_time(Run run, F f) {
  double s = 0, all = 0;
  for (const auto& l : run.launches) {
    if (!works(l)) continue;
    const double t = l.time_us > 0 ? l.time_us : 1e-9;
    s += t * f(l);
    all += t;
  }
  return all > 0 ? s / all : 0;
}

double threads(Launch l) { return double(l.grid.count()) * double(l.block.count()); }
double warps(Launch l) { return double(l.grid.count()) * double((l.block.count() + 31) / 32); }

/// A launch without clusters has none of these counters: each of its blocks stands alone.
double cluster_blocks(Launch l) {
  const auto it = l.counters.find("launch__cluster_size");
  return it == l.counters.end() ? 1 : it->second;
}

/// A wait kernel stores nothing: idle launches count, too.
double waiting_launches(Run run) {
  return double(std::count_if(run.launches.begin(), run.launches.end(),
                              [](Launch l) { return l.counters.count(waiting_counter) > 0; }));
}

/// How many different priorities the working launches have.
double priorities(Run run) {
  std::set<double> different;
  for (const auto& l : run.launches) {
    if (!works(l)) continue;
    const auto it = l.counters.find(priority_counter);
    different.insert(it == l.counters.end() ? 0 : it->second);
  }
  return double(different.size());
}

struct Quantity {
  const char* name;
  double (*value)(Run);
  bool time = false;
};

constexpr Quantity quantities[] = {
    {"blocks", [](Run r) { return sum(r, [](Launch l) { return double(l.grid.count()); }); }},
    {"threads", [](Run r) { return sum(r, threads); }},
    {"warps", [](Run r) { return sum(r, warps); }},
    {"launches", [](Run r) { return double(r.launches.size()); }},
    {"working_launches", [](Run r) { return sum(r, [](Launch) { return 1.0; }); }},
    {"waiting_launches", waiting_launches},
    {"priorities", priorities},
    {"mapped_launches",
     [](Run r) { return sum(r, [](Launch l) { return double(l.counters.count(mapped_counter)); }); }},
    {"registers", [](Run r) { return largest(r, [](Launch l) { return l.registers; }); }},
    {"static_smem", [](Run r) { return largest(r, [](Launch l) { return l.static_smem; }); }},
    {"dynamic_smem", [](Run r) { return largest(r, [](Launch l) { return l.dynamic_smem; }); }},
    {"blocks_per_sm", [](Run r) { return largest(r, [](Launch l) { return l.blocks_per_sm; }); }},
    {"cluster_blocks", [](Run r) { return largest(r, cluster_blocks); }},
    {"occupancy", [](Run r) { return by_time(r, [](Launch l) { return l.occupancy; }); }},
    {"wave_utilization", [](Run r) { return by_time(r, [](Launch l) { return l.wave_utilization; }); }},
    {"tail_idle", [](Run r) { return by_time(r, [](Launch l) { return l.tail_idle; }); }},
    {"time_us", [](Run r) { return r.time_us.value; }, true},
    {"end_to_end_us", [](Run r) { return r.end_to_end_us; }, true},
    {"gbps", [](Run r) { return r.gbps; }, true},
    {"dram_gbps", [](Run r) { return r.dram_gbps; }, true},
    {"gflops", [](Run r) { return r.gflops; }, true},
    {"pct_of_peak_bandwidth", [](Run r) { return r.pct_of_peak_bandwidth; }, true},
    {"allocations", [](Run r) { return double(r.allocations); }},
    {"api_calls", [](Run r) { return host_count(r, "api_calls"); }},
    {"copies", [](Run r) { return host_count(r, "copies"); }},
    {"copied_bytes", [](Run r) { return host_count(r, "copied_bytes"); }},
    {"memsets", [](Run r) { return host_count(r, "memsets"); }},
    {"syncs", [](Run r) { return host_count(r, "syncs"); }},
    {"host_instructions", [](Run r) { return host_count(r, "inst_executed"); }},
    {"mapped_reads", [](Run r) { return host_count(r, "mapped_reads"); }},
};

const Quantity* find_quantity(const std::string& name) {
  const auto q = std::find_if(std::begin(quantities), std::end(quantities),
                              [&](const Quantity& row) { return name == row.name; });
  return q == std::end(quantities) ? nullptr : &*q;
}

bool is_span_figure(const std::string& name) {
  const auto names = span_figures();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool is_run_quantity(const std::string& name) { return find_quantity(name) || is_span_figure(name); }

double run_quantity(const RunReport& run, const std::string& name) {
  if (const Quantity* q = find_quantity(name)) return q->value(run);
  if (is_span_figure(name)) return span_figure(run, name);
  throw Error("'" + name + "' is no quantity of a run");
}

bool is_time(const std::string& name) {
  if (const Quantity* q = find_quantity(name)) return q->time;
  if (is_span_figure(name)) return name.ends_with("_us") || name.ends_with("gbps");
  return name == "duration_ns" || name == "gpu__time_duration.sum";
}

}  // namespace dojo::gates
