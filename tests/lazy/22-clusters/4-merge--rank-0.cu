// lazy: clusters/4-merge
// expect: gate time_us <= 1.4 * reference(self)
// Rank 0 merges all 4096 bins by itself, while the other blocks wait.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 1024, cluster_size = 8, values = 4096;

__global__ void __cluster_dims__(cluster_size, 1, 1)
    histogram_kernel(const int* data, int* bins, int n) {
  __shared__ int mine[values];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int b = threadIdx.x; b < values; b += threads) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    atomicAdd(&mine[data[i]], 1);
  cluster.sync();  // all copies of the cluster are complete
  for (int b = threadIdx.x; cluster.block_rank() == 0 && b < values; b += threads) {
    int count = 0;
    for (int r = 0; r < cluster_size; ++r) count += cluster.map_shared_rank(mine, r)[b];
    if (count != 0) atomicAdd(&bins[b], count);
  }
  cluster.sync();  // no block ends while others read its copy
}

void histogram(const int* data, int* bins, int n) {
  cudaMemset(bins, 0, values * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<16 * cluster_size, threads>>>(data, bins, n);
}
