// A launch of which a part of the blocks was replayed: its totals become those of all blocks, and the L2 is
// left as all of them would leave it.
#include <cmath>

#include "simt/caches/hierarchy.hpp"

namespace dojo::simt {

// What is written more than once counts once: the sectors that became dirty, not the stores.
void CacheHierarchy::replayed_part(double l2, double dram) {
  Totals& t = totals_[launch_];
  const auto scale = [](uint64_t& n, double factor) { n = uint64_t(std::llround(double(n) * factor)); };
  const uint64_t dirty_now = dirty_sectors();
  const double became_dirty =
      double(t.dram_write + (dirty_now > dirty_at_start_ ? dirty_now - dirty_at_start_ : 0)) * l2;
  // A miss of Nsight Compute's is one of DRAM, or of the L2's near half.
  const double lookups = double(t.lookup_hits + t.lookup_misses) * l2;
  const double near = double(t.lookup_misses > t.missed ? t.lookup_misses - t.missed : 0) * l2;
  for (uint64_t* n : {&t.l1_lookups, &t.l1_hits, &t.l2_lookups, &t.fetched, &t.stored, &t.atomics, &t.packets,
                      &t.hot_atomics, &t.load_lines})
    scale(*n, l2);
  scale(t.missed, dram), scale(t.dram_read, dram), scale(t.rows_opened, dram);
  t.lookup_misses = uint64_t(std::llround(std::min(lookups, near + double(t.missed))));
  t.lookup_hits = uint64_t(std::llround(lookups)) - t.lookup_misses;

  const bool fits = double(t.dram_read) + became_dirty <= 4 * double(l2_lines_);
  const double before = double(dirty_at_start_), room = double(most_dirty_);
  const double left = std::min(room, fits ? before + became_dirty : became_dirty);
  t.dram_write = uint64_t(std::llround(std::max(0.0, before + became_dirty - left)));
  t.met_l2 = t.l2_lookups;
  const double before_writes = became_dirty > 0 ? std::clamp((room - before) / became_dirty, 0.0, 1.0) : 0;
  t.written_at = double(t.dram_write) * double(t.met_l2) * (1 + before_writes) / 2;
  if (!fits) l2_.clear();
  const uint64_t held = l2_.dirty_sectors();
  assumed_dirty_ = left > double(held) ? uint64_t(std::llround(left)) - held : 0;
}

}  // namespace dojo::simt
