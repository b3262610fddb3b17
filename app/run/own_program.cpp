#include "run/own_program.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "run/advice.hpp"
#include "run/stored/stored_report.hpp"

namespace dojo::run {
namespace fs = std::filesystem;

namespace {
constexpr const char* program_entry = "main";

bool of_a_lab(const Catalog& catalog, const fs::path& file) {
  std::error_code ec;
  for (auto& lab : catalog.labs)
    for (auto& step : lab.steps)
      if (!is_program(step) && !is_stored(step) &&
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
  KernelTable kernels;
  for (const LaunchReport& l : run.launches) kernels.add(l);
  return kernel_rows(kernels.rows());
}

std::vector<KernelRow> kernel_rows(const std::vector<KernelSum>& sums) {
  double all = 0;
  for (const KernelSum& s : sums) all += s.time_us;
  std::vector<KernelRow> rows;
  for (const KernelSum& s : sums) {
    const std::string by = s.bound_by();
    rows.push_back({s.kernel, int(s.launches), s.time_us, all > 0 ? s.time_us / all : 0, int(s.in_detail),
                    by.empty() ? "" : resource_title(by)});
  }
  return rows;
}

}  // namespace dojo::run
