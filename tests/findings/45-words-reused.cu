// Race, shared: a block-wide sum is called twice, and the second call writes words that the first is still read from.
#include <cstdio>
#include <vector>

__device__ float block_sum(float v) {
  __shared__ float s[8];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  // fix: __syncthreads();
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;  // expect: race // fix: if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += s[k];  // other side
  return sum;
}

__global__ void normalise(float* x, int n) {
  float v = x[blockIdx.x * n + threadIdx.x];
  float mean = block_sum(v) / n;
  float variance = block_sum((v - mean) * (v - mean)) / n;
  x[blockIdx.x * n + threadIdx.x] = (v - mean) * rsqrtf(variance + 1e-5f);
}

int main() {
  const int n = 256;
  std::vector<float> h(2 * n);
  for (int i = 0; i < 2 * n; ++i) h[i] = float(i % 13);
  float* x;
  cudaMalloc(&x, 2 * n * sizeof(float));
  cudaMemcpy(x, h.data(), 2 * n * sizeof(float), cudaMemcpyHostToDevice);
  normalise<<<2, n>>>(x, n);
  cudaMemcpy(h.data(), x, 2 * n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(x);
}
