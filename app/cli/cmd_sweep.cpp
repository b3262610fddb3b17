// sweep: one step, or several, over many sizes.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/cli.hpp"
#include "cli/terminal.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/gates/gate.hpp"
#include "core/gates/step_values.hpp"
#include "run/bench.hpp"
#include "run/recordings/recording.hpp"
#include "run/recordings/recording_times.hpp"

namespace dojo::cli {
namespace {

/// "A:B:xK" or "A:B:+K" or "A,B,C", optionally behind "NAME=".
struct Range {
  std::string name;
  std::vector<int64_t> values;
};

Range parse_range(const std::string& text) {
  Range r;
  std::string body = text;
  if (const size_t equals = text.find('='); equals != std::string::npos) {
    r.name = text.substr(0, equals);
    body = text.substr(equals + 1);
  }
  const size_t first = body.find(':');
  if (first == std::string::npos) {
    for (size_t from = 0; from <= body.size();) {
      const size_t comma = std::min(body.find(',', from), body.size());
      r.values.push_back(parse_extent(body.substr(from, comma - from)));
      from = comma + 1;
    }
    return r;
  }
  const size_t second = body.find(':', first + 1);
  const int64_t low = parse_extent(body.substr(0, first));
  const int64_t high =
      parse_extent(body.substr(first + 1, second == std::string::npos ? second : second - first - 1));
  std::string step = second == std::string::npos ? "x2" : body.substr(second + 1);
  const bool times = step.starts_with('x');
  if (!times && !step.starts_with('+'))
    throw Error("'" + text + "' is no range of sizes: write 1024:1048576:x4 or 32:1024:+32");
  const int64_t by = parse_extent(step.substr(1));
  if (low < 0 || high < low || by < (times ? 2 : 1) || (times && low == 0))
    throw Error("'" + text + "' is no range of sizes: it must grow from a first to a last size");
  for (int64_t v = low; v <= high; v = times ? v * by : v + by) {
    r.values.push_back(v);
    if (r.values.size() > 1000) throw Error("'" + text + "' has more than 1000 sizes");
  }
  return r;
}

/// "cols=32:1024:x2,rows=64": one range for each name; a part without a name belongs to the one before it.
std::vector<Range> parse_ranges(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t from = 0; from <= text.size();) {
    const size_t comma = std::min(text.find(',', from), text.size());
    const std::string part = text.substr(from, comma - from);
    if (parts.empty() || part.find('=') != std::string::npos)
      parts.push_back(part);
    else
      parts.back() += "," + part;
    from = comma + 1;
  }
  std::vector<Range> out;
  for (const auto& p : parts) out.push_back(parse_range(p));
  if (out.size() > 1 && std::any_of(out.begin(), out.end(), [](const Range& r) { return r.name.empty(); }))
    throw Error("'" + text + "': each of several ranges needs a name, as in cols=32:1024:x2,rows=64");
  return out;
}

/// A range over an extent that several extents of the curve follow ("n" of a square matrix) moves them all.
Size along(const Step& step, const std::string& name, int64_t v) {
  const auto& own = step.curve.extents;
  if (own.size() > 1 && std::find(own.begin(), own.end(), name) != own.end()) return step.curve.at(v);
  return {{name, v}};
}

/// The step's curve, or doublings up to the step's own size, when no range is given.
std::vector<Size> sizes_of(const Step& step, const std::string& text, bool gpu) {
  if (text.empty() && !step.curve.empty()) {
    std::vector<Size> out;
    for (int64_t v : step.curve.values) out.push_back(step.curve.at(v));
    return out;
  }
  if (text.find('=') != std::string::npos) {
    // The first name runs slowest; a lone value holds for all points.
    std::vector<Size> out{{}};
    const auto ranges = parse_ranges(text);
    for (const Range& r : ranges) {
      std::vector<Size> next;
      for (const Size& s : out)
        for (int64_t v : r.values) {
          Size z = ranges.size() == 1 ? along(step, r.name, v) : Size{{r.name, v}};
          z.insert(s.begin(), s.end());
          next.push_back(std::move(z));
        }
      out = std::move(next);
      if (out.size() > 1000) throw Error("'" + text + "' has more than 1000 sizes");
    }
    return out;
  }
  const Size own = gpu ? step.gpu_size : step.size;
  std::string name = own.size() == 1     ? own.begin()->first
                     : own.count("cols") ? "cols"
                     : own.count("n")    ? "n"
                                         : "";
  Range r;
  if (!text.empty()) {
    r = parse_range(text);
  } else {
    const int64_t v = name.empty() ? own.begin()->second : own.at(name);
    for (int64_t k = std::max<int64_t>(1, v / 64); k <= v; k *= 2) r.values.push_back(k);
  }
  std::vector<Size> out;
  for (int64_t v : r.values) {
    Size s;
    if (name.empty())
      for (const auto& [k, unused] : own) s[k] = v;
    else
      s[name] = v;
    out.push_back(std::move(s));
  }
  return out;
}

std::string curve_text(const Step& step, const Report& report, const RunReport& run) {
  const auto v = curve_value(step, report, run);
  return v ? fmt::format("{:.4g} {}", *v, step.curve.label) : "";
}

std::string csv_value(const Step& step, const Report& report, const RunReport& run) {
  const auto v = curve_value(step, report, run);
  return v ? fmt::format("{:.6g}", *v) : "";
}

/// The report of `run --json`; each of its runs has its value on the step's curve, where there is one.
nlohmann::ordered_json with_curve(const Step& step, const Report& report) {
  auto j = nlohmann::ordered_json::parse(to_json(report));
  for (size_t i = 0; i < report.runs.size(); ++i)
    if (const auto v = curve_value(step, report, report.runs[i]))
      j["runs"][i]["curve"] = {{"value", *v}, {"label", step.curve.label}};
  return j;
}

}  // namespace

std::vector<const Step*> steps_of(const Catalog& catalog, const std::vector<std::string>& names) {
  std::vector<const Step*> out;
  for (const auto& n : names) {
    if (n == "all") {
      for (const auto& l : catalog.labs)
        for (const auto& s : l.steps) out.push_back(&s);
    } else if (const Lab* lab = catalog.find_lab(n)) {
      for (const auto& s : lab->steps) out.push_back(&s);
    } else {
      out.push_back(&catalog.find(n));
    }
  }
  return out;
}

int cmd_sweep(const SweepOptions& o) {
  const Catalog catalog = open_catalog();
  run::WorkerClient client;
  std::string csv = "step,size,who,status,time_us,gbps,gflops,device,source,model_version,curve\n";
  std::vector<std::vector<std::string>> rows{
      {"step", "size", "who", "time", "bandwidth", "arithmetic", "curve", "verdict"}};
  nlohmann::ordered_json all{{"schema", "warpdojo/sweep/1"}, {"reports", nlohmann::ordered_json::array()}};
  int status = 0;
  for (const Step* step : steps_of(catalog, o.steps))
    for (const Size& size : sizes_of(*step, o.sizes, o.device.starts_with("cuda"))) {
      run::RunRequest r;
      r.step = step->id();
      r.who = o.who;
      r.device = o.device;
      r.size = size;
      r.seed = o.seed;
      r.gates = false;
      Answer a;
      try {
        a = ask(client, r);
      } catch (const Error& e) {
        if (e.exit == 130) throw;
        // One size that a step can't take doesn't end the curve.
        fmt::print(stderr, "warpdojo: {} at {}: {}\n", step->id(), run::size_name(size), e.what());
        // Nor is it a mistake where the curve is the lab's, and some tiers end sooner than others.
        if (!o.sizes.empty() || step->curve.empty() || e.exit != 2) status = status ? status : e.exit;
        continue;
      }
      if (!status) status = a.exit_status;
      if (o.json) all["reports"].push_back(with_curve(*step, a.report));
      for (const auto& x : a.report.runs) {
        const bool rates = has_rates(x, a.report.device);
        const std::string y = curve_text(*step, a.report, x);
        rows.push_back({step->id(), run::size_name(a.report.size), x.who,
                        time_on(a.report.device, x.time_us.value), rates ? rate_text(x.gbps) : "-",
                        rates ? flops_text(x.gflops) : "-", y, to_string(x.status)});
        csv += fmt::format("{},{},{},{},{:.6g},{:.6g},{:.6g},{},{},{},{}\n", step->id(),
                           run::size_name(a.report.size), x.who, to_string(x.status), x.time_us.value, x.gbps,
                           x.gflops, a.report.device.name, to_string(x.time_us.source),
                           a.report.device.model_version, csv_value(*step, a.report, x));
      }
    }
  if (o.json)
    fmt::print("{}\n", all.dump(2));
  else
    fmt::print("{}", table(rows));
  if (!o.csv.empty()) {
    std::ofstream out(o.csv);
    out << csv;
    out.close();
    if (!out) throw Error("cannot write " + o.csv);
  }
  return status;
}

}  // namespace dojo::cli
