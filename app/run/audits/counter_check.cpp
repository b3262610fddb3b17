#include "run/audits/counter_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "core/counters.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "run/runner.hpp"

namespace dojo::run {
namespace {

constexpr const char* memory_names[] = {
    "global_load_requests", "global_load_sectors",    "global_store_requests", "global_store_sectors",
    "shared_loads",         "shared_load_wavefronts", "shared_stores",         "shared_store_wavefronts",
    "global_loads",         "global_stores",          "local_load_sectors",    "local_store_sectors"};
constexpr const char* executed_names[] = {"instructions", "thread_instructions", "lanes_on_per_instruction",
                                          "divergent_branches"};
// A program's launch reads parameters and constants of its own, 2 to 3 KiB for a kernel that reads nothing.
constexpr double launch_bytes = 4096;
// Nsight Compute gives ratios with two decimals.
constexpr double half_a_digit = 0.00501;

double value(const Counters& c, const char* alias) {
  const CounterInfo* info = find_counter(alias);
  const auto it = info ? c.find(std::string(info->name)) : c.end();
  return it == c.end() ? 0 : it->second;
}

std::vector<ComparedCounter> pick(std::span<const char* const> names, const Counters& hardware,
                                  const Counters& machine) {
  std::vector<ComparedCounter> out;
  for (const char* alias : names) {
    const CounterInfo* info = find_counter(alias);
    if (!info || !hardware.count(std::string(info->name))) continue;
    ComparedCounter c;
    c.name = alias, c.hardware = value(hardware, alias), c.machine = value(machine, alias);
    if (info->name.ends_with(".ratio")) c.slack = half_a_digit;
    out.push_back(std::move(c));
  }
  return out;
}

/// What part of the SMs' requests the L2 had, in percent; 0 of none.
double l2_hit_rate(const Counters& c) {
  const double hits = value(c, "l2_hits"), all = hits + value(c, "l2_misses");
  return all > 0 ? 100 * hits / all : 0;
}

/// DRAM's bytes read, those written as a share of what the kernel stored, and the hit rates of L1 and L2.
std::vector<ComparedCounter> pick_traffic(const Counters& hardware, const Counters& machine) {
  static constexpr const char* names[] = {"dram_read_bytes", "dram_write_bytes", "l1_hit_rate"};
  std::vector<ComparedCounter> out = pick(names, hardware, machine);
  for (ComparedCounter& c : out) {
    c.percent = c.name == "l1_hit_rate";
    c.slack = c.percent ? half_a_digit : launch_bytes;
    if (c.name != "dram_write_bytes") continue;
    const double stored = value(hardware, "global_store_sectors") + value(hardware, "local_store_sectors");
    c.share_of = std::max(c.hardware, 32 * stored);
  }
  if (hardware.count(std::string(find_counter("l2_hits")->name)))
    out.push_back({"l2_hit_rate", l2_hit_rate(hardware), l2_hit_rate(machine), half_a_digit, true, 0});
  return out;
}

double largest(const std::vector<ComparedCounter>& all) {
  double e = 0;
  for (const auto& c : all) e = std::max(e, c.error());
  return e;
}

/// Each kernel alone and with empty caches, as ncu ran it; no times.
Report run_here(const Catalog& catalog, const CountedLaunch& l, const std::string& device) {
  if (l.target.ends_with(".cu")) {
    PlayRequest p;
    fs::path file = l.target;
    if (file.is_relative()) file = catalog.root / file;
    p.file = file.string();
    p.device = device;
    p.timing = false, p.apart = true;
    return play(p, {}, nullptr);
  }
  RunRequest r;
  r.step = l.target;
  r.who = l.who == "student" ? Who::student : Who::reference;
  r.device = device;
  r.size = l.size;
  r.gates = r.timing = false;
  r.apart = true;
  r.time_limit_s = 120;
  return run_step(catalog, r);
}

}  // namespace

std::span<const char* const> memory_counters() { return memory_names; }

double ComparedCounter::error() const {
  const double apart = std::abs(machine - hardware), whole = share_of > 0 ? share_of : std::abs(hardware);
  if (apart <= slack) return 0;
  if (percent) return apart / 100;
  return whole == 0 ? 1 : apart / whole;
}

bool ComparedKernel::memory_exact() const { return largest(memory) == 0; }
double ComparedKernel::executed_error() const { return largest(executed); }
double ComparedKernel::traffic_error() const { return largest(traffic); }
bool ComparedKernel::executed_exact() const { return largest(executed) == 0; }
bool ComparedKernel::differs() const { return !memory_exact() || !executed_exact() || traffic_error() > 0.1; }

double ComparedKernel::error_of(const std::string& counter) const {
  for (const auto* group : {&memory, &executed, &traffic})
    for (const auto& c : *group)
      if (c.name == counter) return c.error();
  return 0;
}

std::string ComparedKernel::difference() const {
  std::string words;
  for (const auto* group : {&memory, &executed, &traffic})
    for (const auto& c : *group)
      if (c.error() > (group == &traffic ? 0.1 : 0.0))
        words += fmt::format("{}{} {:.10g}, hardware {:.10g}", words.empty() ? "" : "; ", c.name, c.machine,
                             c.hardware);
  return words;
}

std::string counted_device(const CounterRecording& r) {
  std::string gpu;  // "NVIDIA GeForce RTX 4090" has "rtx4090" in it
  for (char c : r.gpu)
    if (std::isalnum(static_cast<unsigned char>(c))) gpu += char(std::tolower(static_cast<unsigned char>(c)));
  for (const DeviceFamily& family : device_families()) {
    if (family.scheme != "simt") continue;
    for (const DeviceInfo& d : family.list(nullptr))
      if (gpu.find(d.name.substr(d.name.find(':') + 1)) != std::string::npos) return d.name;
  }
  return "simt:h100";
}

std::vector<ComparedKernel> compare_counters(const Catalog& catalog, const CounterRecording& recording,
                                             const std::function<void(const std::string&)>& say) {
  std::vector<ComparedKernel> out;
  const std::string device = counted_device(recording);
  std::set<std::string> seen;
  std::string current;
  Report report;
  for (const CountedLaunch& l : recording.launches) {
    std::string run = l.target + "|" + l.who;
    for (const auto& [k, v] : l.size) run += "|" + k + std::to_string(v);
    if (run != current) {
      current = run;
      report = {};
      try {
        report = run_here(catalog, l, device);
      } catch (const Error& e) {
        say(l.target + ": " + e.what());
      }
    }
    if (report.runs.empty()) continue;
    const auto& launches = report.runs[0].launches;
    if (size_t(l.launch) >= launches.size() || launches[size_t(l.launch)].kernel != l.kernel.kernel) {
      say(fmt::format("{}: launch {} is not {} here", l.target, l.launch, l.kernel.kernel));
      continue;
    }
    const LaunchReport& here = launches[size_t(l.launch)];
    const auto& g = l.kernel.grid;
    if (!seen.insert(fmt::format("{}|{}|{}x{}x{}", l.target, l.kernel.kernel, g.x, g.y, g.z)).second)
      continue;
    ComparedKernel c;
    c.gpu = recording.gpu;
    c.target = l.target, c.kernel = l.kernel.kernel, c.grid = l.kernel.grid, c.block = l.kernel.block;
    c.memory = pick(memory_names, l.kernel.counters, here.counters);
    c.executed = pick(executed_names, l.kernel.counters, here.counters);
    c.traffic = pick_traffic(l.kernel.counters, here.counters);
    out.push_back(std::move(c));
  }
  if (out.empty()) throw Error("no kernel of the recording could be compared here");
  return out;
}

}  // namespace dojo::run
