// Where the bytes behind an address are: in shared memory of this block or of another of its cluster, in a
// lane's local memory, among the kernel's parameters, or in device memory.
#include <algorithm>

#include "core/bytes.hpp"
#include "simt/state/access.hpp"

namespace dojo::simt {

std::byte* shared_bytes(Exec& x, uint64_t low, uint64_t high) {
  Block& b = *x.block;
  if (high <= b.shared_bytes && low <= high) [[likely]]
    return b.shared.data() + low;
  if (low >= window::reserved && low <= high && high <= window::reserved + window::reserved_bytes) {
    b.reserved.resize(window::reserved_bytes);
    return b.reserved.data() + (low - window::reserved);
  }
  // shared::cluster: (rank + 1) << cta_shift | offset.
  const uint64_t rank = cta_of(low);
  if (rank && b.cluster && rank <= b.cluster->blocks.size()) {
    Block* other = b.cluster->blocks[rank - 1];
    const uint64_t offset = offset_in_cta(low);
    if (other && offset + (high - low) <= other->shared_bytes) return other->shared.data() + offset;
  } else if (rank == 1 && !b.cluster) {
    const uint64_t offset = offset_in_cta(low);
    if (offset + (high - low) <= b.shared_bytes) return b.shared.data() + offset;
  }
  return nullptr;
}

std::byte* local_bytes(Exec& x, uint32_t lane, uint64_t offset, uint32_t bytes) {
  Warp& w = *x.warp;
  const uint64_t end =
      x.frame->alloca_bytes ? x.frame->local_end() : x.frame->local_base + x.frame->code->fn->local_bytes;
  if (offset > end || bytes > end - offset) return nullptr;
  if (w.local_stride < end) {
    // Grow: lanes keep their bytes. An odd number of 64-byte lines: lanes that use one index, as of an array
    // of 32 KiB, must not all fall into one set of this computer's caches.
    const uint32_t stride =
        uint32_t(((std::max<uint64_t>(end, 2 * uint64_t(w.local_stride)) + 63) & ~uint64_t(63)) | 64);
    std::vector<std::byte> bigger(size_t(stride) * 32);
    std::vector<uint8_t> init(size_t(stride) * 32);
    for (uint32_t l = 0; l < 32 && w.local_stride; ++l) {
      copy_bytes(bigger.data() + size_t(l) * stride, w.local.data() + size_t(l) * w.local_stride,
                 w.local_stride);
      copy_bytes(init.data() + size_t(l) * stride, w.local_init.data() + size_t(l) * w.local_stride,
                 w.local_stride);
    }
    w.local = std::move(bigger);
    w.local_init = std::move(init);
    w.local_stride = stride;
  }
  return w.local.data() + size_t(lane) * w.local_stride + offset;
}

std::byte* lane_bytes(Exec& x, uint32_t lane, uint64_t address, size_t n) {
  if (!x.host) {
    if (window::in(address, window::shared))
      return shared_bytes(x, address - window::shared, address - window::shared + n);
    if (window::in(address, window::local)) return local_bytes(x, lane, address - window::local, uint32_t(n));
    if (window::in(address, window::param)) {
      auto& params = x.grid->node->spec.params;
      uint64_t o = address - window::param;
      return o + n <= params.size() ? const_cast<std::byte*>(params.data()) + o : nullptr;
    }
  }
  return x.memory->at(address, n);
}
std::string lane_string(Exec& x, uint32_t lane, uint64_t address, uint64_t most) {
  std::string s;
  most = std::min<uint64_t>(most, 4096);
  for (; s.size() < most; ++address) {
    std::byte* b = lane_bytes(x, lane, address, 1);
    if (!b || *b == std::byte(0)) break;
    s += char(*b);
  }
  return s;
}

}  // namespace dojo::simt
