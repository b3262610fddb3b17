#pragma once
// The functional SIMT machine: runs the blocks of a set of launches warp by warp, 32 lanes at a time, exactly
// and deterministically, with counters and checks. Launches go in, traces come out.
// It knows nothing of time, of caches beyond MemoryHierarchy, and of labs.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/device.hpp"
#include "core/memory.hpp"
#include "simt/decode/program.hpp"
#include "simt/host_beside.hpp"
#include "simt/ops/instruction_set.hpp"
#include "simt/replay.hpp"
#include "simt/state/device_launches.hpp"
#include "simt/state/host_calls.hpp"
#include "simt/stopped.hpp"
#include "simt/trace.hpp"

namespace dojo::simt {

class RepeatedLaunches;

/// What the machine needs to know of the device it imitates.
struct MachineConfig {
  int sms = 132;
  uint32_t smem_per_block = 232448, smem_granularity = 128;
  int warps_per_sm = 64, blocks_per_sm = 32;
  uint64_t clock_khz = 1980000;
  std::string arch = "sm_90";
  RunControl control;
  /// Which blocks to trace in detail (given launch and block); may be empty: none.
  std::function<bool(uint32_t launch, uint64_t block)> trace_block;
  /// Whose traces are kept if they are far longer than those before them (BlockTrace::spare); may be empty:
  /// none.
  std::function<bool(uint32_t launch, uint64_t block)> spare_trace;
  /// Whose traces are kept whole though all together have become too long; may be empty: all.
  std::function<bool(uint32_t launch, uint64_t block)> keep_whole;
  /// How many blocks of a launch run in detail; may be empty, and 0 means: all. Launches whose blocks may
  /// order each other run in detail as a whole.
  std::function<uint64_t(uint32_t launch)> blocks_in_detail;
  uint64_t most_accesses = uint64_t(1) << 25;  ///< of blocks that run, until the hierarchy takes them: 512 MB
  uint64_t most_trace_bytes = uint64_t(1)
                              << 30;  ///< of blocks that run, until those not to be kept whole are shortened
  uint64_t most_kept_bytes = uint64_t(5)
                             << 30;  ///< of traces of blocks that run; a run with more of them is stopped
  bool stop_when_hopeless = true;    ///< end a run whose checks find something nearly everywhere
  bool results_only = false;         ///< accesses are not counted: instructions and bounds still are
  /// Launches so far: of a batch with results_only, those that would change nothing do not run. May be null.
  RepeatedLaunches* repeated = nullptr;
  /// LaunchTrace::blocks are left, 40 bytes per block, which the time model reads.
  bool keep_blocks = true;
  MemoryHierarchy* hierarchy = nullptr;  ///< null: no cache counters
  StepTrace* steps = nullptr;            ///< a block to record; the run then ends with RunStopped "traced"
  uint32_t steps_launch = 0;             ///< its launch, as an index into the nodes
  /// Shape of a function: what is counted (machine code or estimate).
  std::function<std::shared_ptr<const ptx::CodeShape>(uint32_t function)> shape;
  std::function<void(std::string_view)> print;
  std::function<void(Diagnostic)>
      finding;  ///< called in deterministic order; the machine dedups by line and kind
  /// Called at the end of a run with what its kernels have asked for; may be empty.
  std::function<void(std::vector<DeviceWork>)> asked;
  HostBeside* host = nullptr;  ///< host code that goes on meanwhile; null: it stands still
  /// Called when the run is stopped, with what it left; may be empty.
  std::function<void(StoppedBatch)> stopped;
};

/// Runs launches to completion in an order that respects the graph; those not ordered by it run together,
/// with as many blocks resident as the device holds, lowest launch and block first. Throws RunStopped on a
/// limit, a deadlock (who holds, who waits), a trap, or an access that a GPU would fault on.
std::vector<LaunchTrace> execute(const Program&, std::span<const LaunchNode>, AddressSpace&,
                                 const MachineConfig&);

/// Interprets host functions with the same instruction table, one lane wide. Its stack is a region of owner
/// host_stack; each access is checked against the region's owner ("wrong_space": host code touched device
/// memory).
class HostThread {
 public:
  HostThread(const Program&, AddressSpace&, HostCalls&, const RunControl&);
  ~HostThread();
  /// Calls a function by mangled name with its parameter block; returns its result's bytes.
  /// Re-entrant (callbacks such as qsort's comparator). Throws RunStopped.
  std::vector<std::byte> call(const std::string& mangled, std::span<const std::byte> args);
  /// Calls through a code address (a function pointer that host code holds).
  std::vector<std::byte> call(uint64_t code_address, std::span<const std::byte> args);
  /// Where the innermost frame is now.
  SourceLoc where() const;
  /// Instructions that host code has executed so far: what a modelled host's clock goes by.
  uint64_t executed() const;
  /// Bytes that its instructions have read of pinned and managed memory.
  uint64_t mapped_reads() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dojo::simt
