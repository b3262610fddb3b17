#include "run/audits/front_ends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>

#include "core/collections/statistics.hpp"
#include "core/compile/compiler.hpp"
#include "core/counters.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "run/audits/counter_check.hpp"
#include "run/recordings/recording.hpp"
#include "run/recordings/recording_times.hpp"
#include "run/runner.hpp"

namespace dojo::run {
namespace {

constexpr double slow_error = 0.15;  ///< modelled times further off than this are listed

/// $WARPDOJO_FRONT_END while it lives.
class ChosenFrontEnd {
 public:
  explicit ChosenFrontEnd(const char* name) {
    if (const char* before = std::getenv(variable)) before_ = before;
    setenv(variable, name, 1);
  }
  ~ChosenFrontEnd() {
    if (before_)
      setenv(variable, before_->c_str(), 1);
    else
      unsetenv(variable);
  }
  ChosenFrontEnd(const ChosenFrontEnd&) = delete;
  ChosenFrontEnd& operator=(const ChosenFrontEnd&) = delete;

 private:
  static constexpr const char* variable = "WARPDOJO_FRONT_END";
  std::optional<std::string> before_;
};

double counted(const Counters& c, const char* alias) {
  const CounterInfo* info = find_counter(alias);
  const auto it = info ? c.find(std::string(info->name)) : c.end();
  return it == c.end() ? 0 : it->second;
}

FrontEndRun run_with(const Catalog& catalog, const char* compiler, const std::string& step,
                     const BenchOptions& o) {
  const ChosenFrontEnd chosen(compiler);
  if (std::string why; !compiler_available(&why)) throw Error(why);
  RunRequest r;
  r.step = step;
  r.who = Who::reference;
  r.device = o.device;
  r.gates = r.timing = !o.quick;
  r.every_gate = true;
  r.time_limit_s = o.time_limit_s;
  return front_end_run(run_step(catalog, r));
}

/// The median over all recordings of such a GPU; 0 where none has this step at this size.
double recorded_time(const Recording& recording, const RecordedTimes& others, const std::string& step,
                     const Size& size) {
  std::vector<double> us;
  for (const Report& report : recording.reports) {
    if (report.step != step || report.size != size) continue;
    for (const RunReport& run : report.runs)
      // What printing takes of a GPU is not modelled.
      if (run.who == "reference" && run.status == Status::pass && run.printed.empty())
        us.push_back(run.time_us.value);
  }
  if (us.empty()) return 0;
  if (const auto more = others.us.find({step, size_name(size)}); more != others.us.end())
    us.insert(us.end(), more->second.begin(), more->second.end());
  std::erase(us, 0.0);
  return median(us);
}

double time_error(const FrontEndRow& row, const FrontEndRun& run) {
  return row.recorded_us > 0 && run.modelled_us > 0 ? run.modelled_us / row.recorded_us - 1 : 0;
}

/// Compared with the recording, under both front ends.
bool timed_by_both(const FrontEndRow& r) {
  return r.recorded_us > 0 && r.nvrtc.right && r.clang.right && r.nvrtc.modelled_us > 0 &&
         r.clang.modelled_us > 0;
}

double mean_error(const std::vector<FrontEndRow>& rows, FrontEndRun FrontEndRow::*run) {
  double sum = 0;
  int n = 0;
  for (const auto& r : rows)
    if (timed_by_both(r)) sum += std::abs(time_error(r, r.*run)), ++n;
  return n ? sum / n : 0;
}

double median_compile(const std::vector<FrontEndRow>& rows, FrontEndRun FrontEndRow::*run) {
  std::vector<double> ms;
  for (const auto& r : rows)
    if ((r.*run).compiled) ms.push_back((r.*run).compile_ms);
  return median(ms);
}

Figures front_ends(const BenchOptions& given) {
  BenchOptions o = given;
  if (o.device.empty()) o.device = "simt:h100";
  open_device(o.device);
  const Catalog catalog = load_catalog(find_root());
  const std::string gpu = "rec:" + o.device.substr(o.device.find(':') + 1);
  Recording recording;
  RecordedTimes others;
  if (std::error_code ec; !o.quick && fs::exists(recording_path(gpu), ec)) {
    recording = load_recording(recording_path(gpu));
    if (fs::exists(times_path(gpu), ec)) others = load_times(times_path(gpu));
  }
  std::vector<FrontEndRow> rows;
  for (const Lab& lab : catalog.labs)
    for (const Step& step : lab.steps) {
      if (!o.steps.empty() && std::find(o.steps.begin(), o.steps.end(), step.id()) == o.steps.end()) continue;
      FrontEndRow row;
      row.step = step.id();
      row.size = size_argument(step.size);
      row.recorded_us = recorded_time(recording, others, row.step, step.size);
      if (o.within_us > 0 && (row.recorded_us <= 0 || row.recorded_us > o.within_us)) continue;
      row.nvrtc = run_with(catalog, "nvrtc", row.step, o);
      row.clang = run_with(catalog, "clang", row.step, o);
      row.kernels = compare_kernels(row.nvrtc, row.clang);
      if (o.say) {
        const auto unequal = std::count_if(row.kernels.begin(), row.kernels.end(),
                                           [](const FrontEndKernel& k) { return !k.equal_traffic(); });
        o.say(fmt::format("{}: NVRTC {}, clang {}; {} of {} kernels differ", row.step, row.nvrtc.verdict,
                          row.clang.verdict, unequal, row.kernels.size()));
      }
      rows.push_back(std::move(row));
    }
  if (o.print) o.print(front_ends_text(rows, !o.quick));
  return front_ends_figures(rows, !o.quick);
}

}  // namespace

FrontEndRun front_end_run(const Report& report) {
  FrontEndRun out;
  out.verdict = "no run";
  if (report.runs.empty()) return out;
  const RunReport& run = report.runs.front();
  out.compiled = run.status != Status::compile_error;
  out.right = correct(run);
  out.passed = run.status == Status::pass;
  out.modelled_us = run.time_us.value;
  out.compile_ms = run.compile_ms;
  out.verdict = to_string(run.status);
  if (run.status == Status::gate_failed) {
    for (const GateReport& g : run.gates)
      if (!g.pass) out.verdict += fmt::format(" `{}`", g.name);
  } else if (!out.passed && !run.diagnostics.empty()) {
    out.verdict += ": " + run.diagnostics.front().message;
  }
  for (const LaunchReport& l : run.launches) {
    Counters& sum = out.kernels[l.kernel];
    sum["launches"] += 1;
    for (const char* name : memory_counters())
      if (const CounterInfo* info = find_counter(name))
        sum[std::string(info->name)] += counted(l.counters, name);
  }
  return out;
}

std::vector<FrontEndKernel> compare_kernels(const FrontEndRun& nvrtc, const FrontEndRun& clang) {
  std::set<std::string> names;
  for (const auto* run : {&nvrtc, &clang})
    for (const auto& [name, counters] : run->kernels) names.insert(name);
  std::vector<FrontEndKernel> out;
  for (const std::string& name : names) {
    FrontEndKernel k;
    k.kernel = name;
    const auto a = nvrtc.kernels.find(name), b = clang.kernels.find(name);
    const Counters none;
    const Counters &x = a == nvrtc.kernels.end() ? none : a->second,
                   &y = b == clang.kernels.end() ? none : b->second;
    const auto launches = [](const Counters& c) { return c.empty() ? 0.0 : c.at("launches"); };
    if (launches(x) != launches(y)) k.unequal.push_back({"launches", launches(x), launches(y)});
    for (const char* counter : memory_counters())
      if (const double u = counted(x, counter), v = counted(y, counter); u != v)
        k.unequal.push_back({counter, u, v});
    out.push_back(std::move(k));
  }
  return out;
}

bool FrontEndKernel::equal_traffic() const {
  return std::all_of(unequal.begin(), unequal.end(), [](const UnequalCounter& u) {
    return u.name.ends_with("_loads") || u.name.ends_with("_stores");
  });
}

std::string FrontEndKernel::reason() const {
  const auto differs = [&](std::initializer_list<const char*> names) {
    return std::any_of(unequal.begin(), unequal.end(), [&](const UnequalCounter& u) {
      return std::find(names.begin(), names.end(), u.name) != names.end();
    });
  };
  if (unequal.empty()) return {};
  if (equal_traffic()) return "instructions whose lanes are all switched off, or that carry other widths";
  if (differs({"launches"})) return "it is not launched as often";
  if (differs({"local_load_sectors", "local_store_sectors"}))
    return "one keeps an array in local memory that the other has in registers";
  const bool sectors = differs({"global_load_sectors", "global_store_sectors"});
  const bool requests =
      differs({"global_load_requests", "global_store_requests", "global_loads", "global_stores"});
  const bool shared = differs({"shared_loads", "shared_stores"});
  const bool wavefronts = differs({"shared_load_wavefronts", "shared_store_wavefronts"});
  if (sectors) return "one loads or stores what the other leaves out or has kept";
  if (requests && shared) return "neighbouring accesses are joined in different places, global and shared";
  if (requests) return "neighbouring global accesses are joined in different places";
  if (shared && !wavefronts) return "neighbouring shared accesses are joined in different places";
  return "shared memory is read or written by other instructions";
}

Figures front_ends_figures(const std::vector<FrontEndRow>& rows, bool timed) {
  Figures f;
  f["front_ends.steps"] = double(rows.size());
  f["front_ends.kernels"] = f["front_ends.equal_kernels"] = f["front_ends.identical_kernels"] = 0;
  for (const char* who : {"nvrtc", "clang"})
    for (const char* what : {"compiled", "right"}) f[fmt::format("front_ends.{}.{}", who, what)] = 0;
  for (const auto& r : rows) {
    for (const auto& k : r.kernels)
      f["front_ends.kernels"] += 1, f["front_ends.equal_kernels"] += k.equal_traffic(),
          f["front_ends.identical_kernels"] += k.unequal.empty();
    for (const auto& [who, run] : {std::pair{"nvrtc", &r.nvrtc}, std::pair{"clang", &r.clang}}) {
      f[fmt::format("front_ends.{}.compiled", who)] += run->compiled;
      f[fmt::format("front_ends.{}.right", who)] += run->right;
      if (timed) f[fmt::format("front_ends.{}.passed", who)] += run->passed;
    }
    if (timed) f["front_ends.recorded"] += timed_by_both(r);
  }
  if (!timed) return f;
  f["front_ends.nvrtc.mape"] = mean_error(rows, &FrontEndRow::nvrtc);
  f["front_ends.clang.mape"] = mean_error(rows, &FrontEndRow::clang);
  f["front_ends.nvrtc.compile_ms"] = median_compile(rows, &FrontEndRow::nvrtc);
  f["front_ends.clang.compile_ms"] = median_compile(rows, &FrontEndRow::clang);
  return f;
}

namespace {

std::string kernels_table(const std::vector<FrontEndRow>& rows) {
  std::string out;
  for (const auto& r : rows) {
    if (!r.nvrtc.right || !r.clang.right) continue;
    for (const auto& k : r.kernels) {
      if (k.unequal.empty()) continue;
      std::string counters;
      for (const auto& u : k.unequal)
        counters += fmt::format("{}{} {:.10g}, clang {:.10g}", counters.empty() ? "" : "; ", u.name, u.nvrtc,
                                u.clang);
      out += fmt::format("| {} | {} | {} | {} |\n", r.step, k.kernel, counters, k.reason());
    }
  }
  if (out.empty()) return out;
  return "Kernels whose counters differ (NVRTC's first):\n\n| step | kernel | counters | what follows from "
         "them |\n"
         "|---|---|---|---|\n" +
         out + "\n";
}

std::string verdicts_table(const std::vector<FrontEndRow>& rows) {
  std::string out;
  for (const auto& r : rows)
    if (r.nvrtc.verdict != r.clang.verdict)
      out += fmt::format("| {} | {} | {} |\n", r.step, r.nvrtc.verdict, r.clang.verdict);
  if (out.empty()) return out;
  return "Steps whose verdicts differ:\n\n| step | NVRTC | clang |\n|---|---|---|\n" + out + "\n";
}

std::string times_table(const std::vector<FrontEndRow>& rows) {
  std::string out;
  for (const auto& r : rows) {
    if (!timed_by_both(r) || std::abs(time_error(r, r.clang)) <= slow_error) continue;
    out += fmt::format("| {} | {} | {:.1f} | {:.1f} ({:+.0f} %) | {:.1f} ({:+.0f} %) |\n", r.step, r.size,
                       r.recorded_us, r.nvrtc.modelled_us, 100 * time_error(r, r.nvrtc), r.clang.modelled_us,
                       100 * time_error(r, r.clang));
  }
  if (out.empty()) return out;
  return fmt::format(
             "Times that are more than {:.0f} % off with clang:\n\n| step | size | recorded µs | "
             "modelled with NVRTC | with clang |\n|---|---|---:|---:|---:|\n",
             100 * slow_error) +
         out + "\n";
}

}  // namespace

std::string front_ends_text(const std::vector<FrontEndRow>& rows, bool timed) {
  Figures f = front_ends_figures(rows, timed);
  std::string out = fmt::format("| {} references | NVRTC | clang |\n|---|---:|---:|\n", rows.size());
  const auto counts = [&](const char* words, const char* key) {
    out += fmt::format("| {} | {} | {} |\n", words, f[fmt::format("front_ends.nvrtc.{}", key)],
                       f[fmt::format("front_ends.clang.{}", key)]);
  };
  counts("compile", "compiled");
  counts("compute a right result", "right");
  if (timed) {
    counts("pass every gate", "passed");
    out += fmt::format("| mean error of the modelled time, {} recorded runs | {:.1f} % | {:.1f} % |\n",
                       f["front_ends.recorded"], 100 * f["front_ends.nvrtc.mape"],
                       100 * f["front_ends.clang.mape"]);
    out += fmt::format("| compile time, median | {:.0f} ms | {:.0f} ms |\n", f["front_ends.nvrtc.compile_ms"],
                       f["front_ends.clang.compile_ms"]);
  }
  const double kernels = f["front_ends.kernels"], equal = f["front_ends.equal_kernels"];
  out += fmt::format(
      "\n{} of {} kernels ({:.1f} %) have equal requests, sectors and wavefronts; {} also have equal numbers "
      "of load and store instructions.\n\n",
      equal, kernels, kernels > 0 ? 100 * equal / kernels : 0, f["front_ends.identical_kernels"]);
  out += kernels_table(rows) + verdicts_table(rows);
  if (timed) out += times_table(rows);
  return out;
}

void register_front_ends_bench() {
  register_bench(
      {"front-ends", "counters and times of every reference with NVRTC and with clang", front_ends});
}

}  // namespace dojo::run
