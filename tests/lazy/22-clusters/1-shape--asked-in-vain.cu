// lazy: clusters/1-shape
// expect: gate cluster_blocks == cluster_size
// The block asks for its rank, which is 0 without clusters, and adds it to numbers computed from
// blockIdx.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void shape_kernel(int* rank, int* number, int n) {
  const cg::cluster_group cluster = cg::this_cluster();
  if (blockIdx.x >= n || threadIdx.x != 0) return;
  rank[blockIdx.x] = blockIdx.x % 4 + cluster.block_rank();
  number[blockIdx.x] = blockIdx.x / 4;
}

void shape(int* rank, int* number, int n) {
  if (n == 0) return;
  shape_kernel<<<n, 32>>>(rank, number, n);
}
