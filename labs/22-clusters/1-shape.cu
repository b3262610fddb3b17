// Where each block stands: its rank in its cluster, and the cluster's number.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 32, cluster_size = 4;

// TODO: launch the kernel in clusters of 4 blocks. Now each block is a cluster of its own.
__global__ void shape_kernel(int* rank, int* number, int n) {
  const cg::cluster_group cluster = cg::this_cluster();
  if (blockIdx.x >= n || threadIdx.x != 0) return;
  rank[blockIdx.x] = cluster.block_rank();
  number[blockIdx.x] = cg::this_grid().cluster_rank();
}

void shape(int* rank, int* number, int n) {
  if (n == 0) return;
  shape_kernel<<<n, threads>>>(rank, number, n);
}
