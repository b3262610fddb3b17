// The figures of each plot as a table: what its "copy as CSV" gives.
#include <fmt/format.h>

#include <map>

#include "core/error.hpp"
#include "gui/model/plots/plots.hpp"
#include "gui/model/verdict.hpp"
#include "gui/plot/decimate.hpp"

namespace dojo::gui {

namespace {
Table pairs_table(const Pairs& p) {
  Table t{{"what", "student", "reference", "unit"}, {}};
  for (auto& r : p.rows)
    t.rows.push_back({r.label, fmt::format("{:.6g}", r.student), fmt::format("{:.6g}", r.reference), p.unit});
  return t;
}
Table bars_table(const Bars& b) {
  Table t{{"who", "value", "min", "max", "unit", "note"}, {}};
  for (auto& x : b.bars)
    t.rows.push_back({x.label, fmt::format("{:.6g}", x.value),
                      fmt::format("{:.6g}", x.hi > 0 ? x.lo : x.value),
                      fmt::format("{:.6g}", x.hi > 0 ? x.hi : x.value), b.unit, x.detail});
  return t;
}
}  // namespace

Table pattern_table(const BankPattern& p) {
  Table t{{"lane", "bank"}, {}};
  const BankMap m = bank_map(p);
  std::map<int, int> bank_of;
  for (int b = 0; b < 32; ++b)
    for (int lane : m.lanes_of_bank[size_t(b)]) bank_of[lane] = b;
  for (auto [lane, bank] : bank_of) t.rows.push_back({std::to_string(lane), std::to_string(bank)});
  return t;
}

Table pattern_table(const AddressPattern& p) {
  Table t{{"lane", "byte", "bytes", "sector"}, {}};
  const AddressMap m = address_map(p);
  for (int lane = 0; lane < p.lanes; ++lane)
    t.rows.push_back({std::to_string(lane), std::to_string(p.offset + lane * p.stride * p.width),
                      std::to_string(p.width), std::to_string(m.sector_of_lane[size_t(lane)])});
  return t;
}

Table history_table(const std::vector<PastRun>& runs) {
  Table t{{"when", "device", "size", "status", "time_us"}, {}};
  for (auto& h : runs)
    if (auto* r = student_run(h.report))
      t.rows.push_back({h.when, h.report.device.name, size_text(h.report.size), to_string(r->status),
                        fmt::format("{:.6g}", r->time_us.value)});
  return t;
}

Table compare_table(const PastRun& a, const PastRun& b) {
  Table t{{"run", "when", "device", "size", "time_us", "min_us", "max_us", "samples", "source"}, {}};
  for (auto& [letter, h] : {std::pair{"A", &a}, {"B", &b}})
    if (auto* r = student_run(h->report))
      t.rows.push_back({letter, h->when, h->report.device.name, size_text(h->report.size),
                        fmt::format("{:.6g}", r->time_us.value), fmt::format("{:.6g}", r->time_us.min),
                        fmt::format("{:.6g}", r->time_us.max), std::to_string(r->time_us.n),
                        to_string(r->time_us.source)});
  return t;
}

namespace {

/// What a table is made of.
struct Figures {
  const Step* step;
  const Report* report;
  const RunReport* earlier;
  const DeviceInfo* device;
};

Table roofline_table(const Figures& f) {
  Table t{{"who", "operations_per_byte", "gflops"}, {}};
  for (auto& p : roofline(f.report).points)
    t.rows.push_back({p.label, fmt::format("{:.6g}", p.intensity), fmt::format("{:.6g}", p.gflops)});
  return t;
}

Table timeline_table(const Figures& f) {
  static const char* states[] = {"ended", "still runs", "waits"};
  Table t{{"who", "kernel", "block", "sm", "start_us", "end_us", "state"}, {}};
  if (!f.report) return t;
  for (auto& r : f.report->runs)
    for (auto& l : r.launches)
      for (auto& b : l.blocks)
        t.rows.push_back({r.who, l.kernel, std::to_string(b.block), std::to_string(b.sm),
                          fmt::format("{:.6g}", b.start_us), fmt::format("{:.6g}", b.end_us),
                          states[int(state_of(r, l, b))]});
  return t;
}

Table streams_table(const Figures& f) {
  Table t{{"who", "kind", "what", "stream", "start_us", "end_us", "bytes", "memory", "graph"}, {}};
  if (!f.report) return t;
  for (auto& r : f.report->runs)
    for (auto& s : r.timeline) {
      const bool link = s.kind == WorkSpan::Kind::up || s.kind == WorkSpan::Kind::down;
      const char* memory = !link ? "" : s.pinned ? "pinned" : "pageable";
      t.rows.push_back({r.who, to_string(s.kind), s.label, std::to_string(s.stream),
                        fmt::format("{:.6g}", s.start_us), fmt::format("{:.6g}", s.end_us),
                        fmt::format("{:.0f}", s.bytes), memory, s.graph ? "yes" : ""});
    }
  return t;
}

Table launch_table(const Figures& f) {
  Table t{{"who", "kernel", "blocks", "blocks_per_sm", "waves", "utilization", "tail_idle", "occupancy",
           "achieved", "limiter", "registers", "threads", "static_smem", "dynamic_smem"},
          {}};
  for (auto& v : launch_views(f.report, f.device))
    t.rows.push_back({v.who, v.kernel, fmt::format("{:.0f}", v.blocks), std::to_string(v.blocks_per_sm),
                      fmt::format("{:.6g}", v.waves), fmt::format("{:.6g}", v.utilization),
                      fmt::format("{:.6g}", v.tail_idle), fmt::format("{:.6g}", v.occupancy),
                      fmt::format("{:.6g}", v.achieved), v.limiter, std::to_string(v.registers),
                      std::to_string(v.threads), std::to_string(v.static_smem),
                      std::to_string(v.dynamic_smem)});
  return t;
}

/// Counters of source lines whose name has `space` in it.
Table line_table(const Figures& f, const char* space) {
  Table t{{"who", "file", "line", "counter", "value"}, {}};
  if (!f.report) return t;
  for (auto& r : f.report->runs)
    for (auto& l : r.launches)
      for (auto& c : l.lines)
        for (auto& [name, v] : c.counters)
          if (v != 0 && name.find(space) != std::string::npos)
            t.rows.push_back({r.who, c.file, std::to_string(c.line), name, fmt::format("{:.6g}", v)});
  return t;
}

}  // namespace

Table plot_table(const std::string& key, const Step* step, const Report* report, const RunReport* earlier,
                 const DeviceInfo* device) {
  using Make = Table (*)(const Figures&);
  static const std::map<std::string, Make> tables = {
      {"time", [](const Figures& f) { return bars_table(time_bars(f.step, f.report, f.earlier)); }},
      {"bandwidth", [](const Figures& f) { return bars_table(bandwidth_bars(f.step, f.report)); }},
      {"stalls", [](const Figures& f) { return pairs_table(stall_pairs(f.report)); }},
      {"bounds", [](const Figures& f) { return pairs_table(bound_pairs(f.report)); }},
      {"divergence", [](const Figures& f) { return pairs_table(lane_pairs(f.report)); }},
      {"roofline", roofline_table},
      {"timeline", timeline_table},
      {"streams", streams_table},
      {"waves", launch_table},
      {"occupancy", launch_table},
      {"bankmap", [](const Figures& f) { return line_table(f, "shared"); }},
      {"addresses", [](const Figures& f) { return line_table(f, "global"); }},
  };
  const auto make = tables.find(key);
  if (make == tables.end())
    throw Error(
        "the plot '" + key +
        "' has no table: add it to plot_table (gui/model/plots/plot_tables.cpp), or to Plots::figures "
        "(gui/panels/plots/plots.cpp) where one report is not enough");
  return make->second({step, report, earlier, device});
}

}  // namespace dojo::gui
