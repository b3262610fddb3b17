// lazy: softmax/2-fused-shared
// expect: gate local_sectors == 0
// The row lies in local memory, by an index that runs.
#include <cuda_fp16.h>

constexpr int threads = 128;

// The largest value (or the sum) over the block, in every thread. `words` holds one word per warp.
__device__ float block_max(float v, float* words) {
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  __syncthreads();  // words may still be read by other warps
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = v;
  __syncthreads();
  v = words[0];
  for (int w = 1; w < threads / 32; ++w) v = fmaxf(v, words[w]);
  return v;
}

__device__ float block_sum(float v, float* words) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  __syncthreads();
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = v;
  __syncthreads();
  v = words[0];
  for (int w = 1; w < threads / 32; ++w) v += words[w];
  return v;
}

__global__ void softmax_kernel(const half* x, half* y, int cols) {
  float kept[32];
  float* row = kept;
  __shared__ float words[threads / 32];
  const half* in = x + size_t(blockIdx.x) * cols;
  half* out = y + size_t(blockIdx.x) * cols;

  float m = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += threads) {
    row[c / threads] = __half2float(in[c]);
    m = fmaxf(m, row[c / threads]);
  }
  m = block_max(m, words);

  float s = 0.0f;
  for (int c = threadIdx.x; c < cols; c += threads) {
    row[c / threads] =
        __expf(row[c / threads] - m);  // the same thread wrote this word: no barrier between
    s += row[c / threads];
  }
  s = block_sum(s, words);

  for (int c = threadIdx.x; c < cols; c += threads) out[c] = __float2half(row[c / threads] / s);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<rows, threads>>>(x, y, cols);
}
