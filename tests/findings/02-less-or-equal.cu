// Bounds, global: the guard lets one thread too many through.
#include <cstdio>
#include <vector>

__global__ void square(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) {  // fix: if (i < n) {
    x[i] = x[i] * x[i];  // expect: out_of_bounds // fix: x[i] = x[i] * x[i];
  }
}

int main() {
  const int n = 500;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = float(i);
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemcpy(x, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  square<<<2, 256>>>(x, n);
  cudaMemcpy(h.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[2]);
  cudaFree(x);
}
