#include "run/stored/stored_report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

#include "core/error.hpp"
#include "run/recordings/recording.hpp"

namespace dojo::run {
namespace fs = std::filesystem;

namespace {
constexpr const char* stored_entry = "a stored report";  // no function of C++ has blanks in its name
constexpr uintmax_t most_source_bytes = 4 << 20;

std::string written_at(const fs::path& file) {
  struct stat s;
  if (stat(file.c_str(), &s) != 0) return "";
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(s.st_mtime));
}

/// The files that a run speaks of, the one with most counted lines and findings first.
std::vector<std::string> named_sources(const RunReport& run) {
  std::map<std::string, size_t> weight;
  for (const auto& l : run.launches)
    for (const auto& line : l.lines) ++weight[line.file];
  for (const auto& d : run.diagnostics) ++weight[d.where.file];
  weight.erase("");
  std::vector<std::string> names;
  for (const auto& [name, n] : weight) names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [&](const auto& a, const auto& b) { return weight[a] > weight[b]; });
  return names;
}

bool is_source(const fs::path& file) {
  static const char* kinds[] = {".cu", ".cuh", ".cpp", ".cc", ".cxx", ".c", ".h", ".hpp"};
  std::error_code ec;
  const auto bytes = fs::file_size(file, ec);
  return !ec && bytes <= most_source_bytes && fs::is_regular_file(file, ec) &&
         std::any_of(std::begin(kinds), std::end(kinds), [&](auto* k) { return file.extension() == k; });
}

fs::path find_source(const Catalog& catalog, const StoredReport& stored) {
  const RunReport* run = student_run(stored.report);
  if (!run) return {};
  std::vector<std::string> names = named_sources(*run);
  names.push_back(stored.report.step);  // of `play`: the program's file
  std::error_code ec;
  for (const std::string& name : names)
    for (const fs::path& folder : {catalog.root, stored.file.parent_path(), fs::current_path(ec)})
      if (const fs::path file = (folder / name).lexically_normal(); is_source(file)) return file;
  for (const auto& lab : catalog.labs)
    for (const auto& step : lab.steps)
      if (step.id() == stored.report.step && is_source(catalog.student_file(step)))
        return catalog.student_file(step);
  return {};
}

/// Empty, or the first figure that no run can have. Axes are made of these: one that is not finite, or huge,
/// can't be drawn.
std::string damage(const Report& r) {
  constexpr int most_sms = 65535;
  constexpr double most = 1e18;  // far beyond any run, far below what an axis can hold
  const auto odd = [](double v) { return !std::isfinite(v) || std::fabs(v) > most; };
  if (r.device.sms < 0 || r.device.sms > most_sms)
    return fmt::format("it speaks of a GPU with {} SMs", r.device.sms);
  for (double v : {r.device.peak_gbps, r.device.peak_gflops, r.device.clock_mhz})
    if (odd(v) || v < 0) return fmt::format("its GPU has a rate of {}", v);
  for (const RunReport& run : r.runs) {
    for (double v :
         {run.time_us.value, run.time_us.min, run.time_us.max, run.end_to_end_us, run.bytes, run.gbps,
          run.dram_gbps, run.flops, run.gflops, run.pct_of_peak_bandwidth, run.compile_ms, run.wall_ms})
      if (odd(v)) return fmt::format("the run of {} has a time or rate of {}", run.who, v);
    for (const LaunchReport& l : run.launches) {
      const std::string of = fmt::format("a launch of {} has ", l.kernel);
      for (double v : {l.start_us, l.time_us, l.occupancy, l.waves, l.wave_utilization, l.tail_idle})
        if (odd(v)) return of + fmt::format("a time or share of {}", v);
      if (l.blocks_per_sm < 0) return of + fmt::format("{} blocks per SM", l.blocks_per_sm);
      if (l.occupancy < 0 || l.waves < 0) return of + "an occupancy or waves below 0";
      for (const auto& [name, v] : l.counters)
        if (!std::isfinite(v)) return of + fmt::format("{} = {}", name, v);
      for (const auto& [name, v] : l.bounds)
        if (odd(v)) return of + fmt::format("a bound {} of {} us", name, v);
      for (const LineCounters& line : l.lines)
        for (const auto& [name, v] : line.counters)
          if (!std::isfinite(v)) return of + fmt::format("{} = {} at line {}", name, v, line.line);
      for (const BlockSpan& b : l.blocks) {
        bool wrong =
            b.sm < 0 || b.sm >= most_sms || odd(b.start_us) || odd(b.end_us) || b.end_us < b.start_us;
        for (const auto& w : b.waiting) wrong |= odd(w[0]) || odd(w[1]);
        if (wrong)
          return of + fmt::format("block {} on SM {} from {} to {} us", b.block, b.sm, b.start_us, b.end_us);
      }
    }
  }
  return "";
}

std::string brief_of(const StoredReport& s) {
  std::string text = "# " + s.report.step + "\n\n" + s.words() + "\n\n- Report: `" + s.file.string() + "`\n";
  if (s.source.empty())
    text += "- Source: not found here, so counters have no lines to stand beside.\n";
  else
    text += "- Source: `" + s.source.string() + "`" +
            (s.source_newer ? ", **written after the report**: lines may have moved" : "") + "\n";
  for (const auto& r : s.report.runs)
    text += fmt::format("- Run: {}, {} {}\n", r.who, r.launches.size(),
                        r.launches.size() == 1 ? "launch" : "launches");
  // A program that ran by itself has neither a file that is opened here nor a step.
  if (s.source.empty() && s.report.step.find('/') == std::string::npos)
    return text + "\nNothing runs here.\n";
  return text + "\nNothing runs here. To run the file again, open it, or its step in the list.\n";
}
}  // namespace

std::string StoredReport::words() const { return fmt::format("Saved {}; ran on {}.", saved, ran_on()); }

std::string StoredReport::ran_on() const {
  const ReportDevice& d = report.device;
  const std::string device = d.title.empty() ? d.name : d.title;
  std::string how = d.kind == DeviceKind::simt ? "modelled" : "measured";
  if (d.kind == DeviceKind::simt && !d.model_version.empty()) how += " (model " + d.model_version + ")";
  if (d.kind == DeviceKind::recording) how = "recorded: " + d.recorded_note;
  return device + ", " + how;
}

StoredReport load_stored(const Catalog& catalog, const fs::path& path) {
  std::error_code ec;
  StoredReport s;
  s.file = fs::absolute(path, ec).lexically_normal();
  if (!fs::exists(s.file, ec)) throw Error("there is no file " + path.string());
  if (!fs::is_regular_file(s.file, ec)) throw Error(path.string() + " is not a file");
  Recording recording;
  try {
    recording = load_recording(s.file);
  } catch (const Error& e) {
    std::string words = e.what();
    const std::string other = " is no recording: ";
    if (const size_t at = words.find(other); at != words.npos)
      words.replace(at, other.size(), " is no report: ");
    throw Error(words, e.exit);
  }
  if (recording.reports.size() != 1)
    throw Error(fmt::format("{} is a recording of {} reports. `--device rec:{}` replays one of them.",
                            path.string(), recording.reports.size(), path.string()));
  s.report = std::move(recording.reports.front());
  if (s.report.runs.empty()) throw Error(path.string() + " is a report in which nothing ran");
  if (const std::string why = damage(s.report); !why.empty())
    throw Error(fmt::format("{} is damaged: {}", path.string(), why));
  // A report without a step, of which nothing else has a name.
  if (s.report.step.empty()) s.report.step = s.file.filename().string();
  s.saved = written_at(s.file);
  s.source = find_source(catalog, s);
  if (!s.source.empty()) s.source_newer = fs::last_write_time(s.source, ec) > fs::last_write_time(s.file, ec);
  return s;
}

const Step& add_stored(Catalog& catalog, const StoredReport& s) {
  const fs::path shown = s.source.empty() ? s.file : s.source;
  Step step;
  step.title = s.report.step;
  step.file = shown.filename().string();
  step.name = s.file.stem().string();
  step.entry = stored_entry;
  step.picture = "time";
  step.device = s.report.device.name;
  step.size = s.report.size;
  step.brief = brief_of(s);
  step.options["report"] = s.file.string();
  for (auto& lab : catalog.labs)
    for (auto& known : lab.steps)
      if (is_stored(known) && known.options["report"] == s.file.string()) {
        step.lab = lab.name;
        lab.folder = shown.parent_path();
        known = std::move(step);
        return known;
      }
  Lab lab;
  lab.name = s.file.filename().string();
  for (int n = 2; catalog.find_lab(lab.name); ++n)
    lab.name = s.file.filename().string() + "-" + std::to_string(n);
  lab.title = "Stored report";
  lab.folder = shown.parent_path();
  lab.order = 1001;
  step.lab = lab.name;
  lab.steps.push_back(std::move(step));
  catalog.labs.push_back(std::move(lab));
  return catalog.labs.back().steps.front();
}

bool is_stored(const Step& s) { return s.entry == stored_entry; }

}  // namespace dojo::run
