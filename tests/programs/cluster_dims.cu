// A kernel whose clusters have a fixed shape, and a struct of parameters that it searches in a loop.
#include <cooperative_groups.h>

#include <cstdio>
namespace cg = cooperative_groups;

struct Table {
  int key[4], value[4];
};

__global__ void __cluster_dims__(2, 1, 1) ranks(Table table, int* out) {
  int i = 0;
  while (table.key[i] != int(blockIdx.x) && i < 3) ++i;
  const unsigned rank = cg::this_cluster().block_rank(), blocks = cg::this_cluster().num_blocks();
  if (threadIdx.x == 0) out[blockIdx.x] = 100 * table.value[i] + 10 * int(blocks) + int(rank);
}

int main() {
  int *device, host[4];
  cudaMalloc(&device, sizeof host);
  ranks<<<4, 32>>>(Table{{3, 2, 1, 0}, {6, 7, 8, 9}}, device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int v : host) printf("%d\n", v);
  cudaFree(device);
}
