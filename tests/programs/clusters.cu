// Blocks of a cluster read and write each other's shared memory, their own by its cluster address included.
// Clusters that do not fit are refused.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sums(int* out) {
  __shared__ int mine[64], pushed[16];
  const cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = 1 + cluster.block_rank();
  cluster.sync();
  int sum = 0;
  for (unsigned r = 0; r < cluster.num_blocks(); ++r) sum += cluster.map_shared_rank(mine, r)[threadIdx.x];
  if (threadIdx.x == 0) cluster.map_shared_rank(pushed, 0)[cluster.block_rank()] = sum;
  cluster.sync();
  if (threadIdx.x == 0 && cluster.block_rank() == 0) {
    int all = 0;
    for (unsigned r = 0; r < cluster.num_blocks(); ++r) all += pushed[r];
    out[cg::this_grid().cluster_rank()] = all;
  }
}

cudaError_t launch(int blocks, int cluster_size, int* out) {
  cudaLaunchAttribute shape = {};
  shape.id = cudaLaunchAttributeClusterDimension;
  shape.val.clusterDim.x = cluster_size;
  shape.val.clusterDim.y = 1;
  shape.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = 64;
  config.attrs = &shape;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, sums, out);
  return cudaGetLastError();
}

void report(int blocks, int cluster_size, int* out) {
  const cudaError_t e = launch(blocks, cluster_size, out);
  int h = 0;
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d blocks in clusters of %d: %s, %d\n", blocks, cluster_size, cudaGetErrorName(e), h);
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(out, 0, 64 * sizeof(int));
  report(48, 8, out);
  report(48, 3, out);
  report(47, 3, out);
  report(4, 8, out);
  report(48, 16, out);
  cudaFuncSetAttribute(sums, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  report(48, 16, out);
  report(64, 32, out);
  cudaFree(out);
  return 0;
}
