// Race, shared, one warp: the last warp relies on its lanes running in step, as before Volta.
#include <cstdio>
#include <vector>

__device__ void last_warp(volatile float* s, int t) {
  for (int d = 32; d > 0; d /= 2) {
    float v = s[t] + s[t + d];  // fix: float v = s[t] + s[t + d];
    // fix: __syncwarp();
    s[t] = v;  // expect: race // fix: s[t] = v;
    // fix: __syncwarp();
  }
}

__global__ void block_sum(const float* in, float* out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 128; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) last_warp(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  const int n = 512;
  std::vector<float> h(n, 1.0f);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, 2 * sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  block_sum<<<2, 256>>>(in, out);
  cudaMemcpy(h.data(), out, 2 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
