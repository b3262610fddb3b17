#pragma once
// A block's way through its accesses during a replay (hierarchy.hpp).
#include <span>
#include <vector>

#include "simt/caches/hierarchy.hpp"

namespace dojo::simt {

struct CacheHierarchy::Walk {
  static constexpr uint32_t no_group = ~0u;
  std::span<const LineAccess> log;
  std::vector<uint32_t> order;  ///< into `log`
  BlockSummary* summary = nullptr;
  std::vector<LineHits>* hits = nullptr;  ///< by access; null: not wanted
  SectoredCache* l1 = nullptr;
  int side = 0;               ///< the half of the L2 that its SM asks
  int gpc = 0;                ///< of its SM
  uint64_t together = 1;      ///< blocks that run beside it and whose accesses are not replayed beside these
  uint32_t number = 0;        ///< of the block in this replay
  uint32_t group = no_group;  ///< that it waited with last
  double dram_share = 0;      ///< of the sectors that DRAM was read for
  size_t next = 0;            ///< place in `order`
  size_t per_step = 1;        ///< accesses per step of the replay
  Totals sum;
};

}  // namespace dojo::simt
