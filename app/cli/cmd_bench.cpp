// bench: runs one family of figures and prints them, for people or as JSON for docs/figures.md.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/benches/bench_compile.hpp"
#include "cli/benches/bench_grade.hpp"
#include "cli/benches/solution_times.hpp"
#include "cli/cli.hpp"
#include "cli/terminal.hpp"
#include "core/collections/statistics.hpp"
#include "core/counters.hpp"
#include "core/error.hpp"
#include "core/files/scratch_folder.hpp"
#include "core/paths.hpp"
#include "run/audits/fidelity.hpp"
#include "run/audits/front_ends.hpp"
#include "run/audits/frozen.hpp"
#include "run/audits/gpu_figures.hpp"
#include "run/audits/nvcc_check.hpp"
#include "run/bench.hpp"
#include "run/recordings/recording.hpp"
#include "run/reference_cache.hpp"
#include "simt/machine/bench.hpp"

namespace dojo::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// From saving a file to its verdict: the sequential tier at 2^20, in a copy of the lab, through the warm
/// worker, as the app and `watch` do it. The reference's report is cached by the first run and does not
/// count.
run::Figures bench_edit(const run::BenchOptions& o) {
  const Catalog catalog = open_catalog();
  const Step& step = catalog.find("reduce/sequential");
  const Lab& lab = catalog.lab_of(step);
  const ScratchFolder made("bench");
  if (made.path.empty()) throw Error("cannot make a temporary folder");
  const fs::path folder = made.path;
  for (const char* part : {"labs", "reference"}) {
    const fs::path from = std::string(part) == "labs" ? lab.folder : lab.reference;
    fs::create_directories(folder / part / lab.folder.filename());
    fs::copy(from, folder / part / lab.folder.filename(), fs::copy_options::recursive);
  }
  std::error_code ec;
  fs::copy(catalog.root / "labs" / "include", folder / "labs" / "include", fs::copy_options::recursive, ec);
  const fs::path toml = folder / "labs" / lab.folder.filename() / "lab.toml";
  std::string text = read_or_empty(toml);
  const std::string from = "n = " + std::to_string(step.size.at("n")), to = "n = 1048576";
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  std::ofstream(toml) << text;

  const char* before = std::getenv("WARPDOJO_ROOT");
  const std::string old_root = before ? before : "";
  setenv("WARPDOJO_ROOT", folder.c_str(), 1);
  run::Figures f;
  try {
    const std::string solved = read_or_empty(lab.reference / step.file);
    const fs::path file = folder / "labs" / lab.folder.filename() / step.file;
    run::WorkerClient client{run::WorkerOptions{.warm = true}};
    std::vector<double> verdict, compile;
    const int repeats = o.quick ? 3 : 15;
    for (int k = -2; k < repeats; ++k) {
      const auto start = Clock::now();
      std::ofstream(file) << solved << "// edit " << k << "\n";
      run::RunRequest r;
      r.step = step.id();
      r.who = run::Who::both;
      const Answer a = ask(client, r);
      if (a.report.runs.empty() || a.report.runs[0].status != Status::pass)
        throw Error("the solved step does not pass: " +
                        std::string(a.report.runs.empty() ? "no run" : to_string(a.report.runs[0].status)),
                    1);
      const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
      if (o.say) o.say(fmt::format("edit {}: {:.0f} ms", k, ms));
      if (k < 0) continue;  // the first ones start the children and fill the cache
      verdict.push_back(ms);
      compile.push_back(a.report.runs[0].compile_ms);
    }
    f["edit.save_to_verdict_ms"] = median(verdict);
    f["edit.compile_ms"] = median(compile);
    f["edit.repeats"] = double(verdict.size());
  } catch (...) {
    if (before)
      setenv("WARPDOJO_ROOT", old_root.c_str(), 1);
    else
      unsetenv("WARPDOJO_ROOT");
    throw;
  }
  if (before)
    setenv("WARPDOJO_ROOT", old_root.c_str(), 1);
  else
    unsetenv("WARPDOJO_ROOT");
  return f;
}

/// The machine's own figures, and the sequential tier with the time model on: warp instructions a second on
/// one core, from the slope between two sizes, so that compiling and loading don't count.
run::Figures bench_simt(const run::BenchOptions& o) {
  run::Figures f;
  for (const auto& [key, value] : simt::bench_machine()) f[key] = value;
  const Catalog catalog = open_catalog();
  const Step& step = catalog.find("reduce/sequential");
  auto measure = [&](int64_t n) {
    std::vector<double> ms;
    double instructions = 0;
    for (int k = 0; k < (o.quick ? 1 : 5); ++k) {
      run::RunRequest r;
      r.step = step.id();
      r.student_file = catalog.reference_file(step).string();
      r.who = run::Who::student;
      r.size = {{"n", n}};
      r.gates = false;
      r.threads = 1;
      const Report report = run::run_step(catalog, r);
      if (report.runs.at(0).status != Status::pass) throw Error("the sequential tier does not pass", 1);
      ms.push_back(report.runs[0].wall_ms);
      instructions = total(report.runs[0], "instructions");
    }
    return std::pair{median(ms), instructions};
  };
  const auto [ms1, instructions1] = measure(int64_t(1) << 20);
  const auto [ms2, instructions2] = measure(int64_t(1) << 22);
  if (ms2 > ms1) f["simt.reduce.model"] = (instructions2 - instructions1) / (ms2 - ms1) * 1e3;
  return f;
}

std::string figure_text(double v) {
  if (v != 0 && (std::abs(v) >= 1e6 || std::abs(v) < 1e-2)) return fmt::format("{:.3g}", v);
  return fmt::format("{:.4g}", v);
}

/// Measures every reference on a GPU. Each report is in the file before the next run starts: minutes of
/// measurements outlive whatever happens later, and Ctrl+C ends with the figures so far.
run::Recording measure_references(const Catalog& catalog, const run::BenchOptions& o,
                                  const std::string& device) {
  run::Recording recording;
  recording.date = run::date_name();
  recording.driver = run::driver_name();
  recording.commit = run::commit_name();
  const fs::path folder = data_folder();
  const fs::path kept = folder.empty() ? "bench-cuda.json" : folder / "bench-cuda.json";
  bool writable = true;
  run::WorkerClient client;
  for (const Step* step : steps_of(catalog, {"all"})) {
    if (!o.steps.empty() && std::find(o.steps.begin(), o.steps.end(), step->id()) == o.steps.end()) continue;
    run::RunRequest r;
    r.step = step->id();
    r.who = run::Who::reference;
    r.device = device;
    r.gates = false;
    r.time_limit_s = 60;
    try {
      recording.reports.push_back(ask(client, r).report);
      recording.gpu = recording.reports.back().device.title;
      if (writable) run::save_recording(kept, recording);
      if (o.say) o.say(step->id());
    } catch (const Error& e) {
      if (o.say) o.say(step->id() + ": " + e.what());
      if (e.exit == 130) break;
      if (std::string(e.what()).starts_with("cannot write")) writable = false;
    }
  }
  if (writable && o.say && !recording.reports.empty())
    o.say(fmt::format("{} reports are in {}; --device rec:{} shows their figures again",
                      recording.reports.size(), kept.string(), kept.string()));
  return recording;
}

/// Every reference on a GPU beside its libraries, live, or from a recording (rec:FILE).
run::Figures bench_cuda(const run::BenchOptions& o) {
  const Catalog catalog = open_catalog();
  const std::string device = o.device.empty() ? "cuda:0" : o.device;
  if (!device.starts_with("rec:")) open_device(device);  // says why there is none
  const run::Recording recording = device.starts_with("rec:")
                                       ? run::load_recording(run::recording_path(device))
                                       : measure_references(catalog, o, device);
  return run::cuda_bench_figures(run::gpu_figures(catalog, recording));
}

/// The references' machine code on its two ways to a GPU; prints docs/nvcc.md.
run::Figures bench_nvcc(const run::BenchOptions& o) {
  const Catalog catalog = open_catalog();
  const auto all = run::compare_with_nvcc(catalog, steps_of(catalog, {"all"}), [&](const std::string& line) {
    if (o.say) o.say(line);
  });
  if (o.print) o.print(run::nvcc_markdown(all, run::nvcc_version(), run::date_name(), run::commit_name()));
  run::Figures f;
  f["nvcc.kernels"] = double(all.size());
  for (const auto& c : all) f["nvcc.same"] += c.same(), f["nvcc.same_accesses"] += c.same_accesses();
  return f;
}

}  // namespace

void register_cli_benches() {
  run::register_bench({"cuda", "every reference on a GPU, or from a recording", bench_cuda});
  register_grade_bench();
  register_solutions_bench();
  register_compile_bench();
  run::register_bench(
      {"nvcc", "the references' machine code beside what nvcc -O3 makes of the same files", bench_nvcc});
  run::register_bench({"simt", "warp instructions a second of the SIMT machine", bench_simt});
  run::register_bench({"edit", "from saving a file to its verdict, milliseconds", bench_edit});
  run::register_fidelity_bench();
  run::register_front_ends_bench();
  run::register_frozen_bench();
  run::register_bench(
      {"app", "the window: first frame, frames while a run goes, idle use, a long timeline", bench_window});
}

int cmd_bench(const BenchCommand& c) {
  const run::BenchFamily* family = nullptr;
  std::string known;
  for (const auto& f : run::bench_families()) {
    known += (known.empty() ? "" : ", ") + f.name;
    if (f.name == c.family) family = &f;
  }
  if (!family) throw Error("there is no bench '" + c.family + "'; there are " + known);
  run::register_devices();
  run::BenchOptions o;
  o.device = c.device;
  o.quick = c.quick;
  o.without = c.without;
  o.within_us = c.within_us;
  o.above_us = c.above_us;
  o.time_limit_s = c.time_limit_s;
  if (!c.steps.empty()) {
    const Catalog catalog = open_catalog();
    for (const Step* step : steps_of(catalog, c.steps)) o.steps.push_back(step->id());
  }
  o.say = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  if (!c.json) o.print = [](const std::string& text) { fmt::print("{}\n", text); };
  const run::Figures figures = family->run(o);
  if (c.json) {
    nlohmann::ordered_json j = {{"machine", run::machine_name()}, {"commit", run::commit_name()}};
    j["figures"] = nlohmann::json::object();
    for (const auto& [k, v] : figures) j["figures"][k] = v;
    fmt::print("{}\n", j.dump(2));
    return 0;
  }
  fmt::print("{} at {}\n", run::machine_name(), run::commit_name());
  std::vector<std::vector<std::string>> rows;
  // A hash is compared with another one: all its digits, as JSON has them.
  for (const auto& [k, v] : figures)
    rows.push_back({k, k.ends_with(".hash") ? fmt::format("{:.0f}", v) : figure_text(v)});
  fmt::print("{}", table(rows, "  "));
  return 0;
}

}  // namespace dojo::cli
