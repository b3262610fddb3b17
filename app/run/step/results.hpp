#pragma once
// What a run left in the lab's buffers and printed, against what the problem expects.
#include <vector>

#include "core/device.hpp"
#include "core/problem.hpp"
#include "core/report.hpp"
#include "run/execute.hpp"
#include "run/step/buffers.hpp"

namespace dojo::run {

/// Reads the buffers back into `outputs`, checks them and the printed text, and writes into the report the
/// check, the threads that wrote wrong elements where the device knows them, and whether inputs changed.
void read_and_check(const Job&, Device&, const std::vector<Placed>&, Outputs&, RunReport&);

}  // namespace dojo::run
