// lazy: softmax/4-block-shared
// expect: gate global_load_sectors * 32 <= 1.02 * 2 * d
// Three passes over global memory by 512 threads. Nothing lies in shared memory.
#include <cuda_fp16.h>

constexpr int threads = 512;

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
  m = warp_max(words[lane % 16]);  // 1024 threads: as many warps as lanes
  __syncthreads();

  float s = 0.0f;
  for (int c = threadIdx.x; c < cols; c += threads) s += __expf(__half2float(in[c]) - m);
  s = warp_sum(s);
  if (lane == 0) words[warp] = s;
  __syncthreads();
  s = warp_sum(lane < 16 ? words[lane] : 0.0f);

  float scale = 1.0f / s;
  for (int c = threadIdx.x; c < cols; c += threads)
    out[c] = __float2half(__expf(__half2float(in[c]) - m) * scale);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<rows, threads>>>(x, y, cols);
}
