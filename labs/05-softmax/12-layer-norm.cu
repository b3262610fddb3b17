// Layer norm with one block per row.
// Bound by DRAM, then by latency: the row is read three times, 4 bytes per lane.
#include <cuda_runtime.h>

constexpr int threads = 256;

__device__ float block_sum(float v, float* words) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  __syncthreads();  // words may still be read by other warps
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = v;
  __syncthreads();
  v = words[threadIdx.x % (threads / 32)];
  for (int d = threads / 64; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

// TODO: 16-byte loads and stores (float4), and the row in registers: four float4 per thread cover
// 4096 columns.
__global__ void layer_norm_kernel(const float* x, const float* gamma, const float* beta, float* y,
                                  int cols, float eps) {
  __shared__ float words[threads / 32];
  const float* in = x + size_t(blockIdx.x) * cols;
  float* out = y + size_t(blockIdx.x) * cols;

  float sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += threads) sum += in[c];
  float mean = block_sum(sum, words) / cols;

  float squares = 0.0f;
  for (int c = threadIdx.x; c < cols; c += threads) squares += (in[c] - mean) * (in[c] - mean);
  float scale = rsqrtf(block_sum(squares, words) / cols + eps);

  for (int c = threadIdx.x; c < cols; c += threads)
    out[c] = (in[c] - mean) * scale * gamma[c] + beta[c];
}

void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols,
                float eps) {
  if (rows == 0 || cols == 0) return;
  layer_norm_kernel<<<rows, threads>>>(x, gamma, beta, y, cols, eps);
}
