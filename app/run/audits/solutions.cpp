#include "run/audits/solutions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <sstream>

#include "core/collections/statistics.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"

namespace dojo::run {
namespace {

/// "lazy" of "tests/lazy/17-profiles/1-gain--loads-only.cu", "starter" of "labs/17-profiles/1-gain.cu".
std::string kind_of(const std::string& name) {
  if (name.starts_with("labs/")) return "starter";
  if (name.starts_with("tests/")) return name.substr(6, name.find('/', 6) - 6);
  return "reference";
}

double error_of(const SolutionTime& t) { return t.modelled_us / t.us - 1; }

/// "| lazy | 560 | 12.0 % | 8.1 % | 20 |" of one kind.
std::string errors_text(const std::string& kind, const std::vector<SolutionTime>& times) {
  std::vector<double> errors;
  for (const SolutionTime& t : times)
    if (t.modelled_us > 0 && kind_of(t.file) == kind) errors.push_back(std::abs(error_of(t)));
  if (errors.empty()) return {};
  double sum = 0;
  for (const double e : errors) sum += e;
  const auto far = std::count_if(errors.begin(), errors.end(), [](double e) { return e > 0.4; });
  return fmt::format("| {} | {} | {:.1f} % | {:.1f} % | {} |\n", kind, errors.size(),
                     100 * sum / double(errors.size()), 100 * median(errors), far);
}

}  // namespace

std::vector<Solution> solutions(const Catalog& catalog, const std::vector<const Step*>& steps) {
  std::vector<Solution> out;
  for (const Step* step : steps) {
    const Lab& lab = catalog.lab_of(*step);
    const auto add = [&](const char* kind, const fs::path& file) {
      out.push_back({step, kind, file, file.lexically_relative(catalog.root).generic_string()});
    };
    add("reference", lab.reference / step->file);
    add("starter", lab.folder / step->file);
    const std::string start = step->stem() + "--";
    for (const char* kind : {"lazy", "unconventional"}) {
      std::vector<fs::path> files;
      std::error_code ec;
      const fs::path folder = catalog.root / "tests" / kind / lab.folder.filename();
      for (const auto& e : fs::directory_iterator(folder, ec))
        if (e.path().extension() == ".cu" && e.path().filename().string().starts_with(start))
          files.push_back(e.path());
      std::sort(files.begin(), files.end());
      for (const fs::path& file : files) add(kind, file);
    }
  }
  return out;
}

std::vector<SolutionTime> load_solution_times(const fs::path& path) {
  const auto text = read_file(path);
  if (!text) throw Error("cannot read " + path.string());
  std::vector<SolutionTime> times;
  std::istringstream in(*text);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    SolutionTime t;
    fields >> t.file >> t.step >> t.size >> std::hex >> t.print >> std::dec >> t.us >> t.us_min >> t.us_max;
    if (fields.fail() || !(t.us >= 0))
      throw Error(
          fmt::format("{}:{}: a file, its step, a size, its source's fingerprint and three times, not '{}'",
                      path.string(), number, line));
    times.push_back(std::move(t));
  }
  return times;
}

void save_solution_times(const fs::path& path, const std::string& head,
                         const std::vector<SolutionTime>& times) {
  std::string text = head;
  for (const SolutionTime& t : times)
    text += fmt::format("{} {} {} {:016x} {:.2f} {:.2f} {:.2f}\n", t.file, t.step, t.size, t.print, t.us,
                        t.us_min, t.us_max);
  if (const std::string problem = replace_file(path, text); !problem.empty()) throw Error(problem);
}

fs::path solution_times_path(std::string device) {
  if (device.starts_with("simt:")) device.erase(0, 5);
  return find_root() / "assets" / "recordings" / (device + "-solutions.txt");
}

std::optional<double> time_bound(const Step& step) {
  static const std::regex form(R"(time_us <= ([0-9.]+) \* reference\(self\))");
  if (step.device.starts_with("simt:toy")) return {};
  for (const GateDef& g : step.gates)
    if (std::smatch m; std::regex_match(g.expr, m, form)) return std::stod(m[1]);
  return {};
}

std::vector<Disagreement> disagreements(const Catalog& catalog, const std::vector<SolutionTime>& times,
                                        int* judged) {
  std::map<std::string, const SolutionTime*> references;
  for (const SolutionTime& t : times)
    if (kind_of(t.file) == "reference" && t.modelled_us > 0) references[t.step] = &t;
  std::vector<Disagreement> out;
  *judged = 0;
  for (const SolutionTime& t : times) {
    const auto reference = references.find(t.step);
    const auto bound = time_bound(catalog.find(t.step));
    if (!bound || reference == references.end() || t.modelled_us <= 0 || &t == reference->second) continue;
    ++*judged;
    const Disagreement d{t, *bound, t.modelled_us / reference->second->modelled_us,
                         t.us / reference->second->us};
    if ((d.modelled <= d.bound) != (d.recorded <= d.bound)) out.push_back(d);
  }
  return out;
}

std::string solutions_text(const Catalog& catalog, const std::vector<SolutionTime>& times) {
  std::string out = "| files | times | mean error | median | above 40 % |\n|---|---:|---:|---:|---:|\n";
  for (const char* kind : {"reference", "starter", "lazy", "unconventional"}) out += errors_text(kind, times);
  out += "\nMore than 40 % off:\n";
  for (const SolutionTime& t : times)
    if (t.modelled_us > 0 && std::abs(error_of(t)) > 0.4)
      out += fmt::format("- {} {:.1f} µs modelled, {:.1f} recorded ({:+.0f} %)\n", t.file, t.modelled_us,
                         t.us, 100 * error_of(t));
  int judged = 0;
  const std::vector<Disagreement> apart = disagreements(catalog, times, &judged);
  out += fmt::format("\nTime gates: {} of {} verdicts are the same with the GPU's times. The others:\n",
                     judged - int(apart.size()), judged);
  for (const Disagreement& d : apart)
    out += fmt::format(
        "- {} {:.2f} times the reference's time modelled, {:.2f} recorded; the gate asks for {:g}\n",
        d.time.file, d.modelled, d.recorded, d.bound);
  return out;
}

}  // namespace dojo::run
