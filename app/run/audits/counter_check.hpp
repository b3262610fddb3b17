#pragma once
// The machine's counters against those a real GPU counted for the same kernels (run/profile.hpp records
// them).
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "run/profile/profile.hpp"

namespace dojo::run {

/// Short names of the counters of memory that must be equal: requests, sectors, wavefronts, accesses.
std::span<const char* const> memory_counters();

/// One counter of one kernel.
struct ComparedCounter {
  std::string name;
  double hardware = 0, machine = 0;
  double slack = 0;  ///< a difference up to this is none: rounding of the recording, bytes of a launch itself
  bool percent = false;  ///< a percentage: its difference is taken in percentage points
  double share_of = 0;   ///< what a difference is a share of; 0: the hardware's count
  /// |machine - hardware| as a share; 0 within the slack, 1 when it would be a share of nothing.
  double error() const;
};

/// One launch, compared.
struct ComparedKernel {
  std::string gpu;  ///< "NVIDIA H200"
  std::string target, kernel;
  Dim3 grid, block;
  std::vector<ComparedCounter> memory;    ///< requests, sectors, wavefronts, accesses: must be equal
  std::vector<ComparedCounter> executed;  ///< instructions, lanes, divergent branches: within 5 %
  std::vector<ComparedCounter> traffic;   ///< DRAM bytes, L1 hit rate: within 10 %
  bool memory_exact() const;
  bool executed_exact() const;
  double executed_error() const;  ///< the largest, as a share
  double traffic_error() const;
  double error_of(const std::string& counter) const;  ///< 0 for one that was not recorded
  /// Whether something has to be said: a memory counter or an executed one is not equal, or traffic is off by
  /// more than 10 %.
  bool differs() const;
  std::string difference() const;  ///< "shared_loads 512, hardware 128; ..." or empty
};

/// The SIMT machine that models the recording's GPU, by the GPU's name: "simt:h200". Of a GPU that no model
/// has: simt:h100.
std::string counted_device(const CounterRecording&);

/// Runs every recorded target on counted_device() at the recorded size, each kernel alone and with empty
/// caches, as Nsight Compute runs it. Launches of one kernel with one grid count once. A target that can't be
/// run here is told to `say` and left out. Throws Error when nothing could be compared.
std::vector<ComparedKernel> compare_counters(const Catalog&, const CounterRecording&,
                                             const std::function<void(const std::string&)>& say);

/// All recordings of counters in assets/recordings, newest first; what an older one has of a kernel that a
/// newer one has too is left out of it. Throws Error naming a file that is none.
std::vector<CounterRecording> counter_recordings();
/// The rule behind it: sorts by date, newest first, and leaves out.
std::vector<CounterRecording> newest_of(std::vector<CounterRecording>);

/// Why the counts of a kernel differ, in words.
struct CounterReason {
  std::string target, kernel, reason;
  std::string gpu;  ///< of recordings of this GPU only ("NVIDIA H200"); empty: of all
  bool concerns(const ComparedKernel&) const;
};
/// assets/recordings/counter-reasons.json. Throws Error naming the file.
std::vector<CounterReason> load_reasons(const fs::path&);
/// The reason given for a kernel, else what follows from which counters differ, else empty.
std::string reason_of(const ComparedKernel&, const std::vector<CounterReason>&);
/// What is wrong with the reasons, a line each: a kernel that differs without one, a reason for a kernel that
/// was compared and doesn't differ.
std::vector<std::string> wrong_reasons(const std::vector<ComparedKernel>&, const std::vector<CounterReason>&);

/// The page docs/counters.md.
std::string counters_markdown(const std::vector<CounterRecording>&, const std::vector<ComparedKernel>&,
                              const std::vector<CounterReason>&);

}  // namespace dojo::run
