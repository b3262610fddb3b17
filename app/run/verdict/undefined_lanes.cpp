#include "run/verdict/undefined_lanes.hpp"

namespace dojo::run {

RunControl::UndefinedLane undefined_lane_value(bool written) {
  return {written ? 0xFF7FFFFFu : 0x7F7FFFFFu, written};
}

void judge_undefined_lanes(std::vector<Diagnostic>& all, bool wrong) {
  for (Diagnostic& d : all) {
    if (d.kind != FindingKind::undefined_lane || d.severity != Severity::warning) continue;
    if (wrong) d.severity = Severity::error;
    d.message +=
        wrong ? " The program goes wrong, which may come from it." : " In this run no result depends on it.";
  }
}

}  // namespace dojo::run
