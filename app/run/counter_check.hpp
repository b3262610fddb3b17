#pragma once
// The machine's counters against those a real GPU counted for the same kernels (run/profile.hpp records them).
#include <functional>
#include <string>
#include <vector>

#include "core/lab.hpp"
#include "run/profile.hpp"

namespace dojo::run {

/// One counter of one kernel.
struct ComparedCounter {
  std::string name;
  double hardware = 0, machine = 0;
  /// |machine - hardware| / hardware; 0 when both are 0, 1 when only the hardware's is.
  double error() const;
};

/// One launch, compared.
struct ComparedKernel {
  std::string target, kernel;
  Dim3 grid, block;
  std::vector<ComparedCounter> memory;    ///< requests, sectors, wavefronts, accesses: must be equal
  std::vector<ComparedCounter> executed;  ///< instructions, lanes, divergent branches: within 5 %
  std::vector<ComparedCounter> traffic;   ///< L2 hit rate, DRAM bytes: within 10 %
  bool memory_exact() const;
  bool executed_exact() const;
  double executed_error() const;  ///< the largest, as a share
  double traffic_error() const;
  std::string difference() const;  ///< "shared_loads 512, hardware 128; ..." or empty
};

/// Runs every recorded target on simt:h100 at the recorded size. Launches of one kernel with one grid count once. A
/// target that can't be run here is told to `say` and left out. Throws Error when nothing could be compared.
std::vector<ComparedKernel> compare_counters(const Catalog&, const CounterRecording&,
                                             const std::function<void(const std::string&)>& say);

/// The table of docs/counters.md.
std::string counters_markdown(const CounterRecording&, const std::vector<ComparedKernel>&);

}  // namespace dojo::run
