#include "run/profile/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>

#include "core/counters.hpp"
#include "run/verdict/shown.hpp"
#include "simt/gpu/device_model.hpp"
#include "simt/gpu/occupancy.hpp"

namespace dojo::run {
namespace {

constexpr double schedulers = 4;  // of an SM
constexpr const char* issue_active = "smsp__issue_active.avg.pct_of_peak_sustained_active";

/// Counters by short name, totals of one launch.
class Figures {
 public:
  Figures(const LaunchReport& l, const ReportDevice& d) : launch_(l), device_(d) {
    for (const auto& m : simt::device_models())
      if (m.info.name == d.name) model_ = &m;
  }
  double operator()(const std::string& name) const {
    const CounterInfo* info = find_counter(name);
    const auto it = launch_.counters.find(info ? std::string(info->name) : name);
    return it == launch_.counters.end() ? 0 : it->second;
  }
  bool has(const std::string& name) const {
    const CounterInfo* info = find_counter(name);
    return launch_.counters.contains(info ? std::string(info->name) : name);
  }
  /// The time that a resource alone would need, as a share of the launch's, in percent; the largest of
  /// several.
  double throughput(std::initializer_list<const char*> keys) const {
    double most = 0;
    for (const char* key : keys)
      if (const auto it = launch_.bounds.find(key); it != launch_.bounds.end())
        most = std::max(most, it->second);
    return launch_.time_us > 0 ? std::min(100.0, 100 * most / launch_.time_us) : 0;
  }
  /// Nsight Compute takes these shares over the time in which an SM has a block ("sustained active"); the
  /// report's are over all SMs.
  double while_active(const std::string& name) const {
    const double active = launch_.source == Source::modelled ? 1 - launch_.tail_idle : 1;
    return active > 0 ? std::min(100.0, (*this)(name) / active) : 0;
  }
  double active_warps() const { return while_active("warps_active") / 100 * warp_slots(); }
  double warp_slots() const { return model_ ? model_->info.warps_per_sm : 64; }
  const simt::DeviceModel* model() const { return model_; }
  const LaunchReport& launch() const { return launch_; }
  const ReportDevice& device() const { return device_; }

 private:
  const LaunchReport& launch_;
  const ReportDevice& device_;
  const simt::DeviceModel* model_ = nullptr;
};

std::string number(double v, int digits = 2) { return profile_number(v, digits); }
std::string count(double v) { return number(v, 0); }

ProfileSection speed_of_light(const Figures& f) {
  const LaunchReport& l = f.launch();
  ProfileSection s{"GPU Speed Of Light Throughput", {}, {}};
  s.rows.push_back({"Duration", in_units(f.device()) ? "units" : "us", number(l.time_us)});
  if (in_units(f.device())) return s;  // no clock, no peaks
  if (f.device().clock_mhz > 0) {
    s.rows.push_back({"SM Frequency", "Ghz", number(f.device().clock_mhz / 1e3)});
    s.rows.push_back({"Elapsed Cycles", "cycle", count(l.time_us * f.device().clock_mhz)});
  }
  const double bytes = f("dram_read_bytes") + f("dram_write_bytes");
  const double dram =
      l.time_us > 0 && f.device().peak_gbps > 0 ? 100 * bytes / (l.time_us * 1e3) / f.device().peak_gbps : 0;
  if (!l.bounds.empty()) {
    const double compute = f.throughput({"issue", "alu", "fma", "xu", "fp64", "tensor"});
    const double l1 = f.throughput({"l1", "lsu", "shared"}), l2 = f.throughput({"l2", "atomics"});
    s.rows.push_back({"Compute (SM) Throughput", "%", number(compute)});
    s.rows.push_back({"Memory Throughput", "%", number(std::max({l1, l2, dram}))});
    s.rows.push_back({"L1/TEX Cache Throughput", "%", number(l1)});
    s.rows.push_back({"L2 Cache Throughput", "%", number(l2)});
  }
  s.rows.push_back({"DRAM Throughput", "%", number(dram)});
  return s;
}

ProfileSection compute_workload(const Figures& f) {
  ProfileSection s{"Compute Workload Analysis", {}, {}};
  if (!f.has(issue_active)) return s;
  const double issued = f.while_active(issue_active);
  s.rows = {{"Executed Ipc Active", "inst/cycle", number(schedulers * issued / 100)},
            {"Issue Slots Busy", "%", number(issued)}};
  ProfileTable pipes{{"Pipe Utilization", "%"}, {}};
  constexpr std::pair<const char*, const char*> names[] = {
      {"alu", "ALU"}, {"fma", "FMA"}, {"fp64", "FP64"}, {"lsu", "LSU"}, {"tensor", "Tensor"}, {"xu", "XU"}};
  for (const auto& [key, title] : names)
    if (const double busy = f.throughput({key}); busy > 0) pipes.rows.push_back({title, number(busy)});
  if (!pipes.rows.empty()) s.tables.push_back(std::move(pipes));
  return s;
}

/// "Instructions, requests, sectors" of loads, stores and atomics in global and local memory.
ProfileTable sector_table(const Figures& f) {
  ProfileTable t{{"L1/TEX Cache", "Instructions", "Requests", "Sectors", "Sectors/Req"}, {}};
  const auto add = [&](const std::string& title, const std::string& space, const std::string& op) {
    const std::string of = space + "_op_" + op + ".sum";
    const double sectors = f("l1tex__t_sectors_pipe_lsu_mem_" + of);
    const std::string instructions = "smsp__inst_executed_op_" + of;
    const std::string requested = "l1tex__t_requests_pipe_lsu_mem_" + of;
    const double requests = f.has(requested) ? f(requested) : f(instructions);
    // Requests to local memory are not counted, its sectors are.
    const bool uncounted = requests == 0 && sectors > 0;
    t.rows.push_back({title, uncounted ? "-" : count(f.has(instructions) ? f(instructions) : requests),
                      uncounted ? "-" : count(requests), count(sectors),
                      requests > 0 ? number(sectors / requests) : "-"});
  };
  add("Global Load", "global", "ld"), add("Global Store", "global", "st");
  add("Local Load", "local", "ld"), add("Local Store", "local", "st");
  add("Global Atomic", "global", "atom"), add("Global Reduction", "global", "red");
  return t;
}

ProfileTable shared_table(const Figures& f) {
  ProfileTable t{{"Shared Memory", "Instructions", "Wavefronts", "Bank Conflicts"}, {}};
  const auto add = [&](const char* title, const char* instructions, const char* wavefronts,
                       const char* conflicts) {
    t.rows.push_back({title, count(f(instructions)), count(f(wavefronts)), count(f(conflicts))});
  };
  add("Shared Load", "shared_loads", "shared_load_wavefronts", "shared_load_conflicts");
  add("Shared Store", "shared_stores", "shared_store_wavefronts", "shared_store_conflicts");
  add("Shared Atomic", "shared_atomics", "shared_atomic_wavefronts", "shared_atomic_conflicts");
  return t;
}

ProfileSection memory_workload(const Figures& f) {
  const LaunchReport& l = f.launch();
  const double bytes = f("dram_read_bytes") + f("dram_write_bytes");
  ProfileSection s{"Memory Workload Analysis", {}, {sector_table(f), shared_table(f)}};
  if (l.time_us > 0 && !in_units(f.device()))
    s.rows.push_back({"Memory Throughput", "Gbyte/s", number(bytes / (l.time_us * 1e3))});
  s.rows.push_back({"L1/TEX Hit Rate", "%", number(f("l1_hit_rate"))});
  s.rows.push_back({"L2 Hit Rate", "%", number(f("l2_hit_rate"))});
  return s;
}

/// The stall reasons as Nsight Compute writes them: "stall_long_scoreboard" is "Long Scoreboard".
std::vector<std::pair<double, std::string>> stalls(const Counters& of) {
  std::vector<std::pair<double, std::string>> all;
  for (const CounterInfo& c : counter_table()) {
    if (!c.alias.starts_with("stall_")) continue;
    const auto it = of.find(std::string(c.name));
    if (it == of.end() || it->second <= 0) continue;
    std::string title;
    for (char letter : c.alias.substr(6))
      title += letter == '_'                          ? ' '
               : title.empty() || title.back() == ' ' ? char(std::toupper(static_cast<unsigned char>(letter)))
                                                      : letter;
    all.emplace_back(it->second, title);
  }
  std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.first > b.first; });
  return all;
}

double sum(const std::vector<std::pair<double, std::string>>& all) {
  double total = 0;
  for (const auto& [v, title] : all) total += v;
  return total;
}

ProfileSection scheduler(const Figures& f) {
  ProfileSection s{"Scheduler Statistics", {}, {}};
  if (!f.has(issue_active)) return s;
  const double issued = f.while_active(issue_active) / 100;
  const double ready = f("stall_selected") + f("stall_not_selected");
  s.rows = {{"One or More Eligible", "%", number(100 * issued)},
            {"No Eligible", "%", number(100 - 100 * issued)},
            {"Active Warps Per Scheduler", "warp", number(f.active_warps() / schedulers)},
            {"Eligible Warps Per Scheduler", "warp", number(issued * std::max(1.0, ready))},
            {"Issued Warp Per Scheduler", "", number(issued)}};
  return s;
}

ProfileSection warp_state(const Figures& f) {
  ProfileSection s{"Warp State Statistics", {}, {}};
  const auto all = stalls(f.launch().counters);
  const double cycles = sum(all);
  if (cycles > 0) s.rows.push_back({"Warp Cycles Per Issued Instruction", "cycle", number(cycles)});
  s.rows.push_back({"Avg. Active Threads Per Warp", "", number(f("lanes_per_instruction"))});
  s.rows.push_back({"Avg. Not Predicated Off Threads Per Warp", "", number(f("lanes_on_per_instruction"))});
  for (const auto& [v, title] : all)
    if (v >= 0.01 * cycles) s.rows.push_back({"Stall " + title, "cycle", number(v)});
  return s;
}

ProfileSection instruction_statistics(const Figures& f) {
  const double all = f("instructions"), of_an_sm = f.device().sms * schedulers;
  ProfileSection s{"Instruction Statistics", {{"Executed Instructions", "inst", count(all)}}, {}};
  if (of_an_sm > 0)
    s.rows.push_back({"Avg. Executed Instructions Per Scheduler", "inst", number(all / of_an_sm)});
  return s;
}

ProfileSection launch_statistics(const Figures& f) {
  const LaunchReport& l = f.launch();
  return {"Launch Statistics",
          {{"Grid Size", "", count(double(l.grid.count()))},
           {"Block Size", "", count(double(l.block.count()))},
           {"Threads", "thread", count(double(l.grid.count()) * double(l.block.count()))},
           {"# SMs", "SM", count(f.device().sms)},
           {"Waves Per SM", "", number(l.waves)},
           {"Registers Per Thread", "register/thread", count(l.registers)},
           {"Static Shared Memory Per Block", "byte/block", count(l.static_smem)},
           {"Dynamic Shared Memory Per Block", "byte/block", count(l.dynamic_smem)}},
          {}};
}

ProfileSection occupancy_of(const Figures& f) {
  const LaunchReport& l = f.launch();
  ProfileSection s{"Occupancy", {}, {}};
  if (f.model() && l.block.count() > 0) {
    const simt::Occupancy o = simt::occupancy(
        *f.model(), {uint32_t(l.block.count()), int(l.registers), l.static_smem, l.dynamic_smem});
    s.rows = {{"Block Limit SM", "block", count(o.by_blocks)},
              {"Block Limit Registers", "block", count(o.by_registers)},
              {"Block Limit Shared Mem", "block", count(o.by_shared)},
              {"Block Limit Warps", "block", count(o.by_warps)}};
  }
  s.rows.push_back({"Theoretical Active Warps per SM", "warp", number(l.occupancy * f.warp_slots(), 0)});
  s.rows.push_back({"Theoretical Occupancy", "%", number(100 * l.occupancy)});
  s.rows.push_back({"Achieved Occupancy", "%", number(f.while_active("warps_active"))});
  s.rows.push_back({"Achieved Active Warps Per SM", "warp", number(f.active_warps())});
  return s;
}

/// The lines with most of a figure, as shares of its sum.
ProfileTable worst_lines(const LaunchReport& l, const std::string& title,
                         const std::function<double(const LineCounters&)>& figure,
                         const std::function<std::string(const LineCounters&)>& remark) {
  constexpr size_t most = 3;
  ProfileTable t{{title, "Share", ""}, {}};
  double all = 0;
  std::vector<std::pair<double, const LineCounters*>> lines;
  for (const LineCounters& line : l.lines)
    if (const double v = figure(line); v > 0) lines.emplace_back(v, &line), all += v;
  std::stable_sort(lines.begin(), lines.end(), [](auto& a, auto& b) { return a.first > b.first; });
  for (const auto& [v, line] : lines) {
    if (t.rows.size() == most || v < 0.02 * all) break;
    const std::string file = line->file.substr(line->file.rfind('/') + 1);
    t.rows.push_back(
        {fmt::format("{}:{}", file, line->line), number(100 * v / all, 1) + " %", remark(*line)});
  }
  return t;
}

double of_line(const LineCounters& line, const char* alias) {
  const auto it = line.counters.find(std::string(find_counter(alias)->name));
  return it == line.counters.end() ? 0 : it->second;
}

/// Sectors that a line's loads and stores touch beyond those that hold the bytes asked for.
double excessive_sectors(const LineCounters& line) {
  double all = 0;
  for (const char* way : {"load", "store"}) {
    const std::string of = std::string("global_") + way;
    const double least = std::max(of_line(line, (of + "_requests").c_str()),
                                  std::ceil(of_line(line, (of + "_lane_bytes").c_str()) / 32));
    all += std::max(0.0, of_line(line, (of + "_sectors").c_str()) - least);
  }
  return all;
}

double excessive_wavefronts(const LineCounters& line) {
  return of_line(line, "shared_load_conflicts") + of_line(line, "shared_store_conflicts") +
         of_line(line, "shared_atomic_conflicts");
}

ProfileSection source_counters(const Figures& f) {
  const LaunchReport& l = f.launch();
  ProfileSection s{"Source Counters", {}, {}};
  s.rows.push_back({"Divergent Branches", "", count(f("divergent_branches"))});
  if (l.lines.empty()) return s;
  s.tables.push_back(worst_lines(
      l, "Warp Stall Sampling", [](const LineCounters& line) { return sum(stalls(line.counters)); },
      [](const LineCounters& line) {
        const auto all = stalls(line.counters);
        return all.empty() ? "" : "most: " + all[0].second;
      }));
  s.tables.push_back(
      worst_lines(l, "L2 Theoretical Sectors Global Excessive", excessive_sectors,
                  [](const LineCounters& line) { return count(excessive_sectors(line)) + " sectors"; }));
  s.tables.push_back(worst_lines(
      l, "L1 Wavefronts Shared Excessive", excessive_wavefronts,
      [](const LineCounters& line) { return count(excessive_wavefronts(line)) + " wavefronts"; }));
  std::erase_if(s.tables, [](const ProfileTable& t) { return t.rows.empty(); });
  return s;
}

}  // namespace

std::vector<ProfileSection> profile_sections(const LaunchReport& launch, const ReportDevice& device) {
  const Figures f(launch, device);
  std::vector<ProfileSection> all = {speed_of_light(f),    compute_workload(f), memory_workload(f),
                                     scheduler(f),         warp_state(f),       instruction_statistics(f),
                                     launch_statistics(f), occupancy_of(f),     source_counters(f)};
  std::erase_if(all, [](const ProfileSection& s) { return s.rows.empty() && s.tables.empty(); });
  return all;
}

}  // namespace dojo::run
