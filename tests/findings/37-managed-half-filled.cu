// Uninitialised, managed: host code fills only half of what the kernel reads.
#include <cstdio>

__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;  // expect: uninitialized // fix: if (i < n) x[i] *= 2.0f;
}

int main() {
  const int n = 512;
  float* x;
  cudaMallocManaged(&x, n * sizeof(float));
  for (int i = 0; i < n / 2; ++i) x[i] = i;  // fix: for (int i = 0; i < n; ++i) x[i] = i;
  scale<<<2, 256>>>(x, n);
  cudaDeviceSynchronize();
  printf("%g\n", x[10]);
  cudaFree(x);
}
