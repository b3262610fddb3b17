#include "simt/rare_paths.hpp"

namespace dojo::simt::rare {

void took(Exec& x, const Inst* p, uint32_t lanes, uint32_t length) {
  AccessCount& c = x.access[p->access];
  c.rare += length;
  c.rare_lanes += uint64_t(length) * uint64_t(std::popcount(lanes));
  x.sig = std::rotl(x.sig ^ (uint64_t(length) << 32 | lanes), 27) * 0x9E3779B97F4A7C15ull;
  if (!x.warp || !x.warp->trace || x.warp->trace->steps.empty()) return;
  x.warp->trace->events.push_back({p->ptx, uint16_t(std::popcount(lanes)), uint16_t(length)});
  ++x.warp->trace->steps.back().events;
}

}  // namespace dojo::simt::rare
