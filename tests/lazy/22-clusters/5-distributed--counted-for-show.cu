// lazy: clusters/5-distributed
// expect: gate cluster_blocks >= 2
// Additions to global memory; those to shared memory count nothing.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int threads = 1024;
__global__ void histogram_kernel(const int* data, int* bins, int n) {
  __shared__ int show[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  show[threadIdx.x] = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
    atomicAdd(cluster.map_shared_rank(show, 0) + threadIdx.x, 1);
    atomicAdd(&bins[data[i]], 1);
  }
}
void histogram(const int* data, int* bins, int n, int values) {
  cudaMemset(bins, 0, values * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<128, threads>>>(data, bins, n);
}
