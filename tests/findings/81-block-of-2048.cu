// Launch limit: a block of 2048 threads never starts, and no call asks for the error.
#include <cstdio>

__global__ void fill(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
  const int n = 4096;
  int *x, h = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemset(x, 0, n * sizeof(int));
  fill<<<2, n / 2>>>(x);  // expect: launch_error // fix: fill<<<8, n / 8>>>(x);
  cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(x);
}
