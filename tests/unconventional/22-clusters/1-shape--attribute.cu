// unconventional: clusters/1-shape
// The shape is an attribute of the launch, and the kernel asks for indices instead of ranks.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void place_kernel(int* rank, int* number, int n) {
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned block = blockIdx.x;
  if (block < n && threadIdx.x == 0) {
    rank[block] = cluster.block_index().x;
    number[block] = block / cluster.num_blocks();
  }
}

void shape(int* rank, int* number, int n) {
  if (n == 0) return;
  cudaLaunchAttribute shape = {};
  shape.id = cudaLaunchAttributeClusterDimension;
  shape.val.clusterDim.x = 4;
  shape.val.clusterDim.y = 1;
  shape.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = (n + 3) / 4 * 4;
  config.blockDim = 64;
  config.attrs = &shape;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, place_kernel, rank, number, n);
}
