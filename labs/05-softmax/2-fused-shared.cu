// Softmax in one launch: a block takes a row. The five loops of the step before, with y as
// scratch memory.
// Bound by memory: the row goes through y three times.
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
  __shared__ float words[threads / 32];
  const half* in = x + size_t(blockIdx.x) * cols;
  half* out = y + size_t(blockIdx.x) * cols;

  // TODO: keep the row in shared memory (extern __shared__ float row[], cols floats, given at the
  // launch). Read global memory in the first loop only, and write it in the last only.
  float m = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += threads) m = fmaxf(m, __half2float(in[c]));
  m = block_max(m, words);

  for (int c = threadIdx.x; c < cols; c += threads) out[c] = __float2half(__half2float(in[c]) - m);
  for (int c = threadIdx.x; c < cols; c += threads)
    out[c] = __float2half(__expf(__half2float(out[c])));

  float s = 0.0f;
  for (int c = threadIdx.x; c < cols; c += threads) s += __half2float(out[c]);
  s = block_sum(s, words);

  for (int c = threadIdx.x; c < cols; c += threads) out[c] = __float2half(__half2float(out[c]) / s);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<rows, threads>>>(x, y, cols);
}
