// Race, host and device: host code reads managed memory while the kernel that writes it may still run.
#include <cstdio>

__global__ void squares(int* x) { x[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
  int* x;
  cudaMallocManaged(&x, 64 * sizeof(int));
  squares<<<1, 64>>>(x);
  // fix: cudaDeviceSynchronize();
  printf("%d\n", x[8]);  // expect: race // fix: printf("%d\n", x[8]);
  cudaDeviceSynchronize();
  cudaFree(x);
}
