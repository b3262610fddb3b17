#pragma once
// L1 of every SM, the shared L2 and DRAM, fed with the functional run's accesses block by block. Sectored
// caches (128-byte lines, 32-byte sectors). Says which sectors hit where, and how many bytes DRAM moved.
//
// Rules: loads look in their SM's L1, then in L2, then come from DRAM, two sectors at a time. Stores write
// through L1, where they stay for later loads, into L2, which holds them until they are evicted; a whole
// sector is written without being read. Atomics and volatile loads go to L2; an L1 copy of what an atomic
// changes is dropped. L1 starts empty with every launch, and a fence or an acquire beyond the block, of
// whichever warp, empties it again (tests/microbench/acquire.cu). What a launch leaves dirty in L2 is not
// counted as DRAM traffic, as Nsight Compute doesn't. That stores stay in L1, and DRAM's 64 bytes, are what
// Nsight Compute counted on an H100 and an H200 (docs/counters.md), and what lone sectors cost there
// (`apart` in tests/microbench/contention.cu: 8 words apart 41 us, 16 apart 84).
#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simt/caches/atomic_queues.hpp"
#include "simt/caches/l2_cache.hpp"
#include "simt/device/device_model.hpp"
#include "simt/machine/machine.hpp"

namespace dojo::simt {

class CacheHierarchy final : public MemoryHierarchy {
 public:
  struct Totals {  ///< of one launch
    /// Sectors of global and local accesses. Of a load those hit that are there, of a store those whose line
    /// is there, of an atomic none (as Nsight Compute counts them, on an H100 and an H200).
    uint64_t l1_lookups = 0, l1_hits = 0;
    uint64_t l2_lookups = 0;  ///< sectors that SMs ask the L2 for or send it
    /// Of these as Nsight Compute counts them (lts__t_sectors_srcunit_tex_lookup_*):
    /// requests that are joined on their way are one, and a half of the L2 that has to ask the other has
    /// missed.
    uint64_t lookup_hits = 0, lookup_misses = 0;
    uint64_t fetched = 0;                    ///< sectors that loads brought from the L2 into an L1
    uint64_t missed = 0;                     ///< sectors of loads and atomics that L2 had to ask DRAM for
    uint64_t dram_read = 0, dram_write = 0;  ///< sectors; DRAM gives two at a time
    uint64_t stored = 0;                     ///< sectors of stores and atomics
    uint64_t atomics = 0;                    ///< sectors of atomics alone
    uint64_t hot_atomics = 0;                ///< thirds of a packet's time, of the busiest of AtomicQueues
    uint64_t met_l2 = 0;                     ///< l2_lookups so far, in the order of the replay
    double written_at = 0;                   ///< the sum of that over all sectors of dram_write
    /// Share of the launch's traffic that passes before the L2 has to write anything back: what is written,
    /// is written evenly over the rest. 0 to 1.
    double before_writes() const {
      return dram_write && met_l2
                 ? std::clamp(2 * written_at / double(dram_write) / double(met_l2) - 1, 0.0, 1.0)
                 : 0;
    }
  };
  explicit CacheHierarchy(const DeviceModel&);
  ~CacheHierarchy() override;
  /// Before a batch: how many bytes of L1 each of its launches leaves for caching, and how many of its blocks
  /// the GPU holds at once (none given: one).
  void begin(std::vector<uint64_t> l1_bytes, std::vector<uint32_t> together = {});
  void select_launch(uint32_t launch) override;
  size_t side_by_side(std::span<const LineAccess>) override;
  void replay(std::span<BlockAccesses>, bool all = false) override;
  /// One block alone.
  void replay(int sm, std::span<const LineAccess>, BlockSummary&, std::vector<LineHits>* hits);
  void clear();  ///< a cold L2
  /// A copy within the device, which goes through the L2 as loads and stores do: sectors of `from` that it
  /// had to ask DRAM for.
  uint64_t copied(uint64_t to, uint64_t from, uint64_t bytes);
  /// Sectors that the L2 holds and DRAM doesn't have yet.
  uint64_t dirty_sectors() const { return l2_.dirty_sectors(); }
  const Totals& totals(uint32_t launch) const { return totals_[launch]; }
  uint64_t l1_bytes(uint32_t launch) const { return l1_bytes_[launch]; }

 private:
  const int sms_;
  const uint64_t l2_lines_;  ///< that fit, where each SM has lines of its own
  L2Cache l2_;
  std::vector<SectoredCache> l1_;
  std::vector<uint64_t> l1_bytes_;
  std::vector<uint32_t> l1_launch_;  ///< whose lines an SM's L1 holds
  std::vector<Totals> totals_;
  uint32_t launch_ = 0;
  struct Walk;  ///< a block's way through its accesses
  void access(Walk&, uint32_t at);
  void count_lookups(Walk&, const LineAccess&, uint8_t rest, uint8_t near);
  struct Footprint {
    double lines = 0;  ///< that the blocks touch
    double each = 0;   ///< that one more is taken to add: as many as each of the last quarter did
  };
  Footprint footprint(std::span<const BlockAccesses* const>);
  size_t together() const {
    return launch_ < together_.size() ? together_[launch_] : 1;
  }  ///< blocks of the launch that the GPU runs at once
  /// Would the lines of all blocks that the GPU runs at once not fit the L2?
  bool crowded(std::span<const BlockAccesses>);
  /// What of its SM's L1 is left to blocks that are replayed beside fewer others than the SM runs at once.
  uint64_t l1_left(std::span<const BlockAccesses>, bool alone);
  std::optional<uint64_t> l1_left_;  ///< of the launch, once its first blocks are here
  bool alone_ = false;               ///< they were replayed one after another
  std::vector<uint64_t> touched_;    ///< a bit for each line, by its hash
  void replay_together(std::span<BlockAccesses>, uint64_t together);
  // Blocks that would not fit are replayed one after another, though a GPU runs many at once: what it reads a
  // second time stays in the L2 only if what all of them read in between fits. Lines that the block was the
  // first to bring, by how many such it had touched before.
  std::vector<uint32_t> together_;
  std::unordered_map<uint64_t, uint32_t> own_;
  uint32_t own_touched_ = 0;
  AtomicQueues queues_;  ///< of the launch
  // Halves of lines that DRAM was asked for last, by their lowest bits, and in which turn of the replay: who
  // comes to them while they are on their way waits until they are there (`crowd` of
  // tests/microbench/shares.cu), and where many SMs come, DRAM answers sooner than one of them alone
  // (tests/microbench/trips.cu).
  struct Asked {
    uint64_t half_line = ~uint64_t(0);
    uint64_t turn = 0;
    uint32_t group = 0;
  };
  static constexpr size_t kAsked = size_t(1) << 13;
  std::vector<Asked> asked_ = std::vector<Asked>(kAsked);
  // Lines that a half of the L2 has asked the other for last, likewise: who comes to them in the same turn
  // waits as long as who asked.
  struct Crossing {
    uint64_t line = ~uint64_t(0);
    uint64_t turn = 0;
    int side = 0;
  };
  std::vector<Crossing> crossings_ = std::vector<Crossing>(kAsked);
  bool crosses(uint64_t line, int side, bool far);
  struct Group {          ///< blocks that wait for one answer of DRAM's
    uint64_t blocks = 0;  ///< a bit for each 64th
    uint32_t first = 0;   ///< who asked
    uint32_t sectors = 0;
  };
  std::vector<Group> groups_;
  std::vector<std::pair<uint32_t, uint32_t>> followers_;  ///< group, block
  std::vector<std::pair<LineHits*, uint32_t>>
      questions_;                 ///< hits that say how many their group is, once all have come
  void share_out(size_t blocks);  ///< after a replay of so many
  uint64_t turn_ = 0;
  // Loads that are on their way to the L2, by line and GPC: as many as the device joins are one request
  // (tests/microbench/joined.cu).
  struct OnItsWay {
    uint64_t line = ~uint64_t(0);
    uint64_t turn = 0;
    int gpc = 0, askers = 0;
    uint8_t sectors = 0;
  };
  static constexpr size_t kOnTheirWay = size_t(1) << 14;
  std::vector<OnItsWay> on_their_way_;
  const int gpcs_, first_gpc_, joined_;
  int active_ = 0;  ///< SMs that the launch has blocks on
  int gpc_of(int sm) const;
  /// Of the sectors that an SM loads, those that none of its GPC has just asked for.
  uint8_t not_joined(uint64_t line, uint8_t sectors, int gpc);
  /// In which order the accesses of a block reach the caches. The machine runs one warp after another as far
  /// as the next barrier; a GPU's warps go side by side, and each finds what its neighbours have brought.
  /// Returns how many warps go side by side.
  size_t line_up(std::span<const LineAccess>, std::vector<uint32_t>& order);
  std::vector<Walk> walks_;
  std::vector<std::pair<uint32_t, uint32_t>>
      runs_;  ///< of each warp between two barriers: its next access, and the end
};

}  // namespace dojo::simt
