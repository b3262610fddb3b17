#include "gui/model/plots/no_figures.hpp"

#include <algorithm>

#include "gui/model/verdict.hpp"

namespace dojo::gui {

std::string no_figures(const StepView& v, bool yours, const std::string& wanted,
                       const std::string& otherwise) {
  // A run that was refused, or whose worker was lost, leaves no report but says why.
  if (!v.error.empty()) return v.error;
  if (!v.has_report) return "Run it (F5) to see " + wanted + ".";
  const RunReport* run = student_run(v.report);
  if (!run) return otherwise;
  const Diagnostic* error = first_error(run->diagnostics);
  const std::string line = error && error->where.line > 0 ? std::to_string(error->where.line) : "";
  if (run->status == Status::compile_error)
    return std::string(yours ? "Your file" : "The file") + " does not compile, so no kernel ran." +
           (line.empty() ? "" : " Correct line " + line + " and run it again.");
  if (run->launches.empty() && !correct(*run) && run->status != Status::wrong)
    return std::string(yours ? "Your run" : "The run") + " ended before its first kernel did" +
           (line.empty() ? "." : ", at line " + line + ".");
  return otherwise;
}

std::string no_roofline(const StepView& v, bool yours, const std::string& what) {
  const auto& runs = v.report.runs;
  if (v.has_report && std::any_of(runs.begin(), runs.end(), [](const RunReport& r) {
        return r.time_us.value > 0 && correct(r) && r.flops <= 0;
      }))
    return "This " + what + " has no formula for its operations, so no point has a place here.";
  return no_figures(v, yours, "where it stands", "This run has no rates to show.");
}

}  // namespace dojo::gui
