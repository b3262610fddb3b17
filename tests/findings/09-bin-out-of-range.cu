// Bounds, global: the largest value falls into a bin that does not exist.
#include <cstdio>
#include <vector>

constexpr int bins = 10;

__global__ void histogram(const float* x, int n, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int bin = int(x[i] * bins);  // 1.0 gives bin 10 // fix: int bin = min(int(x[i] * bins), bins - 1);
  atomicAdd(&count[bin], 1);  // expect: out_of_bounds // fix: atomicAdd(&count[bin], 1);
}

int main() {
  const int n = 1001;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = i / 1000.0f;
  float* x;
  int *count, result[bins];
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&count, bins * sizeof(int));
  cudaMemcpy(x, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(count, 0, bins * sizeof(int));
  histogram<<<(n + 127) / 128, 128>>>(x, n, count);
  cudaMemcpy(result, count, sizeof result, cudaMemcpyDeviceToHost);
  printf("%d\n", result[bins - 1]);
  cudaFree(x);
  cudaFree(count);
}
