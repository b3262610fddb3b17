#pragma once
// The functional SIMT machine: runs the blocks of a set of launches warp by warp, 32 lanes at a time, exactly
// and deterministically, with counters and checks. It knows nothing of time.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/device.hpp"
#include "core/memory.hpp"
#include "simt/trace.hpp"

namespace dojo::simt {

/// A module decoded for execution: fixed-size instructions with handlers, dense registers.
class Program;

/// Where module variables live, by PTX name. Functions have code addresses made by the program itself.
using SymbolTable = std::map<std::string, uint64_t>;

/// Decodes every function of a module. Instructions the machine can't run are no error until they are
/// reached: running one throws RunStopped "unsupported" naming the instruction and its line.
std::shared_ptr<const Program> decode(std::shared_ptr<const ptx::Module>, const SymbolTable&);
const ptx::Module& module_of(const Program&);
/// Instructions of the module that have no entry in the table (opcode, line).
std::vector<Diagnostic> unsupported(const Program&);

/// Where the sectors of one line of an access were found.
struct LineHits {
  uint8_t l1 = 0, l2 = 0;  ///< sectors
  bool far = false;        ///< the L2's half that is not the SM's own was asked
  bool coming = false;     ///< it was on its way from DRAM, asked for just before
  uint8_t askers = 1;      ///< blocks that ask DRAM for it at once, at most 255
  bool operator==(const LineHits&) const = default;
};
/// One block's accesses on their way to the caches.
struct BlockAccesses {
  int sm = 0;
  std::vector<LineAccess> log;
  BlockSummary* summary = nullptr;    ///< l2_sectors and dram_sectors are added to it
  std::unique_ptr<BlockTrace> trace;  ///< of a block that is traced in detail
  std::vector<size_t> entered;        ///< by warp: events of the trace that have their hits already
  bool want_hits = false;
  std::vector<LineHits> hits;  ///< if wanted, of each access
};

/// The modelled memory hierarchy, fed in block order (see hierarchy.hpp).
class MemoryHierarchy {
 public:
  virtual ~MemoryHierarchy() = default;
  /// The next replays are of this launch's blocks (index into the nodes given to execute). L1 caches start
  /// empty with every launch. Call it whenever the launch changes from one replay to the next.
  virtual void select_launch(uint32_t launch) { (void)launch; }
  /// How many blocks like this one should be replayed together: those that a GPU runs at once, 1 where their
  /// accesses are too many to be looked at side by side.
  virtual size_t side_by_side(std::span<const LineAccess>) { return 1; }
  /// Accounts the accesses of blocks that run at the same time. `all`: no others run beside them.
  virtual void replay(std::span<BlockAccesses>, bool all = false) = 0;
};

/// What the machine needs to know of the device it imitates.
struct MachineConfig {
  int sms = 132;
  uint32_t smem_per_block = 232448;
  int warps_per_sm = 64, blocks_per_sm = 32;
  uint64_t clock_khz = 1980000;
  std::string arch = "sm_90";
  RunControl control;
  /// Which blocks to trace in detail (given launch and block); may be empty: none.
  std::function<bool(uint32_t launch, uint64_t block)> trace_block;
  /// Whose traces are kept whole though all together have become too long; may be empty: all.
  std::function<bool(uint32_t launch, uint64_t block)> keep_whole;
  uint64_t most_accesses = uint64_t(1) << 25;  ///< of blocks that run, until the hierarchy takes them: 512 MB
  uint64_t most_trace_bytes = uint64_t(1)
                              << 30;  ///< of blocks that run, until those not to be kept whole are shortened
  MemoryHierarchy* hierarchy = nullptr;  ///< null: no cache counters
  StepTrace* steps = nullptr;            ///< a block to record; the run then ends with RunStopped "traced"
  uint32_t steps_launch = 0;             ///< its launch, as an index into the nodes
  /// Shape of a function: what is counted (machine code or estimate).
  std::function<std::shared_ptr<const ptx::CodeShape>(uint32_t function)> shape;
  std::function<void(std::string_view)> print;
  std::function<void(Diagnostic)>
      finding;  ///< called in deterministic order; the machine dedups by line and kind
};

/// Runs launches to completion in an order that respects the graph; those not ordered by it run together,
/// with as many blocks resident as the device holds, lowest launch and block first. Throws RunStopped on a
/// limit, a deadlock (who holds, who waits), a trap, or an access that a GPU would fault on.
std::vector<LaunchTrace> execute(const Program&, std::span<const LaunchNode>, AddressSpace&,
                                 const MachineConfig&);

/// Calls that host code makes to functions the module leaves external.
class HostCalls {
 public:
  virtual ~HostCalls() = default;
  /// `args`: the callee's parameter block, laid out as its declaration says (callee.params[i].offset);
  /// `result`: its return value's bytes. Throws to end the program.
  virtual void call(const ptx::Function& callee, std::span<const std::byte> args, std::span<std::byte> result,
                    const SourceLoc& where) = 0;
};

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

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The function behind a code address, or null.
const ptx::Function* function_at(const Program&, uint64_t code_address);
/// The code address of a function (mangled name), or 0.
uint64_t code_address(const Program&, const std::string& mangled);

}  // namespace dojo::simt
