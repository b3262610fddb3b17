// Histogram with per-block copies in shared memory.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void histogram(const unsigned char* data, int n, unsigned* bins) {
  __shared__ unsigned local[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

int main() {
  srand(7);
  const int n = 20000;
  std::vector<unsigned char> h(n);
  std::generate(h.begin(), h.end(), [] { return (unsigned char)(rand() % 256); });
  unsigned char* d;
  unsigned *bins, got[256], expected[256] = {};
  cudaMalloc(&d, n);
  cudaMalloc(&bins, sizeof got);
  cudaMemset(bins, 0, sizeof got);
  cudaMemcpy(d, h.data(), n, cudaMemcpyHostToDevice);
  histogram<<<8, 128>>>(d, n, bins);
  cudaMemcpy(got, bins, sizeof got, cudaMemcpyDeviceToHost);
  for (unsigned char c : h) expected[c]++;
  printf("%s, %ld values\n", std::equal(got, got + 256, expected) ? "equal" : "different", (long)h.size());
  cudaFree(d);
  cudaFree(bins);
}
