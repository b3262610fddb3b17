// Race, cluster: each block stores into its neighbour's shared memory, and no barrier says that it has started.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap_sums(int* out) {
  __shared__ int sum;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned other = cluster.block_rank() ^ 1;
  __syncthreads();  // fix: cluster.sync();
  if (threadIdx.x == 0) *cluster.map_shared_rank(&sum, other) = 10 + int(blockIdx.x);  // expect: race // fix: if (threadIdx.x == 0) *cluster.map_shared_rank(&sum, other) = 10 + int(blockIdx.x);
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
  int *out, h[2];
  cudaMalloc(&out, sizeof h);
  swap_sums<<<2, 64>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[1]);
  cudaFree(out);
}
