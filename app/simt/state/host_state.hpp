#pragma once
// The one lane of host code: its stack, its limits, and what it calls outside.
#include <array>

#include "simt/state/exec.hpp"
#include "simt/state/host_calls.hpp"
#include "simt/state/processor_time.hpp"

namespace dojo::simt {

/// The one lane of host code.
struct HostState {
  HostCalls* calls = nullptr;
  const Program* program = nullptr;
  Region* stack = nullptr;
  uint64_t stack_top = 0;
  int depth = 0;
  uint64_t executed = 0;
  uint64_t call_cost = 0;     ///< what calls out of host code count for in the limit, as instructions
  uint64_t mapped_reads = 0;  ///< bytes that instructions read of pinned and managed memory
  uint64_t limit = 0;         ///< limits are looked at when `executed` comes here
  const RunControl* control = nullptr;
  double start = processor_seconds();
  const Inst* at = nullptr;  ///< the instruction of the innermost call
  bool returned = false;
  /// The region that a memory instruction accessed last, by its place in memory; null: none.
  Region*& last_region(const Inst* p) {
    return last_regions[reinterpret_cast<uintptr_t>(p) / sizeof(Inst) % last_regions.size()];
  }
  std::array<Region*, 512> last_regions{};
  std::unordered_map<const Inst*, bool> seeds_swap;  ///< loads that were looked at: AccessTraits::seeds_swap
  std::vector<std::byte> result;
  /// A try block that host code is in (core/compile/own/handlers.hpp).
  struct TryBlock {
    Frame* frame = nullptr;
    const Inst* call = nullptr;  ///< of __dojo_try()
    int run = 0;                 ///< which of the nested runs of host code it belongs to
    std::vector<std::byte> registers;
    size_t handled = 0, cleanups = 0;  ///< how many there were when it began
  };
  std::vector<TryBlock> tries;
  /// An address in host code's memory, and the run that it belongs to.
  struct OfRun {
    uint64_t address = 0;
    int run = 0;
  };
  std::vector<OfRun> handled;   ///< exceptions of the handlers that host code is in
  std::vector<OfRun> cleanups;  ///< variables with destructors (core/compile/own/cleanups.hpp)
  int runs = 0;                 ///< of host code: callbacks run within others
};

}  // namespace dojo::simt
