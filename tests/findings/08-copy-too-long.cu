// Bounds, host: cudaMemcpy is told a size that the host array does not have.
#include <cstdio>
#include <cstdlib>

__global__ void twice(float* x, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] *= 2;
}

int main() {
  const int n = 100;
  float* h = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; ++i) h[i] = i;
  float* d;
  cudaMalloc(&d, 128 * sizeof(float));
  cudaMemset(d, 0, 128 * sizeof(float));
  cudaMemcpy(d, h, 128 * sizeof(float), cudaMemcpyHostToDevice);  // expect: out_of_bounds // fix: cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<1, 128>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[n - 1]);
  cudaFree(d);
  free(h);
}
