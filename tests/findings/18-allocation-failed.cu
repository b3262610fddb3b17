// Bounds, null pointer: the allocation is larger than the GPU's memory, and no call looks at the error.
#include <cstdio>
#include <vector>

__global__ void fill(float* x, size_t n, float v) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) x[i] = v;  // expect: out_of_bounds // fix: if (i < n) x[i] = v;
}

int main() {
  const size_t n = 4096;
  float* x = nullptr;
  cudaMalloc(&x, n * n * n * sizeof(float));  // fix: cudaMalloc(&x, n * sizeof(float));
  fill<<<n / 256, 256>>>(x, n, 1.0f);
  float last = 0;
  cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  printf("%g\n", last);
  cudaFree(x);
}
