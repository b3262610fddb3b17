#include "simt/state/frames.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>

namespace dojo::simt {

constexpr size_t slab = size_t(8) << 20, most_spare = 32;
static std::mutex spare_lock;
static std::vector<Pages> spare_slabs;

void keep_frame_memory(Exec& x) {
  std::lock_guard guard(spare_lock);
  for (Pages& p : x.slabs)
    if (p && p.get_deleter().bytes == slab && spare_slabs.size() < most_spare)
      spare_slabs.push_back(std::move(p));
  x.slabs.clear();
  x.slab_at = nullptr;
  x.slab_left = 0;
}

/// A slab of an earlier launch if one is spare, else a new one. Its bytes are not zeroed: new_frame() does
/// that.
static Pages new_slab(size_t bytes) {
  if (bytes == slab) {
    std::lock_guard guard(spare_lock);
    if (!spare_slabs.empty()) {
      Pages p = std::move(spare_slabs.back());
      spare_slabs.pop_back();
      return p;
    }
  }
  return zeroed_pages(bytes);
}

/// From slabs: kernels whose blocks all start at once have thousands of frames, large ones when compiled
/// without optimising. A frame is never given back to them, only to its pool.
static std::byte* frame_memory(Exec& x, size_t bytes) {
  if (x.slab_left < bytes) {
    x.slabs.push_back(new_slab(std::max(slab, bytes)));
    if (!x.slabs.back()) throw std::bad_alloc();
    x.slab_at = x.slabs.back().get();
    x.slab_left = std::max(slab, bytes);
  }
  std::byte* p = x.slab_at;
  x.slab_at += bytes, x.slab_left -= bytes;
  return p;
}

Frame* new_frame(Exec& x, const Code& code) {
  auto& pool = x.frame_pool[&code];
  Frame* f;
  if (!pool.empty()) {
    f = pool.back();
    pool.pop_back();
  } else {
    x.frames.push_back(std::make_unique<Frame>());
    f = x.frames.back().get();
    f->code = &code;
    const size_t bytes = (size_t(code.frame_bytes) + 63) & ~size_t(63);
    f->r = frame_memory(x, bytes);
    std::memset(f->r, 0, bytes);
    const int n = code.host ? 1 : 32;
    for (const Code::Const& c : code.consts)
      for (int l = 0; l < n; ++l) {
        if (c.wide || code.host)
          std::memcpy(f->r + c.offset + l * 8, &c.value, 8);
        else
          std::memcpy(f->r + c.offset + l * 4, &c.value, 4);
      }
  }
  const size_t lanes = code.host ? 1 : 32;
  for (uint32_t o : code.zero32) std::memset(f->r + o, 0, code.host ? 8 : lanes * 4);
  for (uint32_t o : code.zero64) std::memset(f->r + o, 0, code.host ? 16 : lanes * 8);
  for (uint32_t o : code.zero1) std::memset(f->r + o, 0, 4);
  for (const Code::Unset& u : code.unset) {
    const uint64_t value = unset_value(u.bits);
    const size_t bytes = u.bits >= 64 ? 8 : 4;
    for (size_t l = 0; l < (u.bits == 128 ? 2 : 1) * lanes; ++l)
      std::memcpy(f->r + u.offset + l * bytes, &value, bytes);
  }
  f->parent = nullptr;
  f->call = nullptr;
  f->conv = -1;
  f->local_base = 0;
  f->alloca_bytes = 0;
  f->lanes = 0;
  return f;
}

void drop_frame(Exec& x, Frame* f) { x.frame_pool[f->code].push_back(f); }

void copy_lanes(const Frame& from, const Frame& to, uint32_t lanes) {
  const ptx::Function& fn = *from.code->fn;
  auto mask = [&](uint32_t at) {
    uint32_t a, b;
    std::memcpy(&a, from.r + at, 4);
    std::memcpy(&b, to.r + at, 4);
    b = (b & ~lanes) | (a & lanes);
    std::memcpy(to.r + at, &b, 4);
  };
  auto columns = [&](uint32_t at, uint32_t stride) {
    DOJO_FOR_LANES(l, lanes) std::memcpy(to.r + at + l * stride, from.r + at + l * stride, stride);
  };
  uint32_t at = 2 * 256;
  mask(at);
  at += 64;
  for (size_t i = 0; i < fn.registers.size(); ++i) {
    const int n = ptx::bits(fn.registers[i].type);
    if (n == 1) {
      mask(at);
      at += 4;
      if (i + 1 == fn.registers.size() || ptx::bits(fn.registers[i + 1].type) != 1) at = (at + 63) & ~63u;
    } else if (n >= 64) {
      columns(at, 8);
      if (n == 128) columns(at + 256, 8);
      at += n == 128 ? 512 : 256;
    } else {
      columns(at, 4);
      at += 128;
    }
  }
  auto round16 = [](uint64_t n) { return uint32_t((n + 15) & ~uint64_t(15)); };
  uint64_t result_bytes = 0;
  for (const ptx::Variable& v : fn.returns) result_bytes = std::max(result_bytes, v.offset + v.bytes);
  at = (at + 63) & ~63u;
  for (uint32_t stride :
       {fn.kernel ? 0u : round16(fn.param_bytes), round16(result_bytes), round16(fn.call_bytes)}) {
    if (stride) columns(at, stride);
    at += stride * 32;
  }
}

}  // namespace dojo::simt
