#pragma once
// The state of execution: warps with their splits, blocks, and the context in which handlers run.
//
// The room holds what an instruction can see or change, and the moves that more than one instruction makes:
// splits, frames, barriers, accesses with their counters, findings. It knows no single instruction, no check
// and no order of blocks: who runs it is a Supervisor.
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/labs/pages.hpp"
#include "core/memory.hpp"
#include "simt/block_sample.hpp"
#include "simt/decode/program.hpp"
#include "simt/trace.hpp"

namespace dojo::simt {

struct Exec;
struct Warp;
struct Block;
struct Grid;
class Supervisor;
class StepRecorder;

/// One activation of a function by some lanes of a warp. Lanes that diverge inside it share it.
struct Frame {
  const Code* code = nullptr;
  std::byte* r = nullptr;  ///< 64-byte aligned
  Frame* parent = nullptr;
  const Inst* call = nullptr;  ///< the call in the parent; lanes go on behind it
  uint32_t lanes = 0;          ///< lanes still inside
  int conv = -1;               ///< where they meet behind the call
  uint64_t local_base = 0;     ///< of its .local variables (device: offset; host: address)
  uint64_t alloca_bytes = 0;   ///< device: what alloca took behind them
  uint64_t local_end() const {
    return local_base + ((code->fn->local_bytes + 15) & ~uint64_t(15)) + alloca_bytes;
  }
};

enum class Wait : uint8_t { ready, barrier, lanes, parked, sleeping, wait_group };

/// Lanes of a warp that run together.
struct Split {
  uint32_t mask = 0;
  Wait wait = Wait::ready;
  uint8_t barrier = 0;
  const Inst* pc = nullptr;
  Frame* frame = nullptr;
  int conv = -1;      ///< index into Warp::convs, -1: none
  uint32_t need = 0;  ///< Wait::lanes: the lanes that must come
  // Spin detection: the state at the last back edge; parked: what it read since, and waits to change.
  const Inst* spin_at = nullptr;
  uint64_t spin_hash = 0, spin_reads = 0;  ///< of the registers; of what was read
  struct Watch {
    uint64_t address;
    uint64_t value;
    uint8_t bytes;
  };
  std::vector<Watch> watches;
};

/// A place where diverged lanes meet again.
struct Conv {
  const Inst* at = nullptr;
  Frame* frame = nullptr;
  uint32_t expected = 0, arrived = 0;
  int parent = -1;
  bool used = false;
};

/// Takes a value up into a signature. Warps of one signature took the same path with accesses of one shape:
/// one of them stands for the others in the time model (time/kinds.hpp).
inline uint64_t fold(uint64_t signature, uint64_t value) {
  return std::rotl(signature ^ value, 27) * 0x9E3779B97F4A7C15ull;
}

struct Warp {
  Block* block = nullptr;
  uint32_t index = 0;
  uint32_t live = 0, exists = 0;
  std::vector<Split> splits;
  std::vector<Conv> convs;
  uint32_t sync_stamp = 0;                 ///< of the last event that ordered its lanes (shadow.hpp)
  std::array<uint32_t, 32> proxy_fence{};  ///< by lane: epoch behind its last fence.proxy.async
  uint32_t epoch = 0;            ///< stamp of its accesses: sync_stamp, and one more for each fence since
  uint64_t sig = 0;              ///< signature so far: fold()
  uint64_t executed = 0;         ///< warp instructions, also %clock
  std::vector<std::byte> local;  ///< lane-major, local_stride bytes a lane
  std::vector<uint8_t> local_init;
  uint32_t local_stride = 0;
  alignas(64) uint32_t tid[3][32];
  WarpTrace* trace = nullptr;
  Frame* root = nullptr;
  uint32_t cluster_phase = 0;
  int stuck = 0;  ///< scheduler rounds without progress
  struct {
    const Inst* at = nullptr;
    uint64_t next = 0;
  } ticket;  ///< the addition by which it took its last ticket, and what that left (ops/atomic.cpp)
  std::array<uint64_t, 8> tried{};  ///< words that it tried to change lately, in vain (ops/atomic.cpp)
};

struct Barrier {
  uint32_t arrived = 0;   ///< threads
  uint32_t expected = 0;  ///< threads; 0: all
  const Inst* first = nullptr;
  uint32_t first_thread = 0;
  uint32_t votes_and = 0xffffffff, votes_or = 0, votes_count = 0;
  uint32_t result_and = 0, result_or = 0, result_count = 0;
  const Code* first_code = nullptr;
};

/// Shadow of one block's shared memory: tags per grain (see shadow.hpp).
struct SharedShadow {
  std::vector<uint32_t> write, read1, read2;
  std::vector<uint32_t> writer_inst, read1_inst, read2_inst;  ///< the accesses that left the tags
  uint32_t grain = 0;
  uint32_t scratch[32];
};

/// An mbarrier that a thread of its block has initialised (checks/barrier_starts.hpp).
struct BarrierStart {
  uint64_t offset = 0;
  uint32_t stamp = 0;  ///< of the initialisation
  uint32_t since = 0;  ///< a barrier of the block orders it before what follows only with a later stamp
  uint32_t thread = 0, access = 0;
};

struct Block {
  Grid* grid = nullptr;
  uint64_t linear = 0;
  Dim3 index;
  int sm = 0;
  uint32_t ticket = 0;
  uint32_t threads = 0, live_threads = 0;
  std::vector<std::unique_ptr<Warp>> warps;
  std::vector<std::byte> shared;
  std::vector<std::byte> reserved;  ///< at window::reserved; empty until it is used
  uint32_t shared_bytes = 0, dynamic_base = 0;
  SharedShadow shadow;
  std::vector<BarrierStart> barrier_starts;
  uint32_t stamp = 1;          ///< current sync stamp
  uint32_t barrier_stamp = 1;  ///< of the last whole-block barrier
  uint32_t cluster_stamp = 1;  ///< of the last barrier of the cluster
  uint32_t first_stamp = 1;    ///< at the block's start: older tags are of other blocks
  Barrier barriers[16];
  bool started = false, done = false, ran = false;
  bool detail = true;  ///< checked, counted and replayed (BlockSample)
  int parked = 0;
  uint32_t cluster_rank = 0;
  struct Cluster* cluster = nullptr;
  bool peers_started = false;  ///< it has heard from the other blocks of its cluster: all have started
  std::vector<LineAccess> log;
  std::string printed;
  BlockSummary summary;
  std::unique_ptr<BlockTrace> trace;
  std::vector<size_t> entered;    ///< by warp: events of the trace that have their hits
  StepRecorder* steps = nullptr;  ///< set: this block is recorded instruction by instruction
  struct RedLog {
    uint64_t address;
    uint64_t value;
    ptx::Type type;
    uint8_t op;
  };
  std::vector<RedLog> reds;
  std::vector<const Region*> red_regions;  ///< regions that `reds` will change
  bool triggered = false;                  ///< griddepcontrol.launch_dependents
  bool waited = false;  ///< for the launches that it programmatically depends on (griddepcontrol.wait)
};

/// Visits of one basic block.
struct BlockCount {
  uint64_t visits = 0, lanes = 0;
  uint64_t idle_eights = 0;  ///< groups of eight lanes with no active one, summed
};

/// Counters of one memory (or branch) instruction, with the shape of its last access: equal shapes in a row
/// only add to `run`.
struct AccessCount {
  static constexpr uint32_t of_shared = 128;  ///< `phase` of a shape in shared memory
  // The last shape.
  uint64_t stride = ~uint64_t(0);
  uint32_t mask = 0, phase = 0;
  uint64_t run = 0;
  uint16_t wavefronts = 0, sectors = 0, ideal_wavefronts = 0, lines = 0;
  uint16_t lanes = 0;
  uint64_t shape_hash = 0;
  // Sums.
  uint64_t requests = 0, sum_lanes = 0, sum_sectors = 0, sum_wavefronts = 0, sum_ideal_wavefronts = 0,
           sum_conflicts = 0;
  uint64_t divergent = 0;
  uint64_t rare = 0, rare_lanes = 0;               ///< see InstructionCounts
  uint64_t remote_lanes = 0;                       ///< lanes that reached into another block of the cluster
  uint64_t exchanged_bytes = 0;                    ///< see InstructionCounts
  uint64_t outside_lanes = 0;                      ///< of texture fetches: see InstructionCounts
  uint64_t shared_requests = 0, shared_lanes = 0;  ///< those of the sums that went to shared memory
  uint64_t bulk_bytes = 0;                         ///< of bulk copies
  // Last region.
  uint64_t base = 1, size = 0;
  Region* region = nullptr;
  std::byte* data = nullptr;
  void flush() {
    requests += run;
    sum_lanes += run * lanes;
    sum_sectors += run * sectors;
    sum_wavefronts += run * wavefronts;
    sum_ideal_wavefronts += run * ideal_wavefronts;
    if (wavefronts > ideal_wavefronts) sum_conflicts += run * (wavefronts - ideal_wavefronts);
    if (phase == of_shared) shared_requests += run, shared_lanes += run * lanes;
    run = 0;
  }
};

/// How a memory instruction is counted (from the CodeShape).
struct AccessShape {
  uint8_t width = 0;        ///< bytes a lane; 0: not counted
  uint16_t to = 1, of = 1;  ///< of `of` accesses `to` are made
};

/// An allocation that a launch has accessed.
struct TouchedRegion {
  Region* region = nullptr;
  bool on_both = false;  ///< host code may access it, too; it may be gone when the launch has ended
  bool read = false, written = false;
};

/// What handlers see. One per host thread; holds the split that runs.
struct Exec {
  std::byte* r = nullptr;
  uint32_t mask = 0, partial = 0;
  uint32_t live = 0;
  int conv = -1;
  const Inst* conv_at = nullptr;
  Frame* conv_frame = nullptr;
  Frame* frame = nullptr;
  BlockCount* visits = nullptr;
  AccessCount* access = nullptr;
  const AccessShape* shape = nullptr;
  int64_t slice = 0;
  int64_t quantum = 50000;  ///< instructions that a warp runs before others of its block may
  int subnormals = 0;       ///< while > 0, products of floats go by doubles: subnormal numbers were met
  uint64_t sig = 0;         ///< signature so far: fold()
  uint64_t executed = 0, thread_executed = 0;
  Warp* warp = nullptr;
  Block* block = nullptr;
  Grid* grid = nullptr;
  Supervisor* machine = nullptr;  ///< null: host code
  const Program* program = nullptr;
  AddressSpace* memory = nullptr;
  int split = 0;
  std::optional<RunControl::UndefinedLane> undefined;
  bool checks = false, exchanges = false, want_log = false, counting = false, ordered = false;
  bool detail = true;          ///< `checks`, `want_log` and `shape` are those of a block in detail
  bool tracked = false;        ///< fences and flags are noted: they may order what races otherwise
  bool shared_flags = false;   ///< tracked, and threads may wait for words of shared memory
  bool log_reds = false;       ///< blocks run at once: floating reds wait in the block's log for its turn
  bool pending_reds = false;   ///< this thread's block has some
  bool notes_regions = false;  ///< `regions` is wanted
  bool shares_work = false;    ///< the warp ended its slice so that others take tickets or words
  Wait why = Wait::ready;
  uint32_t touched = 0;  ///< strong reads since the last back edge
  bool wrote = false;    ///< stores since the last back edge
  bool blind = false;    ///< an atomic since then changed nothing, and its result is unused
  bool yielded = false;  ///< the slice ended because the warp polls
  std::vector<Split::Watch> watches;
  std::vector<TouchedRegion> regions;  ///< that the launch has accessed so far
  alignas(64) int32_t lanes[32] = {};
  alignas(64) uint64_t scratch[32 * 4] = {};
  int thread = 0;        ///< index of the host thread
  uint64_t polled = 0;   ///< instructions since limits were looked at
  uint64_t retired = 0;  ///< warp instructions of finished blocks
  std::vector<std::unique_ptr<Block>> block_pool;
  std::unordered_map<const Code*, std::vector<Frame*>> frame_pool;  ///< free ones
  std::vector<std::unique_ptr<Frame>> frames;                       ///< all
  std::vector<Pages> slabs;                                         ///< their memory
  std::byte* slab_at = nullptr;                                     ///< what is left of the last
  size_t slab_left = 0;
  struct HostState* host = nullptr;
  // The last access's lanes, for general paths.
  alignas(64) uint64_t addresses[32] = {};

  template <class T>
  T* slot(uint32_t offset) {
    return reinterpret_cast<T*>(r + offset);
  }
  uint32_t& pred(uint32_t offset) { return *reinterpret_cast<uint32_t*>(r + offset); }
  /// Makes `m` the active lanes.
  void set_mask(uint32_t m) {
    mask = m;
    partial = m != live;
    if (partial)
      for (int i = 0; i < 32; ++i) lanes[i] = -int32_t((m >> i) & 1);
  }
};

/// Threads of a launch that run now.
struct Cluster {
  std::vector<Block*> blocks;
  uint32_t arrived = 0, phase = 0;
  /// An access of one block to another's shared memory since the last cluster barrier.
  struct PeerAccess {
    uint32_t rank = 0, thread = 0, access = 0;
    bool any = false, atomic = false;
  };
  struct Peers {
    PeerAccess write, read;
  };
  std::unordered_map<uint64_t, Peers> peers;  ///< by rank of the memory's block << 32 | grain
  bool signals = false;                       ///< blocks may be ordered by more than the cluster's barrier
};

/// Counters of one launch as one host thread keeps them.
struct Counters {
  std::vector<BlockCount> visits;
  std::vector<AccessCount> access;
};

/// One launch in execution.
struct Grid {
  uint32_t launch = 0;
  const LaunchNode* node = nullptr;
  const Code* code = nullptr;
  Dim3 grid, block, cluster;
  uint64_t blocks = 0, next = 0, finished = 0, triggered = 0;
  uint32_t threads = 0, warps = 0, shared_bytes = 0, dynamic_base = 0;
  uint64_t ticket_base = 0;
  /// What is over for its blocks, before and behind griddepcontrol.wait: all tickets below, and where `mixed`
  /// some above.
  struct Over {
    uint64_t below = 0;
    bool mixed = false;
  } over[2];
  bool ordered = false;       ///< blocks run in the one fixed order
  bool fences = false;        ///< has fences, releases or acquires of any scope
  bool shared_flags = false;  ///< threads may wait for words of shared memory
  bool silent = false;        ///< blocks leave nothing that must be taken in their order
  BlockSample sample;         ///< its blocks in detail
  std::vector<AccessShape> shapes,
      no_shapes;  ///< no_shapes: of blocks left out, whose accesses are not counted
  std::vector<const Code*> codes;
  /// By host thread: of its blocks in detail (2 * thread), of those left out (2 * thread + 1).
  std::vector<std::unique_ptr<Counters>> counters;
  uint32_t grain_shared = 4, grain_global = 4;
  bool writes_known = false;
  std::vector<Region*> writes;  ///< regions that its stores may reach, when known
  LaunchTrace* trace = nullptr;
  std::function<bool()> waits_for_finish;  ///< are the launches it programmatically depends on over?
  uint64_t workspace = 0;                  ///< cooperative launches: address of the grid barrier
  std::vector<std::unique_ptr<Cluster>> clusters;
};

inline uint32_t thread_index(const Exec& x, int lane) { return x.warp->index * 32 + uint32_t(lane); }

/// For each active lane, lowest first.
#define DOJO_FOR_LANES(lane, m)                                                                            \
  for (uint32_t m_##lane = (m), lane = 0; m_##lane && (lane = uint32_t(std::countr_zero(m_##lane)), true); \
       m_##lane &= m_##lane - 1)

}  // namespace dojo::simt
