#pragma once
// Library baselines beside student and reference, on a real GPU: cub, cuBLAS, cuDNN, and the copy ceiling.
#include <span>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/labs/lab.hpp"
#include "core/problem.hpp"

namespace dojo::cuda {

struct LibraryRun {
  std::string name;  ///< "cub"
  Timing time;
  Outputs outputs;    ///< for Problem::check
  std::string error;  ///< empty, or why there is no time
};

/// Runs every baseline that stands beside a step on the device ("cuda:N"), with fresh buffers of the
/// instance. Empty when the device is no GPU, the baselines were not built (cmake -DWARPDOJO_BASELINES=ON),
/// or none fits.
std::vector<LibraryRun> run_libraries(Device&, const Step&, const Size&, const Instance&);

}  // namespace dojo::cuda
