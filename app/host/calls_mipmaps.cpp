// Mipmapped arrays: arrays of falling extents, each half of the one before it (a part of a texel is left
// out).
#include <driver_types.h>

#include <algorithm>
#include <bit>

#include "host/arrays.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

constexpr uint64_t mipmap_base = 0x400000;  // handles: far below any address (Graphs has those before it)

std::vector<uint64_t>* mipmap_of(Call& c, uint64_t handle) {
  const auto found = c.rt.arrays().mipmaps.find(handle);
  if (found != c.rt.arrays().mipmaps.end()) return &found->second;
  refuse_array(c, invalid_resource_handle,
               "this handle is no mipmapped array, or it was freed. cudaMallocMipmappedArray makes them");
  return nullptr;
}

/// Parameters: where to store the handle, format, extents, number of levels, flags.
void make_mipmap(Call& c) {
  const auto e = c.arg<cudaExtent>(2);
  const auto flags = c.arg<uint32_t>(4);
  const bool slices = flags & (cudaArrayLayered | cudaArrayCubemap);  // which all levels have
  if (c.rt.device().texture_driver())
    return refuse_array(c, not_supported, "mipmapped arrays exist on the SIMT machine only");
  const uint64_t most = std::bit_width(std::max({e.width, e.height, slices ? 0 : e.depth}));
  const uint64_t count = std::clamp<uint64_t>(c.arg<uint32_t>(3), 1, std::max<uint64_t>(most, 1));
  std::vector<uint64_t> levels;
  for (uint64_t k = 0; k < count; ++k) {
    const auto half = [&](uint64_t n) { return n ? std::max<uint64_t>(n >> k, 1) : 0; };
    ArraySpec s;
    s.width = half(e.width), s.height = half(e.height), s.depth = slices ? e.depth : half(e.depth);
    uint64_t handle = 0;
    if (!new_array(c, c.ptr(1), s, flags, &handle)) {
      for (uint64_t level : levels) free_array(c, level);
      return;
    }
    levels.push_back(handle);
  }
  const uint64_t handle = mipmap_base + c.rt.arrays().mipmaps_made++;
  c.rt.arrays().mipmaps[handle] = std::move(levels);
  c.store<uint64_t>(c.ptr(0), handle);
  c.status(0);
}

void level_of_mipmap(Call& c) {
  const std::vector<uint64_t>* levels = mipmap_of(c, c.ptr(1));
  if (!levels) return;
  const auto k = c.arg<uint32_t>(2);
  if (k >= levels->size())
    return refuse_array(c, invalid_value,
                        "there is no level " + std::to_string(k) + ": the array has " +
                            std::to_string(levels->size()) + ", counted from 0");
  c.store<uint64_t>(c.ptr(0), (*levels)[k]);
  c.status(0);
}

void free_mipmap(Call& c) {
  if (!c.ptr(0)) return c.status(0);
  const std::vector<uint64_t>* levels = mipmap_of(c, c.ptr(0));
  if (!levels) return;
  CudaStatus all;
  for (uint64_t level : *levels)
    if (const CudaStatus s = free_array(c, level); !s.ok()) all = s;
  c.rt.arrays().mipmaps.erase(c.ptr(0));
  c.status(all);
}

const Entry mipmap_entries[] = {
    {"cudaMallocMipmappedArray", make_mipmap},
    {"cudaGetMipmappedArrayLevel", level_of_mipmap},
    {"cudaFreeMipmappedArray", free_mipmap},
};

}  // namespace

std::span<const Entry> mipmap_calls() { return mipmap_entries; }

}  // namespace dojo::host
