#include "core/gates/step_values.hpp"

#include "core/error.hpp"
#include "core/gates/gate.hpp"

namespace dojo {

double expression_value(const std::string& expr, const Step& step, const Report& report,
                        const RunReport& run) {
  GateContext context;
  context.run = &run;
  context.quantities = report.quantities;
  for (const auto& [name, extent] : report.size) context.quantities[name] = double(extent);
  for (const auto& [name, value] : step.params) context.quantities.emplace(name, value);
  context.quantities["ideal_bytes"] = run.bytes;
  context.quantities["flops"] = run.flops;
  context.reference = [&](const std::string& which) -> const RunReport& {
    const RunReport* reference = reference_run(report);
    if (which != "self" || !reference) throw Error("there is no run of " + which + " here");
    return *reference;
  };
  return evaluate_expr(expr, context);
}

std::optional<double> curve_value(const Step& step, const Report& report, const RunReport& run) {
  if (step.curve.empty() || run.launches.empty() || !correct(run)) return {};
  try {
    return expression_value(step.curve.y, step, report, run);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace dojo
