#pragma once
// Gates: bounds on counters or on ratios of modelled times. A gate is "EXPR OP EXPR"; EXPR has numbers,
// + - * /, parentheses, min(), max(), names and reference(STEP) calls.
// Names: a counter's alias or Nsight name (over all launches of the run), a problem quantity
// ("ideal_bytes", "n", "rows", "flops" ...), "blocks", "threads", "warps", "launches", "registers",
// "static_smem", "dynamic_smem", "time_us", and sums such as shared_conflicts (ld + st).
// The side of a bound that helps a run to pass (the left of >=, the right of <=) counts working launches
// only. kernel("name").COUNTER restricts to one kernel. reference(previous), reference(self),
// reference("naive-rows") give the value of the gate's left-hand side in that step's reference run on
// the same device and size.
#include <functional>
#include <map>
#include <string>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo {

struct GateContext {
  const RunReport* run = nullptr;
  std::map<std::string, double> quantities;  ///< of the problem instance
  /// The run of another step's reference: "previous", "self" or a step name. Throws Error if there is none.
  std::function<const RunReport&(const std::string& step)> reference;
};

/// Evaluates a gate. Throws Error with the position of a syntax error or the unknown name.
GateReport evaluate(const GateDef&, const GateContext&);
/// The bound that a gate came to, in words: "exactly 0", "at most 16 043 213" (for whole counts above a
/// thousand the last that passes).
std::string bound_text(const GateReport&);
/// Evaluates one expression (for predictions and live numbers in briefs: "{{shared_conflicts / blocks}}").
double evaluate_expr(const std::string& expr, const GateContext&);
/// Checks syntax and names without a run; returns an empty string or what is wrong.
std::string lint_gate(const std::string& expr);

}  // namespace dojo
