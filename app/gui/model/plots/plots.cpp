// From reports to what the plots of a run draw: bars, points, pairs, launches.
#include "gui/model/plots/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/counters.hpp"
#include "gui/model/verdict.hpp"
#include "gui/plot/axis.hpp"
#include "run/advice.hpp"

namespace dojo::gui {

namespace {
Series series_of(const std::string& who) {
  if (who == "student") return Series::student;
  if (who == "reference") return Series::reference;
  return Series::library;
}
std::string label_of(const std::string& who) {
  if (who == "student") return "You";
  if (who == "reference") return "Reference";
  size_t colon = who.find(':');
  return colon == std::string::npos ? who : who.substr(colon + 1);
}
/// A published bar says which GPU it is from.
template <class Published>
std::string published_label(const Published& p) {
  return (p.what.empty() ? "Published" : p.what) + (p.gpu.empty() ? "" : " (" + p.gpu + ")");
}
bool has_time(const RunReport& r) { return r.time_us.value > 0 && r.status != Status::compile_error; }
}  // namespace

Bars time_bars(const Step* step, const Report* report, const RunReport* earlier) {
  Bars b;
  b.unit = report ? time_unit(report->device) : "µs";
  auto text_of = [&](double us) { return report ? time_on(report->device, us) : time_text(us); };
  if (report)
    for (auto& r : report->runs) {
      if (!has_time(r)) continue;
      Bar x;
      x.label = label_of(r.who);
      x.series = series_of(r.who);
      x.value = r.time_us.value;
      if (r.time_us.n > 1) x.lo = r.time_us.min, x.hi = r.time_us.max;
      x.text = text_of(x.value);
      x.detail = fmt::format("{} on {}, {}", r.time_us.source == Source::modelled ? "modelled" : "measured",
                             report->device.title, size_text(report->size));
      if (r.status == Status::wrong || r.status == Status::finding) x.detail += "; the result is wrong";
      b.bars.push_back(x);
    }
  if (earlier && has_time(*earlier))
    b.bars.push_back({"Previous step", "the last run of the step before, same device and size",
                      Series::previous, earlier->time_us.value, 0, 0, text_of(earlier->time_us.value)});
  if (step && report)
    for (auto& p : step->published) {
      if (!(p.time_us > 0) || p.size.empty()) continue;
      if (p.size != report->size) {
        if (b.elsewhere.empty())
          b.elsewhere = "Not drawn: published figures for " +
                        (p.size.size() == 1 ? p.size.begin()->first + " = " : "") + short_size(p.size) + ".";
      } else {
        b.bars.push_back({published_label(p),
                          p.value + " on " + p.gpu + ", " + p.source + (p.note.empty() ? "" : "; " + p.note),
                          Series::published, p.time_us, 0, 0, time_text(p.time_us)});
      }
    }
  return b;
}

double axis_end(const std::vector<const Bar*>& bars, double limit) {
  double own = limit, all = limit;
  for (auto* b : bars) {
    const double end = std::max(b->value, b->hi);
    all = std::max(all, end);
    if (b->series != Series::published) own = std::max(own, end);
  }
  const double most = own > 0 && all > 3 * own ? own : all;
  return most > 0 ? most * 1.12 : 1;
}

Bars bandwidth_bars(const Step* step, const Report* report) {
  Bars b;
  b.unit = "GB/s";
  if (!report || in_units(report->device)) return b;
  for (auto& r : report->runs)
    if (has_time(r) && r.gbps > 0 && has_rates(r, report->device))
      b.bars.push_back(
          {label_of(r.who),
           fmt::format(
               "{} of {} in {}{}", bytes_text(r.bytes), "data that must move", time_text(r.time_us.value),
               r.dram_gbps > 0 ? fmt::format("; {} GB/s at the memory", number(std::round(r.dram_gbps)))
                               : ""),
           series_of(r.who), r.gbps, 0, 0,
           fmt::format("{}{}", gbps_text(r.gbps),
                       report->device.peak_gbps > 0
                           ? fmt::format(" · {:.0f} %", 100 * r.gbps / report->device.peak_gbps)
                           : "")});
  if (step)
    for (auto& p : step->published)
      if (p.gbps > 0)
        b.bars.push_back({published_label(p),
                          p.value + " on " + p.gpu +
                              (p.size.empty() || p.size == report->size ? "" : " at " + size_text(p.size)) +
                              ", " + p.source,
                          Series::published, p.gbps, 0, 0, gbps_text(p.gbps)});
  if (!b.empty()) {
    b.limit = report->device.peak_gbps;
    b.limit_text = fmt::format("peak {} GB/s", grouped(std::round(report->device.peak_gbps)));
  }
  return b;
}

Roofline roofline(const Report* report) {
  Roofline out;
  if (!report || in_units(report->device)) return out;
  out.peak_gbps = report->device.peak_gbps;
  out.peak_gflops = report->device.peak_gflops;
  for (auto& r : report->runs) {
    if (!has_time(r) || r.flops <= 0 || !has_rates(r, report->device)) continue;
    // The intensity that the run had: operations over the bytes that did move, else that must move.
    double bytes = total(r, "dram_bytes");
    if (!(bytes > 0)) bytes = r.bytes;
    if (!(bytes > 0)) continue;
    out.points.push_back(
        {series_of(r.who), label_of(r.who), r.flops / bytes, r.flops / r.time_us.value / 1e3});
  }
  return out;
}

namespace {
std::string stall_label(const std::string& name) {
  static const std::string head = "smsp__average_warps_issue_stalled_", tail = "_per_issue_active.ratio";
  if (!name.starts_with(head) || !name.ends_with(tail)) return "";
  std::string s = name.substr(head.size(), name.size() - head.size() - tail.size());
  std::replace(s.begin(), s.end(), '_', ' ');
  // Units are written as Nsight Compute does: MIO throttle.
  const size_t first = std::min(s.find(' '), s.size());
  const bool unit = std::set<std::string>{"mio", "lg", "imc", "gmma"}.count(s.substr(0, first)) > 0;
  for (size_t k = 0; k < (unit ? first : std::min<size_t>(1, s.size())); ++k)
    s[k] = char(std::toupper(static_cast<unsigned char>(s[k])));
  return s;
}
/// Sum of f over launches, weighted by their time (ratios).
template <class F>
std::map<std::string, double> over_launches(const RunReport* r, F f, bool weighted) {
  std::map<std::string, double> out;
  if (!r) return out;
  double time = 0;
  for (auto& l : r->launches) time += l.time_us;
  for (auto& l : r->launches)
    for (auto& [k, v] : f(l)) out[k] += weighted && time > 0 ? v * l.time_us / time : v;
  return out;
}
Pairs pairs_of(const std::map<std::string, double>& s, const std::map<std::string, double>& r, bool hs,
               bool hr) {
  // A run without such figures has no bars, rather than bars of no length.
  auto any = [](auto& m) { return std::any_of(m.begin(), m.end(), [](auto& x) { return x.second > 0; }); };
  Pairs out;
  out.has_student = hs && any(s);
  out.has_reference = hr && any(r);
  std::set<std::string> names;
  for (auto& [k, v] : s) names.insert(k);
  for (auto& [k, v] : r) names.insert(k);
  double most = 0;
  auto get = [](auto& m, auto& k) {
    auto it = m.find(k);
    return it == m.end() ? 0.0 : it->second;
  };
  for (auto& k : names) most = std::max({most, get(s, k), get(r, k)});
  for (auto& k : names)
    if (std::max(get(s, k), get(r, k)) > most * 0.005) out.rows.push_back({k, "", get(s, k), get(r, k)});
  std::stable_sort(out.rows.begin(), out.rows.end(), [](auto& a, auto& b) {
    return std::max(a.student, a.reference) > std::max(b.student, b.reference);
  });
  return out;
}
}  // namespace

Pairs stall_pairs(const Report* report) {
  if (!report) return {};
  auto take = [](const LaunchReport& l) {
    std::map<std::string, double> m;
    for (auto& [name, v] : l.counters)
      if (auto s = stall_label(name); !s.empty()) m[s] += v;
    return m;
  };
  auto *s = student_run(*report), *r = reference_run(*report);
  Pairs out = pairs_of(over_launches(s, take, true), over_launches(r, take, true), s, r);
  out.unit = "warps per issue";
  return out;
}

Pairs bound_pairs(const Report* report) {
  if (!report) return {};
  auto take = [](const LaunchReport& l) {
    std::map<std::string, double> m;
    for (auto& [k, v] : l.bounds) m[run::resource_title(k)] += v;
    return m;
  };
  auto *s = student_run(*report), *r = reference_run(*report);
  Pairs out = pairs_of(over_launches(s, take, false), over_launches(r, take, false), s, r);
  out.unit = time_unit(report->device);
  return out;
}

Pairs lane_pairs(const Report* report) {
  Pairs out;
  out.unit = "lanes of 32";
  if (!report) return out;
  auto *s = student_run(*report), *r = reference_run(*report);
  out.has_student = s && !s->launches.empty();
  out.has_reference = r && !r->launches.empty();
  if (!out.has_student && !out.has_reference) return out;
  auto ratio = [](const RunReport* run, const char* name) {
    double lanes = 0, instructions = 0;
    if (run)
      for (auto& l : run->launches) {
        auto i = l.counters.find("smsp__inst_executed.sum"), v = l.counters.find(name);
        if (i == l.counters.end() || v == l.counters.end()) continue;
        lanes += v->second * i->second;
        instructions += i->second;
      }
    return instructions > 0 ? lanes / instructions : 0;
  };
  auto row = [&](const char* label, const char* help, const char* counter) {
    Pair p{label, help, ratio(s, counter), ratio(r, counter)};
    if (p.student > 0 || p.reference > 0) out.rows.push_back(p);
  };
  row("Active", "took this path", "smsp__thread_inst_executed_per_inst_executed.ratio");
  row("Predicate on", "and did the work", "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio");
  auto any = [&](double Pair::*who) {
    return std::any_of(out.rows.begin(), out.rows.end(), [&](auto& p) { return p.*who > 0; });
  };
  out.has_student &= any(&Pair::student);
  out.has_reference &= any(&Pair::reference);
  return out;
}

std::vector<LaunchView> launch_views(const Report* report, const DeviceInfo* device) {
  std::vector<LaunchView> out;
  if (!report) return out;
  for (auto& r : report->runs)
    for (auto& l : r.launches) {
      LaunchView v;
      v.who = r.who;
      v.kernel = l.kernel;
      v.series = series_of(r.who);
      v.blocks = double(l.grid.count());
      v.blocks_per_sm = l.blocks_per_sm;
      v.capacity = double(report->device.sms) * std::max(1, l.blocks_per_sm);
      v.waves = l.waves > 0 ? l.waves : v.blocks / std::max(1.0, v.capacity);
      v.utilization = l.wave_utilization;
      v.tail_idle = l.tail_idle;
      v.ideal_gain = v.waves > 0 ? std::ceil(v.waves - 1e-9) / v.waves : 1;
      v.registers = int(l.registers);
      v.threads = int(l.block.count());
      v.warps_per_block = (v.threads + 31) / 32;
      v.warps_per_sm = device ? device->warps_per_sm : 64;
      v.static_smem = l.static_smem;
      v.dynamic_smem = l.dynamic_smem;
      v.occupancy = l.occupancy;
      if (auto it = l.counters.find("sm__warps_active.avg.pct_of_peak_sustained_active");
          it != l.counters.end())
        v.achieved = it->second / 100;
      v.limiter = l.occupancy_limiter;
      out.push_back(v);
    }
  return out;
}

std::vector<LaunchView> launch_rows(const std::vector<LaunchView>& all) {
  std::vector<LaunchView> rows;
  for (auto& l : all) {
    const auto same = [&](const LaunchView& r) {
      return r.series == l.series && r.kernel == l.kernel && r.blocks == l.blocks && r.threads == l.threads &&
             r.registers == l.registers && r.static_smem == l.static_smem &&
             r.dynamic_smem == l.dynamic_smem && r.blocks_per_sm == l.blocks_per_sm;
    };
    const auto row = std::find_if(rows.begin(), rows.end(), same);
    if (row == rows.end()) {
      rows.push_back(l);
      continue;
    }
    row->achieved += (l.achieved - row->achieved) / ++row->launches;  // their mean
  }
  return rows;
}

std::vector<const LaunchView*> rows_that_fit(const std::vector<const LaunchView*>& all, size_t most) {
  if (all.size() <= most) return all;
  std::vector<const LaunchView*> mine, others;
  for (auto* l : all) (l->series == Series::student ? mine : others).push_back(l);
  const size_t half = most / 2, left = others.size() < half ? most - others.size() : most - half;
  mine.resize(std::min(mine.size(), left));
  others.resize(std::min(others.size(), most - mine.size()));
  mine.insert(mine.end(), others.begin(), others.end());
  return mine;
}

}  // namespace dojo::gui
