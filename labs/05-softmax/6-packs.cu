// Softmax with one warp per row and the row in registers. Up to 1024 columns.
// Bound by its loads and stores: 2 bytes per lane, 64 per warp instruction.
#include <cuda_fp16.h>

constexpr int warps = 4;             // rows per block
constexpr int values_per_lane = 32;  // 32 lanes x 32 values: 1024 columns

// TODO: load and store eight halves at a time: a struct alignas(16) of four half2. The number of
// columns is a multiple of 8 in this step.
__global__ void softmax_kernel(const half* x, half* y, int rows, int cols) {
  int row = blockIdx.x * warps + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;  // the whole warp: no lane is missing in the shuffles
  const half* in = x + size_t(row) * cols;
  half* out = y + size_t(row) * cols;

  float v[values_per_lane];  // all indices are known once unrolled, so it lives in registers
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i) v[i] = __half2float(in[min(lane + 32 * i, cols - 1)]);

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
    if (lane + 32 * i < cols) out[lane + 32 * i] = __float2half(v[i] * scale);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<(rows + warps - 1) / warps, warps * 32>>>(x, y, rows, cols);
}
