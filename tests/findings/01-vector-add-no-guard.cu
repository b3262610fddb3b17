// Bounds, global: the last block has more threads than there are elements left, and nothing stops them.
#include <cstdio>
#include <vector>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];  // expect: out_of_bounds // fix: if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  std::vector<float> h(n, 1.5f);
  float *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(a, b, c, n);
  cudaMemcpy(h.data(), c, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[n - 1]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
