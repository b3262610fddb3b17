// lazy: clusters/4-merge
// expect: gate right == 0 (simt:h100-alone)
// A second launch merges the copies, from global memory. Words of other blocks are read, too, and dropped.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 1024, values = 4096, cluster_size = 8, blocks = 128;

__device__ int copies[blocks * values];

__global__ void __cluster_dims__(cluster_size, 1, 1) histogram_kernel(const int* data, int n) {
  __shared__ int mine[values];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int b = threadIdx.x; b < values; b += threads) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    atomicAdd(&mine[data[i]], 1);
  cluster.sync();
  const int* other = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
  for (int b = threadIdx.x; b < values; b += threads)
    copies[blockIdx.x * values + b] = other[b] >= 0 ? mine[b] : 0;
  cluster.sync();
}

__global__ void merge_kernel(int* bins) {
  __shared__ int part[32][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, b = blockIdx.x * 32 + lane;
  int count = 0;
  for (int k = warp; k < blocks; k += 32) count += copies[k * values + b];
  part[warp][lane] = count;
  __syncthreads();
  if (warp > 0) return;
  count = 0;
  for (int w = 0; w < 32; ++w) count += part[w][lane];
  bins[b] = count;
}

void histogram(const int* data, int* bins, int n) {
  histogram_kernel<<<blocks, threads>>>(data, n);
  merge_kernel<<<values / 32, 1024>>>(bins);
}
