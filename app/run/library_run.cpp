#include "run/library_run.hpp"

#include <fmt/format.h>

#include "core/device.hpp"
#include "cuda/library.hpp"
#include "run/execute.hpp"

namespace dojo::run {
void judge_library(RunReport& r) {
  if (r.check.wrong == 0) return;
  if (!(r.check.max_abs <= r.check.tolerance)) {
    r.status = Status::wrong;
    return;
  }
  Diagnostic d;
  d.severity = Severity::note;
  d.kind = FindingKind::library_accuracy;
  d.message = fmt::format(
      "{} results of the library are further from the exact ones than a step's may be, but none by more than "
      "{:.2g}, which the "
      "largest result is allowed.",
      r.check.wrong, r.check.tolerance);
  r.diagnostics.push_back(std::move(d));
}

std::vector<RunReport> library_runs(const std::string& device_name, const Step& step, const Problem& problem,
                                    const Instance& instance, const Size& size) {
  std::vector<RunReport> runs;
  auto device = open_device(device_name);
  for (cuda::LibraryRun& l : cuda::run_libraries(*device, step, size, instance)) {
    RunReport r;
    r.who = "library:" + l.name;
    r.time_us = l.time;
    if (!l.error.empty()) {
      r.status = Status::crash;
      Diagnostic d;
      d.kind = FindingKind::host_error;
      d.message = l.error;
      r.diagnostics.push_back(std::move(d));
    } else if (l.name != "copy") {  // a copy is a ceiling, not a result of the step
      r.check = problem.check(step, instance, l.outputs);
      r.check.checked = true;
      judge_library(r);
    }
    fill_rates(r, instance, device->info());
    runs.push_back(std::move(r));
  }
  return runs;
}

}  // namespace dojo::run
