// Loads and stores of parameters: a kernel's, and a function's in the frame.
#include "simt/ops/memory_moves.hpp"

namespace dojo::simt {
namespace {

using namespace moves;

/// A kernel's parameter at a fixed offset: the same for all lanes.
template <int W>
const Inst* load_kernel_param(const Inst* p, Exec& x) {
  const auto& params = x.grid->node->spec.params;
  for (uint32_t k = 0; k < p->count; ++k) {
    uint64_t v = 0;
    if (p->imm <= params.size() && (k + 1) * W <= params.size() - p->imm)
      std::memcpy(&v, params.data() + p->imm + k * W, W);
    if (p->flags & flag::sign) v = uint64_t(int64_t(v << (64 - 8 * W)) >> (64 - 8 * W));
    const uint32_t slot = p->count == 1 ? p->d : slots(p, x)[k];
    if (p->wide & 2) {
      u64a* d = x.slot<u64a>(slot);
      if (!x.partial)
        for (int i = 0; i < 32; ++i) d[i] = v;
      else
        DOJO_FOR_LANES(l, x.mask) d[l] = v;
    } else {
      u32a* d = x.slot<u32a>(slot);
      if (!x.partial)
        for (int i = 0; i < 32; ++i) d[i] = uint32_t(v);
      else
        DOJO_FOR_LANES(l, x.mask) d[l] = uint32_t(v);
    }
  }
  return p + 1;
}
/// A function's parameter, result or call-site parameter: bytes of the frame. b: offset, c: stride.
template <int W, bool Store>
const Inst* frame_param(const Inst* p, Exec& x) {
  DOJO_FOR_LANES(l, x.mask) lane_by_lane<W, Store>(x, p, l, x.r + p->b + l * p->c);
  return p + 1;
}

}  // namespace

Handler kernel_param_handler(int w) {
  return moves::by_width(w, []<int W>() -> Handler { return load_kernel_param<W>; });
}
Handler frame_param_handler(int w, bool store) {
  return moves::by_width(
      w, [&]<int W>() -> Handler { return store ? frame_param<W, true> : frame_param<W, false>; });
}

}  // namespace dojo::simt
