// lazy: clusters/4-merge
// expect: gate cluster_lane_bytes >= 4096 * blocks
// Rank 0 counts the samples of all eight blocks. All map memory, but each its own.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int threads = 1024, values = 4096;
__global__ void __cluster_dims__(8, 1, 1) histogram_kernel(const int* data, int* bins, int n) {
  __shared__ int own[values];
  const cg::cluster_group cluster = cg::this_cluster();
  int* const mine = cluster.map_shared_rank(own, cluster.block_rank());
  for (int b = threadIdx.x; b < values; b += threads) mine[b] = 0;
  __syncthreads();
  if (cluster.block_rank() != 0) return;
  for (int i = blockIdx.x / 8 * threads + threadIdx.x; i < n; i += gridDim.x / 8 * threads)
    atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < values; b += threads)
    if (mine[b] != 0) atomicAdd(&bins[b], mine[b]);
}
void histogram(const int* data, int* bins, int n) {
  cudaMemset(bins, 0, values * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<128, threads>>>(data, bins, n);
}
