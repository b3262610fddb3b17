#include "gui/model/plots/lab_curve.hpp"

#include <algorithm>
#include <map>

#include "gui/model/text/device_label.hpp"
#include "gui/model/text/step_title.hpp"
#include "gui/model/verdict.hpp"

namespace dojo::gui {

namespace {
struct Passed {
  const Step* step;
  Report report;
};

/// The last passing run of a step that has its reference beside it, on each device.
std::vector<Passed> passed_runs(const Step& step, const std::vector<PastRun>& runs) {
  std::vector<Passed> out;
  for (auto it = runs.rbegin(); it != runs.rend(); ++it) {
    auto *mine = student_run(it->report), *theirs = reference_run(it->report);
    if (!mine || mine->status != Status::pass || !(mine->time_us.value > 0)) continue;
    if (!theirs || !(theirs->time_us.value > 0)) continue;
    const bool known = std::any_of(out.begin(), out.end(), [&](const Passed& p) {
      return p.report.device.name == it->report.device.name;
    });
    if (!known) out.push_back({&step, it->report});
  }
  return out;
}
}  // namespace

LabCurve lab_curve(const Lab& lab,
                   const std::function<std::vector<PastRun>(const std::string& step)>& runs_of) {
  std::vector<Passed> all;
  std::map<std::string, int> devices;
  for (auto& step : lab.steps)
    for (auto& p : passed_runs(step, runs_of(step.id()))) {
      ++devices[p.report.device.name];
      all.push_back(std::move(p));
    }
  LabCurve out;
  const auto most =
      std::max_element(devices.begin(), devices.end(), [](auto& a, auto& b) { return a.second < b.second; });
  if (most == devices.end()) return out;
  std::erase_if(all, [&](const Passed& p) { return p.report.device.name != most->first; });
  out.device = device_label(most->first, all.front().report.device.title);
  const bool rates = std::all_of(all.begin(), all.end(), [](const Passed& p) {
    return student_run(p.report)->gbps >= 1 && reference_run(p.report)->gbps >= 1;
  });
  const double first_us = reference_run(all.front().report)->time_us.value;
  out.unit = rates ? "GB/s" : "× the first reference's speed";
  for (auto& p : all) {
    auto speed = [&](const RunReport& r) { return rates ? r.gbps : first_us / r.time_us.value; };
    out.points.push_back({p.step->id(), step_number(lab, *p.step), speed(*student_run(p.report)),
                          speed(*reference_run(p.report))});
  }
  return out;
}

}  // namespace dojo::gui
