// Race, host and device: host code prepares the next input while the kernel may still read the last one.
#include <cstdio>

__global__ void sum(const int* x, int n, int* total) {
  for (int i = threadIdx.x; i < n; i += 32) atomicAdd(total, x[i]);
}

int main() {
  const int n = 100;
  int *x, *total;
  cudaMallocManaged(&x, n * sizeof(int));
  cudaMallocManaged(&total, sizeof(int));
  *total = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < n; ++i) x[i] = round + i;  // expect: race // fix: for (int i = 0; i < n; ++i) x[i] = round + i;
    sum<<<1, 32>>>(x, n, total);
    // fix: cudaDeviceSynchronize();
  }
  cudaDeviceSynchronize();
  printf("%d\n", *total);
  cudaFree(x);
  cudaFree(total);
}
