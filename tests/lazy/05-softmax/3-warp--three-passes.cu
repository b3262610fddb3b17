// lazy: softmax/3-warp
// expect: gate global_load_sectors * 32 <= 1.05 * 2 * d
// Each warp reads its row three times from global memory.
#include <cuda_fp16.h>
constexpr int warps = 8;
template <class F>
__device__ void each(const half* in, int cols, int lane, F f) {
  if (cols % 2 == 0) {
#pragma unroll 16
    for (int c = lane; c < cols / 2; c += 32) {
      const float2 v = __half22float2(reinterpret_cast<const half2*>(in)[c]);
      f(2 * c, v.x);
      f(2 * c + 1, v.y);
    }
  } else
    for (int c = lane; c < cols; c += 32) f(c, __half2float(in[c]));
}
__global__ void softmax_kernel(const half* x, half* y, int rows, int cols) {
  int row = blockIdx.x * warps + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const half* in = x + size_t(row) * cols;
  half* out = y + size_t(row) * cols;
  float m = -INFINITY;
  each(in, cols, lane, [&](int, float v) { m = fmaxf(m, v); });
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
  float s = 0.0f;
  each(in, cols, lane, [&](int, float v) { s += __expf(v - m); });
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
  float scale = 1.0f / s;
  if (cols % 2 == 0) {
#pragma unroll 16
    for (int c = lane; c < cols / 2; c += 32) {
      const float2 v = __half22float2(reinterpret_cast<const half2*>(in)[c]);
      reinterpret_cast<half2*>(out)[c] =
          __floats2half2_rn(__expf(v.x - m) * scale, __expf(v.y - m) * scale);
    }
  } else
    for (int c = lane; c < cols; c += 32)
      out[c] = __float2half(__expf(__half2float(in[c]) - m) * scale);
}
void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<(rows + warps - 1) / warps, warps * 32>>>(x, y, rows, cols);
}
