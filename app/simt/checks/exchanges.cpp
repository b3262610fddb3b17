#include "simt/checks/exchanges.hpp"

#include <algorithm>

#include "simt/checks/shadow.hpp"

namespace dojo::simt {

void count_exchanged(Exec& x, const Inst* p, const Span& span, uint32_t bytes) {
  const Block& b = *x.block;
  const SharedShadow& s = b.shadow;
  const uint32_t first = b.first_stamp << 10, warp = x.warp->index * 32;
  uint64_t exchanged = 0;
  DOJO_FOR_LANES(l, span.mask) {
    const uint64_t at = span.at(l);
    if (at + bytes > b.shared_bytes) continue;  // a finding, or another block's memory
    const uint64_t begin = at / s.grain, end = (at + bytes - 1) / s.grain;
    for (uint64_t g = begin; g <= end; ++g) {
      const uint32_t tag = s.write[g];
      if (tag >= first && (tag & 1023) != warp + l) exchanged += std::min(s.grain, bytes);
    }
  }
  x.access[p->access].exchanged_bytes += exchanged;
}

}  // namespace dojo::simt
