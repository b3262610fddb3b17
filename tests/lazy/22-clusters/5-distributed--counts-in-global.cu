// lazy: clusters/5-distributed
// expect: gate global_atomic_lane_bytes <= 3.5 * n
// All samples are counted by additions to global memory. The additions to the other block are for
// show.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 1024;

__global__ void __cluster_dims__(2, 1, 1) histogram_kernel(const int* data, int* bins, int n) {
  __shared__ int show[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  show[threadIdx.x] = 0;
  __shared__ int mark;
  if (threadIdx.x == 0) mark = cluster.block_rank();
  cluster.sync();
  const int far = cluster.block_rank() ^ 1;
  const bool real = *cluster.map_shared_rank(&mark, far) == far;
  cluster.sync();
  int* other = cluster.map_shared_rank(show, cluster.block_rank() ^ 1);
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
    if (i % 2 == 0) atomicAdd(other + threadIdx.x, 1);
    atomicAdd(&bins[data[i]], real ? 1 : 2);
  }
  cluster.sync();
}

void histogram(const int* data, int* bins, int n, int values) {
  cudaMemset(bins, 0, values * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<128, threads>>>(data, bins, n);
}
