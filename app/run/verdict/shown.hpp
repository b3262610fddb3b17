#pragma once
// Which figures of a run may be shown, and in which unit. A rate in GB/s or FLOP/s is work over time: of a
// run that did not compute the answer it says nothing, and a toy device has no seconds.
//
// Example: a kernel that writes 256 of 1,048,576 elements takes 0.9 µs. The bytes that *must* move, over that
// time, would be 142 % of the GPU's peak.
#include <algorithm>

#include "core/report.hpp"

namespace dojo {

/// A toy device's clock counts in units: a rate, or a share of a peak, means nothing there.
inline bool in_units(const ReportDevice& d) { return d.kind == DeviceKind::simt && d.clock_mhz == 1; }

/// Why the time of a run that does not count is of little use, up to its colon; empty for one that counts.
inline const char* time_doubt(const RunReport& r) {
  return correct(r)                    ? ""
         : r.status == Status::finding ? "There is a finding, so the time says little: "
                                       : "The result is wrong, so its time says little: ";
}

/// The failed gate `right == 1 (size)` of a run that is right at the step's own size, or null: its results
/// are wrong at another size.
inline const GateReport* wrong_elsewhere(const RunReport& r) {
  const auto at = std::find_if(r.gates.begin(), r.gates.end(), [](const GateReport& g) {
    return !g.pass && g.name.starts_with("right == 1");
  });
  return correct(r) && at != r.gates.end() ? &*at : nullptr;
}

/// Whether the rates of a run (gbps, gflops, pct_of_peak_bandwidth) say something.
inline bool has_rates(const RunReport& r, const ReportDevice& d) { return correct(r) && !in_units(d); }

/// Whether a run has a launch whose counts are estimated: there is no ptxas, or its machine code can't be
/// matched with the PTX.
inline bool estimated(const RunReport& r) {
  return std::any_of(r.launches.begin(), r.launches.end(), [](const LaunchReport& l) { return l.estimated; });
}

}  // namespace dojo
