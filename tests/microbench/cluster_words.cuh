// The kernels of cluster_words.cu: accesses to words all over a cluster's shared memory, and float additions to one word.
#pragma once
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int words = 8192;  // of each block's shared memory
__device__ long long cycles[1024];

enum class Does { load, store, add };

/// Each lane accesses a word of its own choice, of the block `distance` ranks on, or of any block for distance -1.
template <Does does> __device__ void scatter(int distance, int rounds) {
  __shared__ int data[words];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned blocks = cluster.num_blocks(), next = (cluster.block_rank() + distance) % blocks;
  for (int i = threadIdx.x; i < words; i += blockDim.x) data[i] = 0;
  cluster.sync();
  unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u;
  int sum = 0;
  const long long start = clock64();
#pragma unroll 4
  for (int i = 0; i < rounds; ++i) {
    at = at * 1664525u + 1013904223u;
    int* word = cluster.map_shared_rank(data, distance < 0 ? (at >> 10) % blocks : next) + (at >> 16) % words;
    if constexpr (does == Does::load) sum += *word;
    if constexpr (does == Does::store) *word = i;
    if constexpr (does == Does::add) atomicAdd(word, 1);
  }
  if (sum == 12345) data[0] = 0;
  cluster.sync();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - start;
  cluster.sync();
}

__global__ void scatter_loads(int distance, int rounds) { scatter<Does::load>(distance, rounds); }
__global__ void scatter_stores(int distance, int rounds) { scatter<Does::store>(distance, rounds); }
__global__ void scatter_adds(int distance, int rounds) { scatter<Does::add>(distance, rounds); }

/// The first `adders` warps of each block add to one word of rank 0, or of their own block for remote = 0; T is float or int.
template <class T> __device__ void add_to_one(int adders, int remote, int rounds) {
  __shared__ T total;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) total = 0;
  cluster.sync();
  T* word = cluster.map_shared_rank(&total, remote ? 0 : cluster.block_rank());
  const long long start = clock64();
  if (threadIdx.x % 32 == 0 && int(threadIdx.x) / 32 < adders)
    for (int i = 0; i < rounds; ++i) atomicAdd(word, T(1));
  cluster.sync();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - start;
  cluster.sync();
}

__global__ void add_floats(int adders, int remote, int rounds) { add_to_one<float>(adders, remote, rounds); }
__global__ void add_ints(int adders, int remote, int rounds) { add_to_one<int>(adders, remote, rounds); }

/// Keeps its place for `busy` cycles; says on which SM.
__global__ void keep_place(int* sm, int busy) {
  extern __shared__ int room[];
  const long long start = clock64();
  if (threadIdx.x == 0) {
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    sm[blockIdx.x] = id;
    room[0] = id;
  }
  while (clock64() - start < busy) {}
}
