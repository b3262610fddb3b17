// unconventional: clusters/5-distributed
// Bins lie interleaved over clusters of 8 blocks of 512 threads: value v is in rank v % 8.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 512, ranks = 8;

__global__ void __cluster_dims__(ranks, 1, 1)
    count(const int* data, int* bins, int n, int values) {
  extern __shared__ int part[];
  const cg::cluster_group cluster = cg::this_cluster();
  const int places = (values + ranks - 1) / ranks, rank = cluster.block_rank();
  for (int p = threadIdx.x; p < places; p += threads) part[p] = 0;
  cluster.sync();
  const int all = gridDim.x * threads;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += all)
    atomicAdd(&cluster.map_shared_rank(part, data[i] % ranks)[data[i] / ranks], 1);
  cluster.sync();
  for (int p = threadIdx.x; p < places; p += threads) {
    const int value = p * ranks + rank;
    if (value < values && part[p] > 0) atomicAdd(bins + value, part[p]);
  }
}

void histogram(const int* data, int* bins, int n, int values) {
  cudaMemset(bins, 0, values * sizeof(int));
  if (n == 0) return;
  const int bytes = (values + ranks - 1) / ranks * 4;
  cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  count<<<128, threads, bytes>>>(data, bins, n, values);
}
