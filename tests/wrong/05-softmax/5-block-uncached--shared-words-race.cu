// wrong: softmax/5-block-uncached
// mistake: The sums overwrite the maxima while other warps still read them: a barrier belongs between.
// expect: finding race
// Softmax of rows of any length: three passes over global memory, nothing cached but the sums of
// the warps. Bound by L2 and DRAM: with 1024 threads per row few rows are in flight, so the second
// and third pass find the row in the L2.
#include <cuda_fp16.h>

constexpr int threads = 1024;

__device__ float warp_max(float v) {
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}

__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

__global__ void softmax_kernel(const half* x, half* y, int cols) {
  __shared__ float words[threads / 32];
  const half* in = x + size_t(blockIdx.x) * cols;
  half* out = y + size_t(blockIdx.x) * cols;
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;

  float m = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += threads) m = fmaxf(m, __half2float(in[c]));
  m = warp_max(m);
  if (lane == 0) words[warp] = m;
  __syncthreads();
  m = warp_max(words[lane]);  // 1024 threads: as many warps as lanes

  float s = 0.0f;
  for (int c = threadIdx.x; c < cols; c += threads) s += __expf(__half2float(in[c]) - m);
  s = warp_sum(s);
  if (lane == 0) words[warp] = s;
  __syncthreads();
  s = warp_sum(words[lane]);

  for (int c = threadIdx.x; c < cols; c += threads)
    out[c] = __float2half(__expf(__half2float(in[c]) - m) / s);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<rows, threads>>>(x, y, cols);
}
