// lazy: clusters/1-shape
// expect: gate blocks <= n + 3
// Four blocks per piece of work: always a multiple of the cluster, and mostly idle.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) shape_kernel(int* rank, int* number, int n) {
  const cg::cluster_group cluster = cg::this_cluster();
  if (blockIdx.x >= n || threadIdx.x != 0) return;
  rank[blockIdx.x] = cluster.block_rank();
  number[blockIdx.x] = cg::this_grid().cluster_rank();
}

void shape(int* rank, int* number, int n) {
  if (n == 0) return;
  shape_kernel<<<4 * n, 32>>>(rank, number, n);
}
