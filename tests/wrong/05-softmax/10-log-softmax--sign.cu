// wrong: softmax/10-log-softmax
// mistake: x - m - log(s), with both minus signs.
// expect: wrong
// Logarithm of the softmax: x - max - log(sum). One warp per row, the row in registers, up to 1024
// columns. Bound by DRAM. Taking the log of a finished softmax would lose every result below the
// smallest half.
#include <cuda_fp16.h>

constexpr int warps = 4;      // rows per block
constexpr int per_lane = 32;  // 32 lanes x 32 values: 1024 columns

__global__ void softmax_kernel(const half* x, half* y, int rows, int cols) {
  int row = blockIdx.x * warps + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;  // the whole warp: no lane is missing in the shuffles
  const half* in = x + size_t(row) * cols;
  half* out = y + size_t(row) * cols;

  float v[per_lane];  // indexed by constants only once unrolled, so it lives in registers
  float m = -INFINITY;
#pragma unroll
  for (int i = 0; i < per_lane; ++i) {
    int c = lane + 32 * i;
    v[i] = c < cols ? __half2float(in[c]) : -INFINITY;
    m = fmaxf(m, v[i]);
  }
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));

  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < per_lane; ++i) {
    s += lane + 32 * i < cols ? __expf(v[i] - m) : 0.0f;
  }
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);

  float shift = m - __logf(s);
#pragma unroll
  for (int i = 0; i < per_lane; ++i)
    if (lane + 32 * i < cols) out[lane + 32 * i] = __float2half(v[i] - shift);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<(rows + warps - 1) / warps, warps * 32>>>(x, y, rows, cols);
}
