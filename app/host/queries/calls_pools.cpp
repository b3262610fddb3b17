// The memory pool of cudaMallocAsync: what it holds, and its attributes. A pool takes memory from the device
// in pieces of 32 MiB, as an H200's does (CUDA 13.0, driver 580), and gives back what is above its threshold.
#include <driver_types.h>

#include <algorithm>

#include "core/collections/rounding.hpp"
#include "host/runtime.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

constexpr uint64_t pool_piece = uint64_t(32) << 20;

uint64_t pool_setting(const Runtime::Pool& p, int attribute) {
  const auto at = p.settings.find(attribute);
  if (at != p.settings.end()) return at->second;
  return attribute == cudaMemPoolAttrReleaseThreshold ? 0 : 1;
}

bool is_count(int attribute) {
  return attribute >= cudaMemPoolAttrReservedMemCurrent && attribute <= cudaMemPoolAttrUsedMemHigh;
}
bool is_reuse(int attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

void get_pool_attribute(Call& c) {
  const Runtime::Pool& p = c.rt.pool;
  const int attribute = c.i32(1);
  if (is_reuse(attribute)) {
    c.store<int32_t>(c.ptr(2), int32_t(pool_setting(p, attribute)));
  } else if (attribute == cudaMemPoolAttrReleaseThreshold) {
    c.store<uint64_t>(c.ptr(2), pool_setting(p, attribute));
  } else if (is_count(attribute)) {
    const uint64_t counts[] = {p.reserved, p.most_reserved, p.used, p.most_used};
    c.store<uint64_t>(c.ptr(2), counts[attribute - cudaMemPoolAttrReservedMemCurrent]);
  } else {
    return c.status(invalid_value);
  }
  c.status(0);
}

/// Of the counts, only the highest can be set, and only to 0: they start again at what there is.
void set_pool_attribute(Call& c) {
  Runtime::Pool& p = c.rt.pool;
  const int attribute = c.i32(1);
  if (is_reuse(attribute)) {
    p.settings[attribute] = c.load<int32_t>(c.ptr(2)) != 0;
  } else if (attribute == cudaMemPoolAttrReleaseThreshold) {
    p.settings[attribute] = c.load<uint64_t>(c.ptr(2));
  } else if (attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh) {
    if (c.load<uint64_t>(c.ptr(2)) != 0) return c.status(invalid_value);
    (attribute == cudaMemPoolAttrUsedMemHigh ? p.most_used : p.most_reserved) =
        attribute == cudaMemPoolAttrUsedMemHigh ? p.used : p.reserved;
  } else {
    return c.status(invalid_value);
  }
  c.status(0);
}

/// cudaMemPoolTrimTo: gives back what is free above so many bytes.
void trim_pool(Call& c) {
  Runtime::Pool& p = c.rt.pool;
  p.reserved = std::min(p.reserved, round_up(std::max(p.used, c.ptr(1)), pool_piece));
  c.status(0);
}

const Entry pool_entries[] = {
    {"cudaMemPoolGetAttribute", get_pool_attribute},
    {"cudaMemPoolSetAttribute", set_pool_attribute},
    {"cudaMemPoolTrimTo", trim_pool},
};

}  // namespace

std::span<const Entry> pool_calls() { return pool_entries; }

void note_pool_allocation(Runtime& rt, uint64_t address, uint64_t bytes) {
  Runtime::Pool& p = rt.pool;
  if (!address || !p.live.emplace(address, bytes).second) return;
  p.used += bytes;
  p.reserved = std::max(p.reserved, round_up(p.used, pool_piece));
  p.most_used = std::max(p.most_used, p.used);
  p.most_reserved = std::max(p.most_reserved, p.reserved);
}

void note_pool_release(Runtime& rt, uint64_t address) {
  Runtime::Pool& p = rt.pool;
  const auto at = p.live.find(address);
  if (at == p.live.end()) return;
  p.used -= at->second;
  p.live.erase(at);
  const uint64_t kept =
      std::max(p.used, std::min(p.reserved, pool_setting(p, cudaMemPoolAttrReleaseThreshold)));
  p.reserved = std::min(p.reserved, round_up(kept, pool_piece));
}

}  // namespace dojo::host
