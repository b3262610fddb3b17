#include "gui/model/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/counters.hpp"
#include "gui/model/verdict.hpp"
#include "gui/plot/axis.hpp"
#include "run/advice.hpp"

namespace dojo::gui {

const char* to_string(Series s) {
  switch (s) {
    case Series::student:
      return "You";
    case Series::reference:
      return "Reference";
    case Series::previous:
      return "Previous step";
    case Series::library:
      return "Library";
    case Series::published:
      return "Published";
  }
  return "";
}

const char* to_string(PlotFamily f) {
  switch (f) {
    case PlotFamily::time:
      return "Time";
    case PlotFamily::memory:
      return "Memory";
    case PlotFamily::warps:
      return "Warps";
    case PlotFamily::blocks:
      return "Blocks";
  }
  return "";
}

const std::vector<PlotInfo>& plot_infos() {
  static const std::vector<PlotInfo> all = {
      {"time", "Time", "Time on the device, shorter is better",
       "The time of all kernels of one run, from the first block's start to the last one's end; copies don't "
       "count. "
       "Modelled times come from the machine's time model, measured ones from a real GPU; a whisker shows "
       "the spread "
       "of measured samples. Published figures (hatched) are of the same size, on the GPU they name; a bar "
       "that is cut goes on.",
       PlotFamily::time},
      {"bandwidth", "Bandwidth", "Effective bandwidth",
       "The bytes that the problem must read and write at least once, divided by the time. The line is the "
       "memory's peak: a kernel that only moves data can come close to it, and no further.",
       PlotFamily::memory},
      {"timeline", "Timeline", "Which block ran when, on which SM",
       "One row per SM, time to the right, every block a bar. Shaded ground: SMs with nothing left to do, "
       "the tail. "
       "Your run is above, the reference below, on one time axis. Zoom with the wheel, drag to pan, "
       "drag with the right button for a box, double-click for all.",
       PlotFamily::blocks},
      {"streams", "Streams", "Copies and kernels by stream, on the host's clock",
       "One row for the host, one per direction of copies over the link, one per stream with its kernels. "
       "Time "
       "goes to the right, from the call of your function. Bars above one another overlap; a row without a "
       "bar "
       "is idle. Your run is above, the reference below. The host's bars are calls that keep it busy or "
       "waiting.",
       PlotFamily::blocks},
      {"waves", "Waves", "How full each wave of blocks is",
       "A GPU takes as many blocks at once as fit: SMs × blocks per SM. That is a wave. The last wave is "
       "often only "
       "partly full, and the SMs without a block wait for it. Utilisation is blocks over whole waves' room.",
       PlotFamily::blocks},
      {"occupancy", "Occupancy", "What limits the warps on an SM",
       "Resident warps over the SM's warp slots. Registers, shared memory, threads and the block limit each "
       "allow "
       "some number of blocks; the smallest of them counts. More warps hide more latency, up to a point.",
       PlotFamily::warps},
      {"roofline", "Roofline", "Operations per second against operations per byte",
       "Left of the ridge the memory's peak is the roof, right of it the arithmetic's. A point near its roof "
       "has "
       "little left to gain at its intensity; one far below is held up by something else: latency, "
       "conflicts, idle lanes.",
       PlotFamily::memory},
      {"stalls", "Stalls", "Why warps waited",
       "For every issued instruction, how many warps on average sat waiting for each reason. The tallest bar "
       "names what "
       "to change: long scoreboard is global memory, short scoreboard and MIO are shared memory, barrier is "
       "__syncthreads.",
       PlotFamily::warps},
      {"bounds", "Bounds", "How long each resource alone would need",
       "If everything else were free, each part of the GPU would need this long for the run's work. "
       "The longest bar binds; the run can't be shorter than that without doing less of it.",
       PlotFamily::time},
      {"divergence", "Lanes", "Lanes at work in an average instruction",
       "A warp instruction drives 32 lanes. Active lanes took this path; those with their predicate on also "
       "did the work. "
       "The rest of the width is lost.",
       PlotFamily::warps},
      {"bankmap", "Banks", "Lanes in the 32 banks of shared memory",
       "Shared memory has 32 banks of 4 bytes. Lanes that meet in one bank with different words are served "
       "one after the "
       "other: each takes one more wavefront, a pass through the 32 banks. Choose a pattern and see who "
       "meets; the table holds what your "
       "lines really did.",
       PlotFamily::memory},
      {"addresses", "Addresses", "32 lanes and the sectors they touch",
       "Global memory moves in sectors of 32 bytes. Consecutive lanes that read consecutive words share "
       "sectors; "
       "a stride spreads them, and most of each sector is thrown away. Choose a pattern; the table holds "
       "your lines.",
       PlotFamily::memory},
      {"sweep", "Sweep", "The figure of merit over the size",
       "The same kernels over many sizes. Small sizes are bound by the launch, medium ones by caches, large "
       "ones by memory. "
       "Start it with Run, Sweep over sizes; Sweep all tiers puts the lab's other steps on the same axes.",
       PlotFamily::time},
      {"whatif", "What if", "Two dependent products, tile by tile",
       "No run: places and tiles only, worked out as you move a slider. Each tile goes to the place that is "
       "free first. "
       "In stream order the second product starts when the first has ended; with RowSync a tile waits for "
       "its row, with "
       "TileSync for each tile that it reads. Hatched: on its place, waiting. Dashed: where stream order "
       "ends.",
       PlotFamily::blocks},
      {"history", "History", "Your runs of this step, one after the other",
       "Every run of this step that gave the right result, kept between starts. Lower is better.",
       PlotFamily::time},
  };
  return all;
}

const std::vector<PlotInfo>& inner_plot_infos() {
  static const std::vector<PlotInfo> all = {
      {"bankpattern", "A pattern", "Lanes in the 32 banks, for a pattern",
       "A pattern to play with, not your run: element i of the warp's access stands at i × stride. Lanes "
       "stacked in one bank "
       "are served one after the other; padding moves rows apart, a swizzle mixes them. The table below "
       "holds your lines."},
      {"addresspattern", "A pattern", "32 lanes and their sectors, for a pattern",
       "A pattern to play with, not your run: a stride spreads 32 lanes over more sectors of 32 bytes, and "
       "what no lane asked "
       "for was moved for nothing. The table below holds your lines."},
      {"lanes", "Lanes over time", "32 lanes over a warp's instructions",
       "Block 0, one warp: every instruction it executed from left to right, every lane a row, lit where the "
       "lane was active. "
       "Another colour: only some of the lanes were. A click chooses an instruction; the link above opens "
       "the slow motion there."},
      {"compare", "Two runs", "Time of A and of B",
       "The two runs chosen above on one axis: other texts of the kernel, other GPUs or other sizes. A line "
       "across the end of a "
       "bar is the spread of measured times; modelled times have none."},
  };
  return all;
}

const PlotInfo& plot_info(const std::string& key) {
  for (auto* list : {&plot_infos(), &inner_plot_infos()})
    for (auto& p : *list)
      if (key == p.key) return p;
  return plot_infos().front();
}

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
  const bool units = report && in_units(report->device);
  b.unit = units ? "units" : "µs";
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
    b.bars.push_back({"Previous step", "your last run of the step before, same device and size",
                      Series::previous, earlier->time_us.value, 0, 0, text_of(earlier->time_us.value)});
  if (step && report)
    for (auto& p : step->published) {
      if (!(p.time_us > 0) || p.size.empty()) continue;
      if (p.size != report->size) {
        if (b.elsewhere.empty())
          b.elsewhere = "Published figures: at " + (p.size.size() == 1 ? p.size.begin()->first + " = " : "") +
                        short_size(p.size) + ".";
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
    if (has_time(r) && r.gbps > 0)
      b.bars.push_back(
          {label_of(r.who),
           fmt::format(
               "{} of {} in {}{}", bytes_text(r.bytes), "data that must move", time_text(r.time_us.value),
               r.dram_gbps > 0 ? fmt::format("; {} GB/s at the memory", number(std::round(r.dram_gbps)))
                               : ""),
           series_of(r.who), r.gbps, 0, 0,
           fmt::format("{} GB/s{}", si(r.gbps),
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
                          Series::published, p.gbps, 0, 0, si(p.gbps) + " GB/s"});
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
    if (!has_time(r) || r.flops <= 0) continue;
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
  out.unit = in_units(report->device) ? "units" : "µs";
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

std::vector<double> wave_fill(const LaunchView& v, int most, int* skipped) {
  std::vector<double> out;
  if (skipped) *skipped = 0;
  if (!(v.waves > 0)) return out;
  int whole = int(v.waves + 1e-9);
  double rest = v.waves - whole;
  int show = whole;
  if (whole + (rest > 1e-9) > most) {
    show = std::max(1, most - 1);
    if (skipped) *skipped = whole - show;
  }
  out.assign(size_t(show), 1.0);
  if (rest > 1e-9) out.push_back(rest);
  return out;
}

BankMap bank_map(const BankPattern& p) {
  BankMap m;
  m.lanes_of_bank.resize(32);
  int words = std::max(1, p.width / 4);
  m.passes = words;
  // Wide accesses are served by groups of lanes that together ask for at most 128 bytes.
  int group = 32 / words, most_total = 0;
  for (int g = 0; g * group < p.lanes; ++g) {
    std::vector<std::set<int>> distinct(32);
    for (int lane = g * group; lane < std::min(p.lanes, (g + 1) * group); ++lane) {
      int element = lane * p.stride;
      if (p.swizzle) element = (element / 32) * 32 + ((element % 32) ^ ((element / 32) % 32));
      if (p.pad_every > 0) element += element / p.pad_every;
      for (int w = 0; w < words; ++w) {
        int word = element * words + w, bank = word % 32;
        distinct[size_t(bank)].insert(word);
        if (w == 0) m.lanes_of_bank[size_t(bank)].push_back(lane);
      }
    }
    size_t most = 0;
    for (auto& d : distinct) most = std::max(most, d.size());
    most_total += int(most);
  }
  m.wavefronts = most_total;
  return m;
}

AddressMap address_map(const AddressPattern& p) {
  AddressMap m;
  std::set<int> sectors;
  for (int lane = 0; lane < p.lanes; ++lane) {
    int first = p.offset + lane * p.stride * p.width;
    m.sector_of_lane.push_back(first / 32);
    for (int s = first / 32; s <= (first + p.width - 1) / 32; ++s) sectors.insert(s);
  }
  m.sectors.assign(sectors.begin(), sectors.end());
  // Lanes with stride 0 all ask for the same bytes.
  double asked = p.stride == 0 ? p.width : double(p.lanes) * p.width;
  m.used_share = m.sectors.empty() ? 0 : asked / (32.0 * double(m.sectors.size()));
  return m;
}

}  // namespace dojo::gui
