// The memory pool of cudaMallocAsync: what it holds, and its attributes. A pool takes memory from the device
// in pieces of 32 MiB, as an H200's does (CUDA 13.0, driver 580), and gives back what is above its threshold.
#include <driver_types.h>

#include <algorithm>

#include "core/collections/rounding.hpp"
#include "host/runtime.hpp"
#include "host/state/memory_pool.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

constexpr uint64_t pool_piece = uint64_t(32) << 20;

bool is_count(int attribute) {
  return attribute >= cudaMemPoolAttrReservedMemCurrent && attribute <= cudaMemPoolAttrUsedMemHigh;
}
bool is_reuse(int attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

void get_pool_attribute(Call& c) {
  const MemoryPool& p = c.rt.memory_pool();
  const int attribute = c.i32(1);
  if (is_reuse(attribute)) {
    c.store<int32_t>(c.ptr(2), int32_t(p.setting(attribute)));
  } else if (attribute == cudaMemPoolAttrReleaseThreshold) {
    c.store<uint64_t>(c.ptr(2), p.setting(attribute));
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
  MemoryPool& p = c.rt.memory_pool();
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
  MemoryPool& p = c.rt.memory_pool();
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

uint64_t MemoryPool::setting(int attribute) const {
  const auto at = settings.find(attribute);
  if (at != settings.end()) return at->second;
  return attribute == cudaMemPoolAttrReleaseThreshold ? 0 : 1;
}

void MemoryPool::note_allocation(uint64_t address, uint64_t bytes) {
  if (!address || !live.emplace(address, bytes).second) return;
  used += bytes;
  reserved = std::max(reserved, round_up(used, pool_piece));
  most_used = std::max(most_used, used);
  most_reserved = std::max(most_reserved, reserved);
}

void MemoryPool::note_release(uint64_t address) {
  const auto at = live.find(address);
  if (at == live.end()) return;
  used -= at->second;
  live.erase(at);
  const uint64_t kept = std::max(used, std::min(reserved, setting(cudaMemPoolAttrReleaseThreshold)));
  reserved = std::min(reserved, round_up(kept, pool_piece));
}

}  // namespace dojo::host
