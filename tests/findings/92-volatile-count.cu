// Race, global, volatile: all threads count up a volatile word; volatile neither orders nor makes one step of two.
#include <cstdio>

__global__ void count(volatile int* n) {
  *n = *n + 1;  // expect: race // fix: atomicAdd((int*)n, 1);
}

int main() {
  int *n, h;
  cudaMalloc(&n, sizeof(int));
  cudaMemset(n, 0, sizeof(int));
  count<<<2, 256>>>(n);
  cudaMemcpy(&h, n, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(n);
}
