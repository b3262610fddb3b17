// Race, cluster, scope: four blocks of a cluster add to one word by atomicAdd_block, an atomic for one block only.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) count(int* out) {
  __shared__ int sum;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  atomicAdd_block(cluster.map_shared_rank(&sum, 0), 1);  // expect: race // fix: atomicAdd(cluster.map_shared_rank(&sum, 0), 1);
  cluster.sync();
  if (threadIdx.x == 0 && cluster.block_rank() == 0) *out = sum;
}

int main() {
  int *out, h;
  cudaMalloc(&out, sizeof h);
  count<<<4, 32>>>(out);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(out);
}
