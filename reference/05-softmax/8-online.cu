// Softmax of rows of any length in two passes: maximum and sum together, then the results. Whenever
// a larger value turns up, the sum so far is scaled to it. Bound by L2 and DRAM: two readings of
// the row instead of three.
#include <cuda_fp16.h>

constexpr int threads = 1024;

// The sum of exp(x - m) over what was seen, and the largest x of it.
struct Running {
  float m, s;
};

__device__ Running join(Running a, Running b) {
  float m = fmaxf(a.m, b.m);
  if (m == -INFINITY) return {m, a.s + b.s};  // nothing but -inf so far: -inf - -inf would be NaN
  return {m, a.s * __expf(a.m - m) + b.s * __expf(b.m - m)};
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
  for (int c = threadIdx.x; c < cols; c += threads) {
    float v = __half2float(in[c]);
    r = join(
        r, {v, v == v ? 1.0f
                      : v});  // fmaxf drops a NaN: it goes into the sum, and from there everywhere
  }
  r = warp_join(r);
  if (lane == 0) words[warp] = r;
  __syncthreads();
  r = warp_join(words[lane]);

  for (int c = threadIdx.x; c < cols; c += threads)
    out[c] = __float2half(__expf(__half2float(in[c]) - r.m) / r.s);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<rows, threads>>>(x, y, cols);
}
