#pragma once
// What a gate may name of a run and is no counter: shapes of launches, times and rates, the host's work, and
// figures of the timeline. One row each in run_quantities.cpp.
#include <string>

#include "core/report.hpp"

namespace dojo::gates {

bool is_run_quantity(const std::string& name);
/// Shapes and occupancy are those of the launches that do the work: an empty launch changes nothing. Sums
/// (blocks, threads, warps) over all of them, the largest (registers, shared memory), or the mean by time
/// (occupancy, waves). Throws Error for a name that is no quantity.
double run_quantity(const RunReport&, const std::string& name);
/// Is it a time or a rate, which another device or version of the model changes?
bool is_time(const std::string& name);

}  // namespace dojo::gates
