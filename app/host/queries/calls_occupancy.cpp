// The occupancy API: how many blocks and clusters of a kernel are resident. What it answers where no launch
// is possible is what an H200 answered on 2026-11-29 (CUDA 13.0, driver 580).
#include <driver_types.h>

#include <algorithm>

#include "host/runtime.hpp"
#include "host/state/launches.hpp"
#include "simt/launch_cluster.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

constexpr int invalid_cluster = cudaErrorInvalidClusterSize;
/// cudaOccupancyDefault and cudaOccupancyDisableCachingOverride, which changes nothing since compute
/// capability 5.2.
constexpr unsigned most_flags = cudaOccupancyDisableCachingOverride;

/// Dynamic shared memory that a block of the kernel may have.
int most_dynamic_smem(Call& c, const ptx::Function& kernel) {
  const auto& limits = c.rt.launches().dynamic_smem_limit;
  if (const auto limit = limits.find(kernel.name); limit != limits.end()) return limit->second;
  return std::max(
      0, c.rt.device().info().smem_per_block - c.rt.device().kernel_resources(kernel.name).static_smem);
}

/// Blocks per SM; 0: no launch of this shape is possible.
int resident_blocks(Call& c, const ptx::Function& kernel, uint64_t threads, uint64_t dynamic_smem) {
  const bool allowed = int64_t(dynamic_smem) <= most_dynamic_smem(c, kernel) || dynamic_smem == 0;
  if (!allowed || threads > uint64_t(c.rt.device().info().threads_per_block)) return 0;
  return c.rt.device().max_active_blocks(kernel.name, uint32_t(threads), uint32_t(dynamic_smem));
}

void max_active_blocks(Call& c) {
  const ptx::Function* kernel = c.rt.kernel_at(c.ptr(1));
  if (!kernel) return c.status(invalid_device_function);
  if (c.i32(2) <= 0 || unsigned(c.i32(4)) > most_flags) return c.status(invalid_value);
  c.store<int32_t>(c.ptr(0), resident_blocks(c, *kernel, uint64_t(c.i32(2)), c.ptr(3)));
  c.status(0);
}

/// cudaOccupancyMaxPotentialBlockSize: of the block sizes with the most resident threads per SM, the largest.
void best_block_size(Call& c) {
  const ptx::Function* kernel = c.rt.kernel_at(c.ptr(2));
  if (!kernel) return c.status(invalid_device_function);
  if (unsigned(c.i32(5)) > most_flags) return c.status(invalid_value);
  const DeviceInfo& d = c.rt.device().info();
  int most = kernel->max_threads ? kernel->max_threads : d.threads_per_block;
  if (c.i32(4) > 0) most = std::min(most, c.i32(4));
  int best = 0, best_threads = 0, best_blocks = 0;
  for (int block = (most + 31) / 32 * 32; block > 0; block -= 32) {
    const int threads = std::min(block, most);
    const int blocks = resident_blocks(c, *kernel, uint64_t(threads), c.ptr(3));
    if (blocks * threads > best_threads) {
      best_threads = blocks * threads;
      best = threads;
      best_blocks = blocks;
    }
  }
  c.store<int32_t>(c.ptr(0), best_blocks * d.sms);
  c.store<int32_t>(c.ptr(1), best);
  c.status(0);
}

/// cudaOccupancyAvailableDynamicSMemPerBlock: the SM's shared memory divided among its blocks, minus what
/// each reserves and has statically, as far as so many blocks then are resident.
void available_smem(Call& c) {
  const ptx::Function* kernel = c.rt.kernel_at(c.ptr(1));
  if (!kernel) return c.status(invalid_device_function);
  const int blocks = c.i32(2), threads = c.i32(3);
  if (blocks <= 0 || threads <= 0 || resident_blocks(c, *kernel, uint64_t(threads), 0) < blocks)
    return c.status(invalid_value);
  const DeviceInfo& d = c.rt.device().info();
  constexpr int unit = 128;  // bytes that an SM allocates at once, from compute capability 8.0 on
  int bytes = d.smem_per_sm / blocks / unit * unit - d.smem_reserved -
              c.rt.device().kernel_resources(kernel->name).static_smem;
  bytes = std::clamp(bytes, 0, most_dynamic_smem(c, *kernel));
  while (bytes > 0 && resident_blocks(c, *kernel, uint64_t(threads), uint64_t(bytes)) < blocks)
    bytes = std::max(0, bytes - unit);
  c.store<uint64_t>(c.ptr(0), uint64_t(bytes));
  c.status(0);
}

/// The launch that a question about clusters is of; false: the call has failed.
bool cluster_launch(Call& c, const ptx::Function*& kernel, LaunchSpec* s, bool* has_cluster) {
  const auto fails = [&](int code) {
    c.status(code);
    return false;
  };
  kernel = c.rt.kernel_at(c.ptr(1));
  if (!kernel) return fails(invalid_device_function);
  if (c.rt.device().info().cc_major < 9) return fails(not_supported);
  ConfigExtras extras;
  if (!read_config(c, c.ptr(2), s, &extras) || s->grid.count() == 0 || s->block.count() == 0)
    return fails(invalid_value);
  const bool fixed = kernel->cluster.count() > 0;
  if (s->cluster.count() == 0 || (fixed && s->cluster.count() > 1 && s->cluster != kernel->cluster))
    return fails(invalid_cluster);
  s->kernel = kernel->name;
  *has_cluster = fixed || extras.names_cluster;
  return true;
}

void max_active_clusters(Call& c) {
  const ptx::Function* kernel = nullptr;
  LaunchSpec s;
  bool has_cluster = false;
  if (!cluster_launch(c, kernel, &s, &has_cluster)) return;
  if (!cluster_fits(s.grid, simt::launch_cluster(*kernel, s), c.rt.launches().most_in_cluster(kernel->name)))
    return c.status(invalid_cluster);
  const bool within = !kernel->max_threads || s.block.count() <= uint64_t(kernel->max_threads);
  const int blocks = within && has_cluster ? resident_blocks(c, *kernel, s.block.count(), s.dynamic_smem) : 0;
  c.store<int32_t>(c.ptr(0), blocks ? c.rt.device().max_active_clusters(s) : 0);
  c.status(0);
}

/// Blocks of the largest cluster; the configuration's own does not count.
void max_cluster_size(Call& c) {
  const ptx::Function* kernel = nullptr;
  LaunchSpec s;
  bool has_cluster = false;
  if (!cluster_launch(c, kernel, &s, &has_cluster)) return;
  int size = 0;
  if (resident_blocks(c, *kernel, s.block.count(), s.dynamic_smem) > 0)
    for (size = int(c.rt.launches().most_in_cluster(kernel->name)); size > 1; size /= 2) {
      s.cluster = {uint32_t(size), 1, 1};
      if (c.rt.device().max_active_clusters(s) > 0) break;
    }
  c.store<int32_t>(c.ptr(0), size);
  c.status(0);
}

const Entry occupancy_entries[] = {
    {"__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor", max_active_blocks},
    {"__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", max_active_blocks},
    {"__dojo_OccupancyMaxPotentialBlockSize", best_block_size},
    {"__dojo_OccupancyAvailableDynamicSMem", available_smem},
    {"__dojo_OccupancyMaxActiveClusters", max_active_clusters},
    {"__dojo_OccupancyMaxPotentialClusterSize", max_cluster_size},
};

}  // namespace

std::span<const Entry> occupancy_calls() { return occupancy_entries; }

}  // namespace dojo::host
