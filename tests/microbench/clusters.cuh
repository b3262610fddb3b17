// The kernels of clusters.cu, so that the SIMT machine's time model can run the same ones (tests/simt/timing_clusters.cpp).
#pragma once
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int words = 8192;  // of each block's shared memory
__device__ long long cycles[1024];

/// `rounds` barriers, of the cluster or of the block alone.
template <bool whole> __device__ void barriers(int rounds) {
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  const long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    if (whole) cluster.sync();
    else __syncthreads();
  }
  if (threadIdx.x == 0) cycles[blockIdx.x] = (clock64() - start) / rounds;
  cluster.sync();
}

/// One lane follows a chain of indices through the shared memory of the block `distance` ranks on.
__global__ void chase(int distance, int rounds) {
  __shared__ int next[words];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < words; i += blockDim.x) next[i] = (i + 33) % words;
  cluster.sync();
  if (threadIdx.x == 0) {
    const int* remote = cluster.map_shared_rank(next, (cluster.block_rank() + distance) % cluster.num_blocks());
    int at = blockIdx.x % words;
    const long long start = clock64();
    for (int i = 0; i < rounds; ++i) at = remote[at];
    const long long stop = clock64();
    cycles[blockIdx.x] = (stop - start) / rounds + (at == -1);
  }
  cluster.sync();
}

enum class Does { load, store, add_spread, add_one };

/// All warps load, store or add to the next block's words; T is what a lane moves. Lanes are `stride` words apart.
template <Does does, class T> __device__ void stream(int distance, int rounds, int stride) {
  __shared__ T data[words * 4 / sizeof(T)];
  const int count = words * 4 / sizeof(T);
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < count; i += blockDim.x) data[i] = T{};
  cluster.sync();
  T* remote = cluster.map_shared_rank(data, (cluster.block_rank() + distance) % cluster.num_blocks());
  int sum = 0;
  const long long start = clock64();
#pragma unroll 8
  for (int i = 0; i < rounds; ++i) {
    const int at = (i * int(blockDim.x) + int(threadIdx.x) * stride) % count;
    if constexpr (does == Does::load) {
      const T v = remote[at];
      sum += *reinterpret_cast<const int*>(&v);
    } else if constexpr (does == Does::store) {
      remote[at] = T{};
    } else {
      atomicAdd(reinterpret_cast<int*>(remote) + (does == Does::add_one ? i % 8 : at), 1);
    }
  }
  if (sum == 12345) data[0] = T{};
  cluster.sync();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - start;
  cluster.sync();
}

__global__ void cluster_barriers(int rounds) { barriers<true>(rounds); }
__global__ void block_barriers(int rounds) { barriers<false>(rounds); }
__global__ void load_4(int distance, int rounds, int stride) { stream<Does::load, int>(distance, rounds, stride); }
__global__ void load_16(int distance, int rounds, int stride) { stream<Does::load, int4>(distance, rounds, stride); }
__global__ void store_4(int distance, int rounds, int stride) { stream<Does::store, int>(distance, rounds, stride); }
__global__ void store_16(int distance, int rounds, int stride) { stream<Does::store, int4>(distance, rounds, stride); }
__global__ void add_4(int distance, int rounds, int stride) { stream<Does::add_spread, int>(distance, rounds, stride); }
__global__ void add_one_4(int distance, int rounds, int stride) { stream<Does::add_one, int>(distance, rounds, stride); }
