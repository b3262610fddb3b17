#pragma once
// The work floor: results that are right although the kernels did less than the problem needs, or that host
// code computed.
#include <optional>

#include "core/report.hpp"

namespace dojo::run {

/// What a student's run did too little of, as a failed gate with a value, a bound and words; nothing where it
/// did enough. Both runs are of the same inputs.
/// Bytes: those that the problem says must move, against all that the active lanes of global loads, stores
/// and atomics asked for. Operations: those that must be done, against executed lane instructions, each taken
/// for the most that one can do. Host: instructions of the entry's host code. The reference is the measure
/// where it needs less, so that a lab whose point is to move less (or to finish on the host) flags no file
/// for it.
std::optional<GateReport> below_floor(const RunReport& student, const RunReport& reference);

}  // namespace dojo::run
