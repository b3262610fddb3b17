// profile, sanitize: a step or a program as Nsight Compute shows it, modelled or measured, and under Compute
// Sanitizer.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/cli.hpp"
#include "cli/show.hpp"
#include "cli/terminal.hpp"
#include "core/counters.hpp"
#include "core/error.hpp"
#include "core/paths.hpp"
#include "run/audits/counter_check.hpp"
#include "run/bench.hpp"
#include "run/own_program.hpp"
#include "run/profile/page.hpp"
#include "run/profile/profile.hpp"
#include "run/recordings/recording.hpp"

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
  fmt::print("{}\n{}\n", paint(Ink::bold, report.step),
             run::profile_text(report.runs.at(0), report.device, terminal_columns()));
  for (const auto& l : report.runs.at(0).launches) {
    fmt::print("{}", paint(Ink::bold, fmt::format("{}: all counters\n", l.kernel)));
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, v] : l.counters) rows.push_back({name, fmt::format("{:.6g}", v)});
    fmt::print("{}", table(rows, "  "));
  }
}

/// The page of each target, from a run on the SIMT machine.
int modelled_pages(const ProfileOptions& o) {
  Catalog catalog = open_catalog();
  int status = 0;
  std::vector<const Step*> steps;
  for (const std::string& name : o.targets) {
    if (run::names_program(catalog, name)) {
      steps.push_back(&step_or_program(catalog, name));
      continue;
    }
    for (const Step* s : steps_of(catalog, {name})) steps.push_back(s);
  }
  for (const Step* s : steps) {
    RunOptions ro;
    ro.step = s->id(), ro.device = o.device, ro.size = o.size;
    ro.who = o.who == "reference" ? run::Who::reference : run::Who::student;
    run::RunRequest request = request_of(ro);
    request.lines = true;
    request.gates = false;
    set_program(request, catalog, *s);
    run::WorkerClient client;
    const Answer a = ask(client, request);
    if (o.json) {
      fmt::print("{}\n", to_json(a.report, 2));
      std::fflush(stdout);
      continue;
    }
    for (const auto& r : a.report.runs) {
      const std::string size = size_text(a.report.size);
      fmt::print("{}\n", paint(Ink::bold, run_title(*s, r) + (size.empty() ? "" : ", " + size)));
      for (const auto& d : r.diagnostics) fmt::print("{}", show_diagnostic(d, catalog.root.string()));
      fmt::print("{}\n", r.launches.empty() ? "Nothing ran, so there is nothing to profile.\n"
                                            : run::profile_text(r, a.report.device, terminal_columns()));
      // Gates were not asked for, and a wrong result can be profiled as well.
      if (r.launches.empty()) status = a.exit_status;
    }
    std::fflush(stdout);
  }
  return status;
}

}  // namespace

int cmd_profile(const ProfileOptions& options) {
  ProfileOptions o = options;
  run::register_devices();
  // What is kept is compared with the machine's counters, so it comes from a GPU.
  if (o.device.empty() && !o.out.empty()) o.device = "cuda:0";
  if (o.device.empty() || o.device.starts_with("simt:")) {
    if (!o.out.empty())
      throw Error("--out keeps the counters of a GPU (cuda:0); those of " + o.device +
                  " are in the report of `profile --json`");
    return modelled_pages(o);
  }
  const DeviceInfo gpu = open_device(o.device)->info();  // wrong names and missing drivers before any work
  if (gpu.kind != DeviceKind::cuda)
    throw Error("profile runs on a modelled GPU (simt:h100) or a real one (cuda:0); " + o.device +
                " is a recording");
  run::find_tool("ncu");
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
