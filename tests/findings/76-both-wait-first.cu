// Deadlock: two blocks exchange values, and each waits for the other before it sends.
#include <cstdio>

__device__ int flag[2], value[2];

__global__ void exchange(int* out) {
  int me = blockIdx.x, other = 1 - me;
  value[me] = 10 + me;
  // fix: __threadfence(); atomicExch(&flag[me], 1);
  while (atomicAdd(&flag[other], 0) == 0) {}  // expect: deadlock // fix: while (atomicAdd(&flag[other], 0) == 0) {}
  __threadfence();
  atomicExch(&flag[me], 1);
  out[me] = atomicAdd(&value[other], 0);
}

int main() {
  int *out, h[2];
  cudaMalloc(&out, sizeof h);
  exchange<<<2, 1>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[1]);
  cudaFree(out);
}
