#include "run/counter_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/counters.hpp"
#include "core/error.hpp"
#include "run/runner.hpp"

namespace dojo::run {
namespace {

constexpr const char* memory_names[] = {
    "global_load_requests", "global_load_sectors",    "global_store_requests",  "global_store_sectors",
    "shared_loads",         "shared_load_wavefronts", "shared_stores",          "shared_store_wavefronts",
    "global_loads",         "global_stores"};
constexpr const char* executed_names[] = {"instructions", "thread_instructions", "lanes_on_per_instruction",
                                          "divergent_branches"};
// A hit rate in L1 depends on which of two loads in flight comes first, and ncu empties the caches before each
// kernel while a program doesn't: only what a cold run settles is compared.
constexpr const char* traffic_names[] = {"dram_read_bytes"};

std::vector<ComparedCounter> pick(std::span<const char* const> names, const Counters& hardware,
                                  const Counters& machine) {
  std::vector<ComparedCounter> out;
  for (const char* alias : names) {
    const CounterInfo* info = find_counter(alias);
    if (!info) continue;
    const std::string name(info->name);
    const auto h = hardware.find(name), m = machine.find(name);
    if (h == hardware.end()) continue;
    out.push_back({alias, h->second, m == machine.end() ? 0 : m->second});
  }
  return out;
}

double largest(const std::vector<ComparedCounter>& all) {
  double e = 0;
  for (const auto& c : all) e = std::max(e, c.error());
  return e;
}

Report run_here(const Catalog& catalog, const CountedLaunch& l) {
  if (l.target.ends_with(".cu")) {
    PlayRequest p;
    fs::path file = l.target;
    if (file.is_relative()) file = catalog.root / file;
    p.file = file.string();
    return play(p, {}, nullptr);
  }
  RunRequest r;
  r.step = l.target;
  r.who = l.who == "student" ? Who::student : Who::reference;
  r.device = "simt:h100";
  r.size = l.size;
  r.gates = false;
  r.time_limit_s = 120;
  return run_step(catalog, r);
}

}  // namespace

double ComparedCounter::error() const {
  if (hardware == machine) return 0;
  return hardware == 0 ? 1 : std::abs(machine - hardware) / std::abs(hardware);
}

bool ComparedKernel::memory_exact() const { return largest(memory) == 0; }
double ComparedKernel::executed_error() const { return largest(executed); }
double ComparedKernel::traffic_error() const { return largest(traffic); }
bool ComparedKernel::executed_exact() const {
  // Ratios come as decimals: the same to five figures is the same.
  return largest(executed) < 1e-5;
}

std::string ComparedKernel::difference() const {
  std::string words;
  for (const auto* group : {&memory, &executed})
    for (const auto& c : *group)
      if (c.error() >= (group == &memory ? 1e-12 : 0.05))
        words += fmt::format("{}{} {:.10g}, hardware {:.10g}", words.empty() ? "" : "; ", c.name, c.machine,
                             c.hardware);
  return words;
}

std::vector<ComparedKernel> compare_counters(const Catalog& catalog, const CounterRecording& recording,
                                             const std::function<void(const std::string&)>& say) {
  std::vector<ComparedKernel> out;
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
        report = run_here(catalog, l);
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
    if (!seen.insert(fmt::format("{}|{}|{}x{}x{}", l.target, l.kernel.kernel, g.x, g.y, g.z)).second) continue;
    ComparedKernel c;
    c.target = l.target, c.kernel = l.kernel.kernel, c.grid = l.kernel.grid, c.block = l.kernel.block;
    c.memory = pick(memory_names, l.kernel.counters, here.counters);
    c.executed = pick(executed_names, l.kernel.counters, here.counters);
    c.traffic = pick(traffic_names, l.kernel.counters, here.counters);
    out.push_back(std::move(c));
  }
  if (out.empty()) throw Error("no kernel of the recording could be compared here");
  return out;
}

std::string counters_markdown(const CounterRecording& r, const std::vector<ComparedKernel>& all) {
  size_t memory = 0, executed = 0, near = 0;
  for (const auto& k : all) {
    memory += k.memory_exact();
    executed += k.executed_exact();
    near += k.executed_error() <= 0.05;
  }
  std::string s = fmt::format(
      "# Counters, against a real GPU\n\n"
      "Made by `warpdojo counters --markdown`. Recorded with Nsight Compute on {}, driver {}, {}, commit {} "
      "(`warpdojo profile`); every kernel run on the SIMT machine (simt:h100) at the same size.\n\n"
      "Of {} kernels, the memory counters (requests, sectors, wavefronts, accesses, global and shared, loads and "
      "stores) are equal in {}; what is executed (warp and thread instructions, predicated-on lanes, divergent "
      "branches) is equal in {} and within 5 % in {}.\n\n"
      "| target | kernel | memory counters | executed, largest error | DRAM read | differences |\n"
      "| --- | --- | --- | ---: | ---: | --- |\n",
      r.gpu, r.driver, r.date, r.commit, all.size(), memory, executed, near);
  for (const auto& k : all)
    s += fmt::format("| {} | `{}` | {} | {} | {} | {} |\n", k.target, k.kernel,
                     k.memory_exact() ? "equal" : "**differ**",
                     k.executed_exact() ? "equal" : fmt::format("{:.1f} %", 100 * k.executed_error()),
                     k.traffic.empty() ? "" : fmt::format("{:+.1f} %", 100 * k.traffic_error()), k.difference());
  return s;
}

}  // namespace dojo::run
