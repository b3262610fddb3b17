#pragma once
// The caches: an L1 per SM, the shared L2, and what DRAM is asked for. The accesses of blocks go in
// (replay.hpp); per access, the sectors that hit in L1 and L2 come out, and per launch the totals. Lines have
// 128 bytes, sectors
// 32. The room knows device files, but no instruction, no value and no time: the order of the replay stands
// for time.
//
// Rules
// - A load is looked up in its SM's L1, then in L2. What both miss comes from DRAM, 64 bytes (two sectors) at
// a
//   time.
// - A store writes through: it leaves its sectors in L1 for later loads, and in L2 as dirty ones, which are
// written
//   back when they are evicted. A whole sector is written without being read.
// - Atomics and volatile loads go to L2. An atomic drops its line from L1.
// - Every launch starts with an empty L1. A fence or an acquire beyond the block, of any warp, empties its
// SM's L1
//   (tests/microbench/acquire.cu).
// - What a launch leaves dirty in L2 is no DRAM traffic, as in Nsight Compute.
// - A launch of which a part is replayed (replayed_part) leaves the lines of that part in the L2, if all its
//   lines would fit, and else a cold L2.
//
// Example: a warp loads 32 consecutive floats of a cold line: 4 sectors looked up in L1 and in L2, 4 read
// from DRAM. If only the first float is loaded: 1 sector in L1 and L2, but 2 from DRAM, since they come in
// pairs.
//
// Evidence: that stores stay in L1, and DRAM's 64 bytes, are what Nsight Compute counts on an H100 and an
// H200 (docs/counters.md) and what lone sectors cost there (`apart` in tests/microbench/contention.cu: 8
// words apart 41 us, 16 apart 84).
#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simt/caches/atomic_queues.hpp"
#include "simt/caches/l2_cache.hpp"
#include "simt/gpu/device_model.hpp"
#include "simt/replay.hpp"

namespace dojo::simt {

class CacheHierarchy final : public MemoryHierarchy {
 public:
  struct Totals {  ///< of one launch, in sectors
    /// Sectors of global and local accesses. Hits: of a load, sectors that are there; of a store, sectors
    /// whose line is there; of an atomic, none (as Nsight Compute counts on an H100 and an H200).
    uint64_t l1_lookups = 0, l1_hits = 0;
    uint64_t l2_lookups = 0;  ///< sectors that SMs ask the L2 for or send to it
    /// The same as Nsight Compute counts them (lts__t_sectors_srcunit_tex_lookup_*): requests that are
    /// combined before the L2 count once, and a half of the L2 that asks the other one has missed.
    uint64_t lookup_hits = 0, lookup_misses = 0;
    uint64_t fetched = 0;                    ///< brought by loads from L2 into an L1
    uint64_t missed = 0;                     ///< of loads and atomics, that L2 asked DRAM for
    uint64_t dram_read = 0, dram_write = 0;  ///< with the neighbours: DRAM gives two at a time
    uint64_t stored = 0;                     ///< of stores and atomics
    uint64_t stored_parts = 0;               ///< of stores, of several in a line that they don't fill
    uint64_t atomics = 0;                    ///< of atomics alone
    uint64_t packets = 0;                    ///< of atomics
    uint64_t load_lines = 0;                 ///< lines that loads ask the L2 for, once per request
    uint64_t rows_opened = 0;                ///< of DRAM, by reads
    uint64_t hot_atomics = 0;  ///< time of the busiest atomic queue, in thirds of a packet's time
    uint64_t met_l2 = 0;       ///< l2_lookups so far, in the order of the replay
    double written_at = 0;     ///< sum of met_l2 over all sectors of dram_write
    /// The share of the launch's traffic that passes before the first write-back, 0 to 1. Write-backs are
    /// spread evenly over the rest, so their mean place is (1 + share) / 2.
    double before_writes() const {
      return dram_write && met_l2
                 ? std::clamp(2 * written_at / double(dram_write) / double(met_l2) - 1, 0.0, 1.0)
                 : 0;
    }
  };
  explicit CacheHierarchy(const DeviceModel&);
  ~CacheHierarchy() override;
  /// Before a batch of launches. By launch: bytes of each SM's L1 that are left for caching, and how many of
  /// its blocks the GPU holds at once (not given: one).
  void begin(std::vector<uint64_t> l1_bytes, std::vector<uint32_t> together = {});
  void select_launch(uint32_t launch, bool in_part = false) override;
  size_t side_by_side(std::span<const LineAccess>) override;
  void replay(std::span<BlockAccesses>, bool all = false) override;
  void replayed_part(double l2, double dram) override;
  /// One block alone.
  void replay(int sm, std::span<const LineAccess>, BlockSummary&, std::vector<LineHits>* hits);
  void clear();  ///< a cold L2
  /// A copy within the device passes the L2 as loads and stores do. Returns the sectors of `from` that were
  /// read from DRAM.
  uint64_t copied(uint64_t to, uint64_t from, uint64_t bytes);
  /// Sectors in L2 that DRAM doesn't have yet.
  uint64_t dirty_sectors() const { return l2_.dirty_sectors() + assumed_dirty_; }
  const Totals& totals(uint32_t launch) const { return totals_[launch]; }
  uint64_t l1_bytes(uint32_t launch) const { return l1_bytes_[launch]; }

 private:
  // ---- Which blocks are replayed together (footprint.cpp)
  struct Footprint {
    double lines = 0;     ///< different lines that the blocks touch
    double per_more = 0;  ///< lines that one more block is assumed to add: the mean of the last quarter
  };
  Footprint footprint(std::span<const BlockAccesses* const>);
  /// Would the lines of all blocks that the GPU runs at once overflow the L2?
  bool overflows_l2(std::span<const BlockAccesses>);
  /// The part of its SM's L1 that a block has, when it is replayed beside fewer blocks than the SM runs at
  /// once.
  uint64_t l1_share(std::span<const BlockAccesses>, bool one_by_one);
  /// Blocks of the launch that the GPU runs at once.
  size_t together() const { return launch_ < together_.size() ? together_[launch_] : 1; }

  // ---- The order of a replay (hierarchy.cpp)
  struct Walk;  ///< a block's way through its accesses
  /// Fills `order` with the order in which a block's accesses reach the caches. The machine runs one warp
  /// after another up to the next barrier; a GPU's warps are interleaved, and each finds what the others have
  /// brought. Returns how many warps are interleaved.
  size_t interleave_warps(std::span<const LineAccess>, std::vector<uint32_t>& order);
  void start_walk(Walk&, BlockAccesses&, uint32_t number, uint64_t together);
  void replay_interleaved(std::span<BlockAccesses>, uint64_t together);
  /// Divides the sectors that DRAM was read for among the blocks that waited for them.
  void share_dram_reads(size_t blocks);
  void add_to_totals(const Walk&);

  // ---- One access (hierarchy_access.cpp)
  void access(Walk&, uint32_t at);
  /// Looks an access up in the L1. Returns the sectors that it asks the L2 for; adds those found to `hits`.
  uint8_t look_up_l1(Walk&, const LineAccess&, int* hits);
  struct L2Answer {
    int hits = 0;      ///< sectors
    bool far = false;  ///< the far half was asked, and the SM waits for it
    uint8_t near = 0;  ///< of the hits, those that the near half has
    int evicted = 0;   ///< dirty sectors that had to leave
  };
  L2Answer look_up_l2(Walk&, const LineAccess&, uint8_t sectors);
  /// Where blocks are replayed one after another: is a line, which this block fetched first, still in L2 when
  /// the block returns to it? Sets the hits to 0 if the other blocks' lines have evicted it.
  void apply_reuse_distance(Walk&, uint64_t line, int* hits);
  /// Enters a load's misses as requests to DRAM, or lets it wait for a request of another block.
  void join_dram_request(Walk&, uint64_t half_line, bool both_halves, bool misses);
  void read_dram(Walk&, const LineAccess&, uint8_t sectors, L2Answer&);
  void count_nsight_lookups(Walk&, const LineAccess&, uint8_t sectors, uint8_t near);
  void note_hits(Walk&, uint32_t at, const LineAccess&, uint64_t half_line, LineHits);
  /// Of the sectors that an SM loads, those that no other SM of its GPC has just asked the L2 for.
  uint8_t not_combined(uint64_t line, uint8_t sectors, int gpc);
  /// Does a load wait for the far half of the L2: because it asks it (`asks`), or because a load of its side
  /// has asked in this step?
  bool waits_for_far_half(uint64_t line, int side, bool asks);
  int gpc_of(int sm) const;

  const int sms_;
  const uint64_t l2_lines_;    ///< lines that fit when each SM has lines of its own
  const uint64_t most_dirty_;  ///< sectors
  L2Cache l2_;
  std::vector<SectoredCache> l1_;    ///< by SM
  std::vector<uint64_t> l1_bytes_;   ///< by launch
  std::vector<uint32_t> l1_launch_;  ///< by SM: the launch whose lines its L1 holds
  std::vector<uint32_t> together_;   ///< by launch
  std::vector<Totals> totals_;       ///< by launch
  uint32_t launch_ = 0;
  bool in_part_ = false;         ///< not all blocks of the launch are replayed
  uint64_t dirty_at_start_ = 0;  ///< of the launch
  /// Sectors that launches of which a part was replayed are taken to have left dirty, beyond those in l2_.
  uint64_t assumed_dirty_ = 0;

  // Of the launch.
  std::optional<uint64_t> l1_share_;  ///< once its first blocks are here
  bool one_by_one_ = false;           ///< its blocks are replayed one after another
  AtomicQueues queues_;
  int active_sms_ = 0;  ///< that it has blocks on

  std::vector<uint64_t> touched_;  ///< footprint(): a bit per line, by its hash

  /// Reuse distances: by line that the current block fetched first, how many such lines it had touched before
  /// its last access. An example with L2 room for 1000 lines and 10 blocks at once: a block returns to a line
  /// after 150 others of its own. Meanwhile the 10 blocks touched 1500 lines, so the line has been evicted.
  std::unordered_map<uint64_t, uint32_t> own_lines_;
  uint32_t own_touched_ = 0;

  /// The replay's clock: accesses of one step happen at one time.
  uint64_t step_ = 0;
  /// Half lines that DRAM was asked for last, by their lowest bits. A load of the same half line in the same
  /// step waits for that answer (`crowd` of tests/microbench/shares.cu); where many SMs wait, DRAM answers
  /// sooner than for one alone (tests/microbench/trips.cu).
  struct DramRequest {
    uint64_t half_line = ~uint64_t(0);
    uint64_t step = 0;
    uint32_t group = 0;
  };
  static constexpr size_t kDramRequests = size_t(1) << 13;
  std::vector<DramRequest> dram_requests_ = std::vector<DramRequest>(kDramRequests);
  /// Rows of DRAM of 1 KiB that were read last, by a hash: more than a GPU has banks, since its memory
  /// controller serves waiting requests for an open row first.
  std::vector<uint64_t> open_rows_ = std::vector<uint64_t>(size_t(1) << 14, ~uint64_t(0));
  /// Blocks that wait for one answer of DRAM.
  struct Group {
    uint64_t blocks = 0;   ///< a bit for each 64th block
    uint32_t first = 0;    ///< the block that asked
    uint32_t sectors = 0;  ///< that it asked for
  };
  std::vector<Group> groups_;
  std::vector<std::pair<uint32_t, uint32_t>> followers_;  ///< group, block
  /// Hits that are told the size of their group once all its blocks are known.
  std::vector<std::pair<LineHits*, uint32_t>> waiting_hits_;

  /// Lines that one half of the L2 recently requested from the other. Later readers of the same side in this
  /// step share the arrival time.
  struct FarRequest {
    uint64_t line = ~uint64_t(0);
    uint64_t step = 0;
    int side = 0;
  };
  std::vector<FarRequest> far_requests_ = std::vector<FarRequest>(kDramRequests);

  /// Loads on their way to the L2, by line and GPC: up to `combined_` of one step are one request
  /// (tests/microbench/joined.cu).
  struct CombinedLoad {
    uint64_t line = ~uint64_t(0);
    uint64_t step = 0;
    int gpc = 0, sms = 0;
    uint8_t sectors = 0;
  };
  static constexpr size_t kCombinedLoads = size_t(1) << 14;
  std::vector<CombinedLoad> combined_loads_;
  const int gpcs_, first_gpc_, combined_;

  std::vector<Walk> walks_;
  /// interleave_warps(): by warp between two barriers, its next access and the end.
  std::vector<std::pair<uint32_t, uint32_t>> runs_;
};

}  // namespace dojo::simt
