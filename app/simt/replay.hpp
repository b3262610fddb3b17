#pragma once
// The contract between the machine and the caches: the machine hands over what its blocks asked of memory, in
// the order of the blocks; the caches say where each access was found. Neither knows more of the other.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "simt/trace.hpp"

namespace dojo::simt {

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
  /// `in_part`: not all of its blocks are replayed.
  virtual void select_launch(uint32_t launch, bool in_part = false) { (void)launch, (void)in_part; }
  /// How many blocks like this one should be replayed together: those that a GPU runs at once, 1 where their
  /// accesses are too many to be looked at side by side.
  virtual size_t side_by_side(std::span<const LineAccess>) { return 1; }
  /// Accounts the accesses of blocks that run at the same time. `all`: no others run beside them.
  virtual void replay(std::span<BlockAccesses>, bool all = false) = 0;
  /// Only a part of the launch's blocks was replayed, and no more will be. All of them are taken to ask the
  /// L2 for `l2` times as many sectors, and DRAM for `dram` times as many.
  virtual void replayed_part(double l2, double dram) { (void)l2, (void)dram; }
};

}  // namespace dojo::simt
