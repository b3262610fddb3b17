// Race, global, scope: every block adds to one word by atomicAdd_block, which is an atomic for one block only.
#include <cstdio>

__global__ void total(int* sum) {
  atomicAdd_block(sum, 1);  // expect: race // fix: atomicAdd(sum, 1);
}

int main() {
  int *sum, h;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  total<<<8, 64>>>(sum);
  cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(sum);
}
