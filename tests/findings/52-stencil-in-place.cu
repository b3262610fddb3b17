// Race, global: a stencil writes into the array that its neighbours read.
#include <cstdio>
#include <vector>

__global__ void smooth(const float* from, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1) return;
  float sum = from[i - 1] + from[i] + from[i + 1];
  to[i] = sum / 3.0f;  // expect: race // fix: to[i] = sum / 3.0f;
}

int main() {
  const int n = 1024;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = float(i % 10);
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(x, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(y, 0, n * sizeof(float));
  smooth<<<8, 128>>>(x, x, n);  // fix: smooth<<<8, 128>>>(x, y, n);
  cudaMemcpy(h.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[5]);
  cudaFree(x);
  cudaFree(y);
}
