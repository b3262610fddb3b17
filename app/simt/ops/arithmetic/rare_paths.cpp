#include "simt/ops/arithmetic/rare_paths.hpp"

namespace dojo::simt::rare {

Way Ways::total(const Mixing& m) const {
  Way sum;
  bool part[2] = {};
  for (int i = 0; i < count_; ++i) part[ways_[size_t(i)].part] = true;
  for (uint8_t p = 0; p < 2; ++p) {
    Way longest;
    int further = -1;
    for (int i = 0; i < count_; ++i) {
      const Way& w = ways_[size_t(i)];
      if (w.part != p) continue;
      ++further;
      longest.instructions = std::max(longest.instructions, w.instructions);
      longest.cycles = std::max(longest.cycles, w.cycles);
    }
    if (further < 0) continue;
    sum.instructions = uint16_t(sum.instructions + longest.instructions + further * m.further.instructions);
    sum.cycles = uint16_t(sum.cycles + longest.cycles + further * m.further.cycles);
  }
  if (part[0] && part[1]) sum.instructions -= m.shared.instructions, sum.cycles -= m.shared.cycles;
  if (common_ && count_) sum.instructions += m.common.instructions, sum.cycles += m.common.cycles;
  return sum;
}

void took(Exec& x, const Inst* p, uint32_t lanes, Way way) {
  AccessCount& c = x.access[p->access];
  c.rare += way.instructions;
  c.rare_lanes += uint64_t(way.instructions) * uint64_t(std::popcount(lanes));
  x.block->summary.rare += way.instructions;
  x.sig = fold(x.sig, uint64_t(way.instructions) << 32 | lanes);
  if (!x.warp || !x.warp->trace || x.warp->trace->steps.empty()) return;
  MemoryEvent e;
  e.inst = p->ptx;
  e.lanes = uint16_t(std::popcount(lanes));
  e.wavefronts = way.instructions;
  e.lsu_wavefronts = way.cycles;
  x.warp->trace->events.push_back(e);
  ++x.warp->trace->steps.back().events;
}

}  // namespace dojo::simt::rare
