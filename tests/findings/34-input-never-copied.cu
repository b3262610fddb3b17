// Uninitialised, global: one of the two inputs was never copied to the device.
#include <cstdio>
#include <vector>

__global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];  // expect: uninitialized // fix: if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 500;
  std::vector<float> hx(n, 1.0f), hy(n, 2.0f);
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(x, hx.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  // fix: cudaMemcpy(y, hy.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  saxpy<<<2, 256>>>(3.0f, x, y, n);
  cudaMemcpy(hy.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", hy[0]);
  cudaFree(x);
  cudaFree(y);
}
