#include "run/own_program.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "run/advice.hpp"
#include "run/files.hpp"

namespace dojo::run {
namespace fs = std::filesystem;

namespace {
constexpr const char* program_entry = "main";

bool of_a_lab(const Catalog& catalog, const fs::path& file) {
  std::error_code ec;
  for (auto& lab : catalog.labs)
    for (auto& step : lab.steps)
      if (!is_program(step) &&
          (fs::equivalent(file, lab.folder / step.file, ec) ||
           (!lab.reference.empty() && fs::equivalent(file, lab.reference / step.file, ec))))
        return true;
  return false;
}
}  // namespace

bool is_program(const Step& s) { return s.entry == program_entry; }

bool names_program(const Catalog& catalog, const std::string& name) {
  std::error_code ec;
  return name.ends_with(".cu") && fs::is_regular_file(name, ec) && !of_a_lab(catalog, name);
}

const Step& open_program(Catalog& catalog, const fs::path& path) {
  std::error_code ec;
  const fs::path file = fs::absolute(path, ec).lexically_normal();
  if (!fs::exists(file, ec)) throw Error("there is no file " + path.string());
  if (!fs::is_regular_file(file, ec)) throw Error(path.string() + " is not a file");
  for (auto& lab : catalog.labs)
    for (auto& step : lab.steps)
      if (is_program(step) && lab.folder / step.file == file) return step;
  Lab lab;
  // Names are unique: a second add.cu, of another folder, is called add.cu-2.
  lab.name = file.filename().string();
  for (int n = 2; catalog.find_lab(lab.name); ++n)
    lab.name = file.filename().string() + "-" + std::to_string(n);
  lab.title = "Your program";
  lab.folder = file.parent_path();
  lab.order = 1000;
  Step step;
  step.lab = lab.name;
  step.name = step.title = step.file = file.filename().string();
  step.entry = program_entry;
  step.picture = "timeline";
  step.device = "simt:h100";
  step.brief = "# " + step.file + "\n\nYour own program, `" + file.string() +
               "`. It runs from `main` to its end, as `warpdojo play` does. Times are modelled.\n";
  lab.steps.push_back(std::move(step));
  catalog.labs.push_back(std::move(lab));
  return catalog.labs.back().steps.front();
}

void set_trace(StepTrace& t, const TraceAsk& ask) {
  t.launch = ask.launch;
  t.block = ask.block;
  t.most = std::clamp<uint32_t>(ask.most, 1, 200000);
  t.skip = ask.skip;
  t.of_kernel = ask.kernel;
  t.by_index = ask.by_index;
  t.wanted = ask.index;
}

std::vector<KernelRow> kernel_rows(const RunReport& run) {
  std::vector<KernelRow> rows;
  std::vector<std::map<std::string, double>> bounds;
  for (auto& l : run.launches) {
    auto it = std::find_if(rows.begin(), rows.end(), [&](auto& r) { return r.kernel == l.kernel; });
    if (it == rows.end()) {
      rows.push_back({l.kernel, 0, 0, ""});
      bounds.emplace_back();
      it = rows.end() - 1;
    }
    ++it->launches;
    it->time_us += l.time_us;
    for (auto& [resource, us] : l.bounds) bounds[size_t(it - rows.begin())][resource] += us;
  }
  for (size_t k = 0; k < rows.size(); ++k) {
    const auto most = std::max_element(bounds[k].begin(), bounds[k].end(),
                                       [](auto& a, auto& b) { return a.second < b.second; });
    if (most != bounds[k].end() && most->second > 0) rows[k].bound_by = resource_title(most->first);
  }
  std::stable_sort(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.time_us > b.time_us; });
  return rows;
}

}  // namespace dojo::run
