// unconventional: softmax/5-block-uncached
// Maximum and sum in one pass: two readings instead of three.
#include <cuda_fp16.h>

constexpr int threads = 1024;
constexpr int batch = 8;  // values per thread and round, all in flight together

// What was seen so far: the largest x, and the sum of exp(x - m).
struct Running {
  float m, s;
};

// exp(x - m); 0 while nothing but -inf was seen, where -inf - -inf would be NaN.
__device__ float relative_exp(float x, float m) { return __expf(x - (m == -INFINITY ? 0.0f : m)); }

__device__ Running join(Running a, Running b) {
  float m = fmaxf(a.m, b.m);
  return {m, a.s * relative_exp(a.m, m) + b.s * relative_exp(b.m, m)};
}

__device__ Running warp_join(Running r) {
  for (int d = 16; d > 0; d /= 2)
    r = join(r, {__shfl_xor_sync(0xffffffffu, r.m, d), __shfl_xor_sync(0xffffffffu, r.s, d)});
  return r;
}

__global__ void softmax_kernel(const half* x, half* y, int cols) {
  __shared__ Running words[threads / 32];
  const half* in = x + size_t(blockIdx.x) * cols;
  half* out = y + size_t(blockIdx.x) * cols;
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;

  Running r = {-INFINITY, 0.0f};
  for (int first = threadIdx.x; first < cols; first += threads * batch) {
    float v[batch];
#pragma unroll
    for (int i = 0; i < batch; ++i) v[i] = __half2float(in[min(first + threads * i, cols - 1)]);
    float m = r.m;
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      if (first + threads * i >= cols) v[i] = -INFINITY;
      m = fmaxf(m, v[i]);  // drops a NaN, which enters the sum below
    }
    r.s *= relative_exp(r.m, m);
#pragma unroll
    for (int i = 0; i < batch; ++i) r.s += relative_exp(v[i], m);
    r.m = m;
  }
  r = warp_join(r);
  if (lane == 0) words[warp] = r;
  __syncthreads();
  r = warp_join(words[lane]);  // 1024 threads: as many warps as lanes

  float scale = 1.0f / r.s;
#pragma unroll batch
  for (int c = threadIdx.x; c < cols; c += threads)
    out[c] = __float2half(__expf(__half2float(in[c]) - r.m) * scale);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<rows, threads>>>(x, y, cols);
}
