// wrong: softmax/6-packs
// mistake: A load of one half per lane brings 64 bytes. A pack of eight brings 512 with one instruction.
// expect: gate_failed
// Softmax with one warp per row and the row in registers: no shared memory, no barrier. Up to 1024
// columns. Bound by DRAM once rows are long enough; the 2-byte loads still cost many instructions.
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
    v[i] = __expf(v[i] - m);  // exp(-inf) = 0: lanes past the end add nothing
    s += lane + 32 * i < cols ? v[i] : 0.0f;
  }
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);

#pragma unroll
  for (int i = 0; i < per_lane; ++i)
    if (lane + 32 * i < cols) out[lane + 32 * i] = __float2half(v[i] / s);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<(rows + warps - 1) / warps, warps * 32>>>(x, y, rows, cols);
}
