#pragma once
#include <string>
#include <vector>

#include "core/lab.hpp"
#include "core/problem.hpp"
#include "core/report.hpp"

namespace dojo::run {

/// What libraries make of a step on a real GPU: runs named "library:cub" and so on, checked like any other.
/// Empty on other devices, and where the baselines were not built.
std::vector<RunReport> library_runs(const std::string& device, const Step&, const Problem&, const Instance&,
                                    const Size&);

}  // namespace dojo::run
