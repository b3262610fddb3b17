// profile, sanitize: NVIDIA's own tools on a step or a program.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/cli.hpp"
#include "cli/terminal.hpp"
#include "core/counters.hpp"
#include "core/error.hpp"
#include "core/paths.hpp"
#include "run/audits/counter_check.hpp"
#include "run/bench.hpp"
#include "run/profile.hpp"
#include "run/recording.hpp"

namespace dojo::cli {
namespace {

bool is_program(const std::string& name) { return name.ends_with(".cu") && fs::exists(name); }

/// Programs by their path; labs and steps by the catalog.
std::vector<run::ProfileTarget> targets_of(const Catalog& catalog, const ProfileOptions& o) {
  std::vector<run::ProfileTarget> all;
  for (const std::string& name : o.targets) {
    run::ProfileTarget t;
    t.who = o.who, t.device = o.device, t.size = o.size;
    if (is_program(name)) {
      t.name = name;
      all.push_back(t);
      continue;
    }
    for (const Step* s : steps_of(catalog, {name})) {
      t.name = s->id();
      t.size = o.size;
      // The size that the machine takes by default, so that its counters can be laid beside these.
      if (o.size.empty())
        for (const auto& [k, v] : s->size)
          t.size += (t.size.empty() ? "" : ",") + k + "=" + std::to_string(v);
      all.push_back(t);
    }
  }
  return all;
}

void show(const Report& report) {
  for (const auto& l : report.runs.at(0).launches) {
    fmt::print("{}", paint(Ink::bold, fmt::format("{}  {}  grid ({}, {}, {})  block ({}, {}, {})\n",
                                                  report.step, l.kernel, l.grid.x, l.grid.y, l.grid.z,
                                                  l.block.x, l.block.y, l.block.z)));
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, v] : l.counters) rows.push_back({name, fmt::format("{:.6g}", v)});
    fmt::print("{}", table(rows, "  "));
  }
}

}  // namespace

int cmd_profile(const ProfileOptions& o) {
  run::find_tool("ncu");
  run::register_devices();
  const DeviceInfo gpu = open_device(o.device)->info();  // wrong names and missing drivers before any work
  if (gpu.kind != DeviceKind::cuda)
    throw Error("profile needs a GPU (cuda:0); the counters of " + o.device +
                " are in every report of `run`");
  const Catalog catalog = open_catalog();
  run::CounterRecording recording;
  recording.date = run::date_name();
  recording.gpu = gpu.title;
  recording.driver = run::driver_name();
  recording.commit = run::commit_name();
  int status = 0;
  for (const auto& t : targets_of(catalog, o)) {
    try {
      const Report r = run::profile(t);
      if (o.json)
        fmt::print("{}\n", to_json(r, 2));
      else if (o.out.empty())
        show(r);
      else
        fmt::print("{}  {} launches\n", pad(t.name, 40), r.runs.at(0).launches.size());
      std::fflush(stdout);
      int n = 0;
      for (const auto& l : r.runs.at(0).launches)
        recording.launches.push_back(
            {t.name, is_program(t.name) ? "" : t.who, r.size, n++, {l.kernel, l.grid, l.block, l.counters}});
      if (!o.out.empty())
        run::save_counters(o.out, recording);  // at once: an interrupted one keeps what it has
    } catch (const Error& e) {
      if (e.exit == 130) throw;
      fmt::print(stderr, "warpdojo: {}: {}\n", t.name, e.what());
      status = status ? status : e.exit;
    }
  }
  return status;
}

int cmd_counters(const CountersOptions& o) {
  const Catalog catalog = open_catalog();
  run::register_devices();
  std::vector<run::CounterRecording> recordings;
  if (o.recording.empty())
    recordings = run::counter_recordings();
  else
    recordings.push_back(run::load_counters(run::recording_path("rec:" + o.recording)));
  const auto reasons = run::load_reasons(find_root() / "assets" / "recordings" / "counter-reasons.json");
  std::vector<run::ComparedKernel> all;
  for (run::CounterRecording& recording : recordings) {
    if (!o.targets.empty())
      std::erase_if(recording.launches, [&](const run::CountedLaunch& l) {
        return std::none_of(o.targets.begin(), o.targets.end(), [&](const std::string& t) {
          return l.target == t || l.target.starts_with(t + "/") || l.target.starts_with(t + "-");
        });
      });
    if (recording.launches.empty()) continue;
    auto more = run::compare_counters(catalog, recording,
                                      [](const std::string& line) { fmt::print(stderr, "{}\n", line); });
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }
  if (all.empty())
    throw Error("no recording has such a target; `warpdojo profile TARGET --out FILE` on a GPU makes one");
  const auto wrong = run::wrong_reasons(all, reasons);
  for (const std::string& line : wrong) fmt::print(stderr, "{}\n", line);
  if (o.markdown) {
    fmt::print("{}", run::counters_markdown(recordings, all, reasons));
    return wrong.empty() ? 0 : 1;
  }
  size_t exact = 0;
  std::vector<std::vector<std::string>> rows{
      {"GPU", "target", "kernel", "memory", "executed", "differences", "reason"}};
  for (const auto& k : all) {
    exact += k.memory_exact();
    rows.push_back({k.gpu, k.target, k.kernel, k.memory_exact() ? "equal" : "differ",
                    k.executed_exact() ? "equal" : fmt::format("{:.1f} %", 100 * k.executed_error()),
                    k.difference(), run::reason_of(k, reasons)});
  }
  fmt::print("{}{} of {} kernels have equal memory counters\n", table(rows), exact, all.size());
  return 0;
}

int cmd_sanitize(const SanitizeOptions& o) {
  run::find_tool("compute-sanitizer");
  run::register_devices();
  if (open_device(o.device)->info().kind != DeviceKind::cuda)
    throw Error("sanitize needs a GPU (cuda:0); on " + o.device + " `run` itself makes these checks");
  run::ProfileTarget t;
  t.name = o.target, t.who = o.who, t.device = o.device, t.size = o.size;
  if (!is_program(o.target)) t.name = open_catalog().find(o.target).id();
  std::vector<std::string> tools{o.tool};
  if (o.tool == "all") tools = {"memcheck", "racecheck", "initcheck", "synccheck"};
  int status = 0;
  for (const auto& tool : tools) {
    const auto r = run::sanitize(t, tool);
    fmt::print("{}", r.text);
    fmt::print("{}\n", paint(Ink::bold, r.errors < 0    ? tool + ": the tool did not finish"
                                        : r.errors == 0 ? tool + ": no errors"
                                                        : fmt::format("{}: {} errors", tool, r.errors)));
    std::fflush(stdout);
    if (r.errors < 0 && !status) status = 71;
    if (r.errors > 0) status = 70;
  }
  return status;
}

}  // namespace dojo::cli
