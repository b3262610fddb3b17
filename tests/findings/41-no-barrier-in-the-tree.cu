// Race, shared: the rounds of a tree reduction follow each other without a barrier.
#include <cstdio>
#include <vector>

__global__ void block_sum(const float* in, float* out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];  // expect: race // fix: if (t < d) s[t] += s[t + d];
    // fix: __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  const int n = 1024;
  std::vector<float> h(n, 1.0f);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, 4 * sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  block_sum<<<4, 256>>>(in, out);
  cudaMemcpy(h.data(), out, 4 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
