// Race, global: every block adds its sum to one word with +=.
// Compute Sanitizer: not found
#include <cstdio>
#include <vector>

__global__ void sum(const float* in, float* total, int n) {
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x == 0) *total += v;  // expect: race // fix: if (threadIdx.x == 0) atomicAdd(total, v);
}

int main() {
  const int n = 2048;
  std::vector<float> h(n, 1.0f);
  float *in, *total, r;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(float));
  sum<<<8, 32>>>(in, total, n);
  cudaMemcpy(&r, total, sizeof r, cudaMemcpyDeviceToHost);
  printf("%g\n", r);
  cudaFree(in);
  cudaFree(total);
}
