// Uninitialised, shared: eight warps leave eight sums, and the first warp reads 32.
// Compute Sanitizer: not found
#include <cstdio>
#include <vector>

__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

__global__ void block_sum(const float* in, float* out) {
  __shared__ float sums[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float v = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (lane == 0) sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = sums[lane];  // expect: uninitialized // fix: v = lane < blockDim.x / 32 ? sums[lane] : 0.0f;
    v = warp_sum(v);
    if (lane == 0) out[blockIdx.x] = v;
  }
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
