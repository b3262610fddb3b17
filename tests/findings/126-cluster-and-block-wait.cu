// Deadlock, cluster: one warp waits for the cluster, the others for that warp at a barrier of the block.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void __cluster_dims__(2, 1, 1) wait(int* out) {
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  if (threadIdx.x < 32) cluster.sync();  // expect: deadlock // fix: cluster.sync();
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = cluster.block_rank();
}

int main() {
  int *out, h[2];
  cudaMalloc(&out, sizeof h);
  wait<<<2, 64>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[1]);
  cudaFree(out);
}
