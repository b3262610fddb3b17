#pragma once
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "core/problem.hpp"
#include "core/report.hpp"

namespace dojo::run {

/// What libraries make of a step on a real GPU: runs named "library:cub" and so on, checked like any other.
/// Empty on other devices, and where the baselines were not built.
std::vector<RunReport> library_runs(const std::string& device, const Step&, const Problem&, const Instance&,
                                    const Size&);

/// The verdict on a library whose results were checked. A step is held to a tolerance for each element; a
/// library rounds in its own way, so all of its results are held to the largest of these. Closer than that,
/// it passes with a note.
void judge_library(RunReport&);

}  // namespace dojo::run
