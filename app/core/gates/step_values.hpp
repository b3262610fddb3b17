#pragma once
// Expressions of lab.toml over a run: predictions, numbers in briefs, the points of a step's curve.
#include <optional>
#include <string>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo {

/// May name counters, quantities of the run, of the problem and of the size, parameters of the step,
/// `ideal_bytes`, `flops`, and `reference(self)` where the report holds that run. Throws Error as
/// evaluate_expr does.
double expression_value(const std::string& expr, const Step&, const Report&, const RunReport&);

/// What the step's curve shows of a run. None where the step has no curve, where nothing was launched or the
/// results are wrong, and where the expression has no value.
std::optional<double> curve_value(const Step&, const Report&, const RunReport&);

}  // namespace dojo
