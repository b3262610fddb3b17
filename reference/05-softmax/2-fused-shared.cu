// Softmax in one launch: a block takes a row, keeps it in shared memory, and passes over it three
// times there.
// Bound by instruction issue, nearly as much by DRAM, which sees each row once in and once out.
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
  extern __shared__ float row[];  // cols floats
  __shared__ float words[threads / 32];
  const half* in = x + size_t(blockIdx.x) * cols;
  half* out = y + size_t(blockIdx.x) * cols;

  float m = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += threads) {
    row[c] = __half2float(in[c]);
    m = fmaxf(m, row[c]);
  }
  m = block_max(m, words);

  float s = 0.0f;
  for (int c = threadIdx.x; c < cols; c += threads) {
    row[c] = __expf(row[c] - m);  // the same thread wrote this word: no barrier between
    s += row[c];
  }
  s = block_sum(s, words);

  for (int c = threadIdx.x; c < cols; c += threads) out[c] = __float2half(row[c] / s);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  int bytes = cols * int(sizeof(float));
  cudaFuncSetAttribute(softmax_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  softmax_kernel<<<rows, threads, bytes>>>(x, y, cols);
}
