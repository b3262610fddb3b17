// Race, global, initialisation: the first block clears the sum that all blocks add to.
#include <cstdio>

__global__ void total(int* sum) {
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicExch(sum, 0);  // other side // fix:
  atomicAdd(sum, 1);                                            // expect: race // fix: atomicAdd(sum, 1);
}

int main() {
  int *sum, h;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  total<<<4, 64>>>(sum);
  cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(sum);
}
