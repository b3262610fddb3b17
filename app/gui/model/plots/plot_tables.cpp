// The figures of each plot as a table: what its "copy as CSV" gives.
#include <fmt/format.h>

#include <map>

#include "gui/model/plots/plots.hpp"
#include "gui/model/verdict.hpp"
#include "gui/plot/decimate.hpp"

namespace dojo::gui {

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

Table roofline_table(const Report* report) {
  Table t{{"who", "operations_per_byte", "gflops"}, {}};
  for (auto& p : roofline(report).points)
    t.rows.push_back({p.label, fmt::format("{:.6g}", p.intensity), fmt::format("{:.6g}", p.gflops)});
  return t;
}

Table timeline_table(const Report* report) {
  static const char* states[] = {"ended", "still runs", "waits"};
  Table t{{"who", "kernel", "block", "sm", "start_us", "end_us", "state"}, {}};
  if (!report) return t;
  for (auto& r : report->runs)
    for (auto& l : r.launches)
      for (auto& b : l.blocks)
        t.rows.push_back({r.who, l.kernel, std::to_string(b.block), std::to_string(b.sm),
                          fmt::format("{:.6g}", b.start_us), fmt::format("{:.6g}", b.end_us),
                          states[int(state_of(r, l, b))]});
  return t;
}

Table streams_table(const Report* report) {
  Table t{{"who", "kind", "what", "stream", "start_us", "end_us", "bytes", "memory", "graph"}, {}};
  if (!report) return t;
  for (auto& r : report->runs)
    for (auto& s : r.timeline) {
      const bool link = s.kind == WorkSpan::Kind::up || s.kind == WorkSpan::Kind::down;
      const char* memory = !link ? "" : s.pinned ? "pinned" : "pageable";
      t.rows.push_back({r.who, to_string(s.kind), s.label, std::to_string(s.stream),
                        fmt::format("{:.6g}", s.start_us), fmt::format("{:.6g}", s.end_us),
                        fmt::format("{:.0f}", s.bytes), memory, s.graph ? "yes" : ""});
    }
  return t;
}

Table launch_table(const Report* report, const DeviceInfo* device) {
  Table t{{"who", "kernel", "blocks", "blocks_per_sm", "waves", "utilization", "tail_idle", "occupancy",
           "achieved", "limiter", "registers", "threads", "static_smem", "dynamic_smem"},
          {}};
  for (auto& v : launch_views(report, device))
    t.rows.push_back({v.who, v.kernel, fmt::format("{:.0f}", v.blocks), std::to_string(v.blocks_per_sm),
                      fmt::format("{:.6g}", v.waves), fmt::format("{:.6g}", v.utilization),
                      fmt::format("{:.6g}", v.tail_idle), fmt::format("{:.6g}", v.occupancy),
                      fmt::format("{:.6g}", v.achieved), v.limiter, std::to_string(v.registers),
                      std::to_string(v.threads), std::to_string(v.static_smem),
                      std::to_string(v.dynamic_smem)});
  return t;
}

}  // namespace dojo::gui
