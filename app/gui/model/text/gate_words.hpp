#pragma once
// A gate beside its value: what its bound came to, and the unit of both.
#include <string>

#include "core/report.hpp"

namespace dojo::gui {

/// A gate's bound in words where its text names none ("at most 16 043 213" for `<= 0.9 *
/// reference(previous)`); else empty.
std::string bound_words(const GateReport&);
/// " µs", or " units" on a toy, where both sides of the gate are a time. Else empty: counts need no unit
/// beside their counter's name. `device`: the one that gates are judged on.
std::string gate_unit(const GateReport&, const ReportDevice& device);

/// A gate's words as they stand below it. They are written for a gate that fails: a passed one says so first.
std::string gate_says(const GateReport&);

}  // namespace dojo::gui
