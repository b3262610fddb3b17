#include "run/audits/fidelity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/collections/statistics.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "run/audits/counter_check.hpp"
#include "run/audits/recorded_sources.hpp"
#include "run/recordings/recording.hpp"
#include "run/recordings/recording_times.hpp"
#include "run/runner.hpp"

namespace dojo::run {
namespace {

/// How far off as a ratio, the same for half and for double.
double distance(const FidelityRow& r) {
  if (r.modelled_us <= 0 || r.recorded_us <= 0) return 0;
  return std::abs(std::log(r.modelled_us / r.recorded_us));
}

std::vector<std::string> labs_of(const std::vector<FidelityRow>& rows) {
  std::vector<std::string> labs;
  for (const auto& r : rows)
    if (std::find(labs.begin(), labs.end(), r.lab) == labs.end()) labs.push_back(r.lab);
  return labs;
}

void model(const Catalog& catalog, const std::string& device, const Size& size, double time_limit_s,
           FidelityRow& row) {
  RunRequest request;
  request.step = row.step;
  request.who = Who::reference;
  request.device = device;
  request.size = size;
  request.gates = false;
  request.time_limit_s = time_limit_s;
  const Report report = run_step(catalog, request);
  const RunReport* run = reference_run(report);
  if (!run || run->status != Status::pass) {
    row.why_not = run ? std::string("its run ended as ") + to_string(run->status) : "it did not run";
    return;
  }
  row.modelled_us = run->time_us.value;
}

/// The architecture that a step is compiled for on a GPU alone; empty: the same as here.
std::string gpu_code(const Catalog& catalog, const std::string& step) {
  for (const Lab& l : catalog.labs)
    for (const Step& s : l.steps)
      if (s.id() == step && s.gpu_arch != s.arch) return s.gpu_arch;
  return {};
}

/// What is compared with what: a recording, more of such GPUs, and the device that models them.
struct Comparison {
  std::string device, gpu;
  Recording recording;
  Catalog catalog;
  RecordedTimes others;
  RecordedSources sources;

  explicit Comparison(const BenchOptions& o) {
    const std::string whole = o.device.empty() ? "simt:h100" : o.device;
    gpu = "rec:" + whole.substr(whole.find(':') + 1);
    device = o.without.empty() ? whole : whole + "-without-" + o.without;
    open_device(device);  // an unknown rule is told before anything runs
    recording = load_recording(recording_path(gpu));
    catalog = load_catalog(find_root());
    if (const fs::path p = times_path(gpu); fs::exists(p)) others = load_times(p);
    sources = load_sources(sources_path(gpu));
    if (sources.empty() && o.say) o.say(gpu + " does not say which sources it ran: none is checked");
  }
};

/// The recorded times of a report: the median over all GPUs where several are recorded.
FidelityRow recorded_row(const Comparison& c, const Report& report, const RunReport& recorded) {
  FidelityRow row;
  row.step = report.step;
  row.lab = report.step.substr(0, report.step.find('/'));
  row.size = size_argument(report.size);
  row.recorded_us = recorded.time_us.value;
  if (c.others.recordings.empty()) return row;
  const auto more = c.others.us.find({report.step, size_name(report.size)});
  row.all_us =
      more != c.others.us.end() ? more->second : std::vector<double>(c.others.recordings.size(), 0.0);
  row.all_us.push_back(row.recorded_us);
  std::vector<double> there = row.all_us;
  std::erase(there, 0.0);
  row.recorded_us = median(there);
  return row;
}

/// Why a row is not compared; empty: it is.
std::string left_out(const Comparison& c, const BenchOptions& o, const Report& report,
                     const RunReport& recorded, const FidelityRow& row) {
  int64_t elements = 1;
  for (const auto& [k, v] : report.size) elements *= std::max<int64_t>(1, v);
  if (!recorded.printed.empty()) return "it prints, and what printing takes of a GPU is not modelled";
  if (const std::string own = gpu_code(c.catalog, row.step); !own.empty())
    return "a GPU runs code for " + own + ", this machine the general kernel";
  if (o.quick && elements > int64_t(1) << 22) return "size left out by --quick";
  if (o.within_us > 0 && row.recorded_us > o.within_us)
    return fmt::format("left out, more than {} us", o.within_us);
  if (row.recorded_us <= o.above_us) return fmt::format("left out, no more than {} us", o.above_us);
  return {};
}

FidelityRow compare(const Comparison& c, const BenchOptions& o, const Report& report,
                    const RunReport& recorded) {
  FidelityRow row = recorded_row(c, report, recorded);
  row.why_not = left_out(c, o, report, recorded, row);
  try {
    const std::string other =
        other_source(c.sources, row.step, c.catalog.reference_file(c.catalog.find(row.step)));
    if (row.changed = !other.empty(); row.changed) row.why_not = other;
    if (row.why_not.empty()) model(c.catalog, c.device, report.size, o.time_limit_s, row);
  } catch (const Error& e) {
    row.why_not = e.what();
  }
  if (o.say)
    o.say(fmt::format("{} {}: {}", row.step, row.size,
                      row.why_not.empty() ? fmt::format("{:.1f} us modelled, {:.1f} recorded",
                                                        row.modelled_us, row.recorded_us)
                                          : "skipped: " + row.why_not));
  return row;
}

Figures figures_of(const std::vector<FidelityRow>& rows) {
  const FidelitySummary s = summarize(rows);
  Figures f;
  f["fidelity.mape"] = s.mean_error;
  f["fidelity.worst"] = s.worst;
  f["fidelity.tau_min"] = s.tau_min;
  f["fidelity.kernels"] = s.compared;
  f["fidelity.pairs"] = s.pairs;
  f["fidelity.pairs_undecided"] = s.undecided;
  f["fidelity.pairs_wrong"] = s.wrong;
  f["fidelity.changed"] =
      double(std::count_if(rows.begin(), rows.end(), [](const FidelityRow& r) { return r.changed; }));
  f["fidelity.skipped"] = double(rows.size()) - s.compared;
  for (const auto& lab : s.labs) {
    f["fidelity." + lab.lab + ".tau"] = lab.tau;
    f["fidelity." + lab.lab + ".mape"] = lab.mean_error;
  }
  for (const auto& r : rows) {
    if (!r.why_not.empty()) continue;
    const std::string key = "fidelity." + r.step + "@" + r.size;
    f[key + ".modelled_us"] = r.modelled_us;
    f[key + ".recorded_us"] = r.recorded_us;
  }
  return f;
}

/// How many kernels' memory counters the machine has exactly, where counters of the same GPU are recorded.
void add_counters(const Comparison& c, const BenchOptions& o, Figures& f) {
  const fs::path counted = recording_path(c.gpu + "-counters.json");
  const bool whole = !o.quick && o.steps.empty() && o.without.empty() && o.within_us <= 0 && o.above_us <= 0;
  if (std::error_code ec; !whole || !fs::exists(counted, ec)) return;
  const auto kernels = compare_counters(c.catalog, load_counters(counted), [&](const std::string& line) {
    if (o.say) o.say(line);
  });
  f["counters.kernels"] = double(kernels.size());
  f["counters.exact_kernels"] = double(std::count_if(
      kernels.begin(), kernels.end(), [](const ComparedKernel& k) { return k.memory_exact(); }));
}

Figures bench(const BenchOptions& o) {
  const Comparison c(o);
  std::vector<FidelityRow> rows;
  std::map<std::string, int> seen;
  for (const Report& report : c.recording.reports) {
    const RunReport* recorded = reference_run(report);
    if (!recorded || recorded->status != Status::pass) continue;
    if (!o.steps.empty() && std::find(o.steps.begin(), o.steps.end(), report.step) == o.steps.end()) continue;
    rows.push_back(compare(c, o, report, *recorded));
    rows.back().rank = seen[report.step]++;
  }
  std::string against = c.recording.note();
  for (const std::string& r : c.others.recordings) against += fmt::format(", and others of {}", r);
  if (o.print) o.print(fmt::format("{} against {}\n\n{}", c.device, against, fidelity_text(rows)));
  Figures f = figures_of(rows);
  add_counters(c, o, f);
  return f;
}

}  // namespace

std::vector<OrderedPair> ordered_pairs(const std::vector<FidelityRow>& rows, double tie) {
  const auto apart = [&](double x, double y) { return std::max(x, y) > (1 + tie) * std::min(x, y); };
  // 1: b takes longer; -1: a does; 0: they can't be told apart.
  const auto order = [&](double a, double b) { return !apart(a, b) ? 0 : a < b ? 1 : -1; };
  std::vector<OrderedPair> pairs;
  for (size_t i = 0; i < rows.size(); ++i)
    for (size_t j = i + 1; j < rows.size(); ++j) {
      const FidelityRow &a = rows[i], &b = rows[j];
      if (!a.why_not.empty() || !b.why_not.empty() || a.rank != b.rank) continue;
      int recorded = order(a.recorded_us, b.recorded_us);
      for (size_t k = 0; k < a.all_us.size() && k < b.all_us.size(); ++k)
        if (a.all_us[k] > 0 && b.all_us[k] > 0 && order(a.all_us[k], b.all_us[k]) != recorded) recorded = 0;
      if (!recorded) continue;
      OrderedPair p{recorded > 0 ? a : b, recorded > 0 ? b : a};
      if (p.faster.modelled_us >= p.slower.modelled_us)
        p.modelled = apart(a.modelled_us, b.modelled_us) ? OrderedPair::wrong : OrderedPair::undecided;
      pairs.push_back(std::move(p));
    }
  return pairs;
}

double kendall_tau(const std::vector<FidelityRow>& rows, double tie) {
  const std::vector<OrderedPair> pairs = ordered_pairs(rows, tie);
  int sum = 0;
  for (const OrderedPair& p : pairs)
    sum += p.modelled == OrderedPair::right ? 1 : p.modelled == OrderedPair::wrong ? -1 : 0;
  return pairs.empty() ? 1 : double(sum) / double(pairs.size());
}

namespace {

/// "10.3", or where recordings differ by more than 5 % "10.3 (9.8 to 13.4)".
std::string recorded_text(const FidelityRow& r) {
  double least = r.recorded_us, most = r.recorded_us;
  for (double v : r.all_us)
    if (v > 0) least = std::min(least, v), most = std::max(most, v);
  std::string s = fmt::format("{:.1f}", r.recorded_us);
  if (most > 1.05 * least) s += fmt::format(" ({:.1f} to {:.1f})", least, most);
  return s;
}

/// How many orders the model has right, and which it hasn't.
std::string pairs_text(const std::vector<FidelityRow>& rows, const FidelitySummary& s) {
  std::string out = fmt::format(
      "Of {} pairs whose order the recordings tell by more than 5 %, the model has {} right, {} within 5 % "
      "the other way round and {} by more:\n",
      s.pairs, s.pairs - s.undecided - s.wrong, s.undecided, s.wrong);
  for (const auto& lab : s.labs) {
    std::vector<FidelityRow> own;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(own),
                 [&](const FidelityRow& r) { return r.lab == lab.lab; });
    for (const OrderedPair& p : ordered_pairs(own))
      if (p.modelled != OrderedPair::right)
        out += fmt::format("- {} ({}) {:.1f} µs modelled, {} recorded; {} ({}) {:.1f}, {}{}\n", p.faster.step,
                           p.faster.size, p.faster.modelled_us, recorded_text(p.faster),
                           p.slower.step.substr(p.slower.step.find('/') + 1), p.slower.size,
                           p.slower.modelled_us, recorded_text(p.slower),
                           p.modelled == OrderedPair::wrong ? ": the other way round" : "");
  }
  return out;
}

}  // namespace

FidelitySummary summarize(const std::vector<FidelityRow>& rows) {
  FidelitySummary s;
  double sum = 0;
  for (const auto& name : labs_of(rows)) {
    FidelityLab lab;
    lab.lab = name;
    std::vector<FidelityRow> own;
    double errors = 0;
    for (const auto& r : rows) {
      if (r.lab != name || !r.why_not.empty()) continue;
      own.push_back(r);
      errors += std::abs(r.error());
      s.worst = std::max(s.worst, std::abs(r.error()));
      s.worst_rows.push_back(r);
    }
    if (own.empty()) continue;
    lab.rows = int(own.size());
    lab.mean_error = errors / double(own.size());
    lab.tau = kendall_tau(own);
    for (const OrderedPair& p : ordered_pairs(own)) {
      ++s.pairs;
      s.undecided += p.modelled == OrderedPair::undecided;
      s.wrong += p.modelled == OrderedPair::wrong;
    }
    s.tau_min = std::min(s.tau_min, lab.tau);
    s.compared += lab.rows;
    sum += errors;
    s.labs.push_back(std::move(lab));
  }
  s.mean_error = s.compared ? sum / s.compared : 0;
  std::stable_sort(s.worst_rows.begin(), s.worst_rows.end(),
                   [](const auto& a, const auto& b) { return distance(a) > distance(b); });
  if (s.worst_rows.size() > 3) s.worst_rows.resize(3);
  return s;
}

std::string fidelity_text(const std::vector<FidelityRow>& rows) {
  const FidelitySummary s = summarize(rows);
  std::string out;
  for (const auto& name : labs_of(rows)) {
    out += fmt::format(
        "### {}\n\n| step | size | modelled µs | recorded µs | error |\n|---|---|---:|---:|---:|\n", name);
    for (const auto& r : rows) {
      if (r.lab != name) continue;
      const std::string step = r.step.substr(r.step.find('/') + 1);
      if (r.why_not.empty())
        out += fmt::format("| {} | {} | {:.1f} | {} | {:+.0f} % |\n", step, r.size, r.modelled_us,
                           recorded_text(r), 100 * r.error());
      else
        out += fmt::format("| {} | {} | - | {} | {} |\n", step, r.size, recorded_text(r), r.why_not);
    }
    for (const auto& lab : s.labs)
      if (lab.lab == name)
        out += fmt::format("\nKendall's tau {:.2f}, mean absolute error {:.1f} %\n", lab.tau,
                           100 * lab.mean_error);
    out += "\n";
  }
  out += fmt::format(
      "{} runs compared: mean absolute error {:.1f} %, largest {:.0f} %, least tau of a lab {:.2f}.\n",
      s.compared, 100 * s.mean_error, 100 * s.worst, s.tau_min);
  std::string changed;
  for (const auto& r : rows)
    if (r.changed) changed += (changed.empty() ? "" : ", ") + r.step + " (" + r.size + ")";
  if (!changed.empty())
    out += "Left out, because the source changed after it was recorded: " + changed + ".\n";
  out += pairs_text(rows, s);
  out += "Furthest off:";
  for (size_t i = 0; i < s.worst_rows.size(); ++i)
    out +=
        fmt::format("{} {} ({:+.0f} %)", i ? "," : "", s.worst_rows[i].step, 100 * s.worst_rows[i].error());
  return out + ".\n";
}

void register_fidelity_bench() {
  register_bench({"fidelity", "modelled against recorded times of every reference step", bench});
}

}  // namespace dojo::run
