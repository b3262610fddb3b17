// Cross entropy of rows of halves in two launches: the logarithm of the softmax, then the value at
// the label. Bound by DRAM: all logarithms are written, and one per row is read.
#include <cuda_fp16.h>

constexpr int warps = 4;             // rows per block
constexpr int values_per_lane = 32;  // 32 lanes x 32 values: 1024 columns

__global__ void log_softmax_kernel(const half* x, float* log_p, int rows, int cols) {
  int row = blockIdx.x * warps + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;  // the whole warp: no lane is missing in the shuffles
  const half* in = x + size_t(row) * cols;
  float* out = log_p + size_t(row) * cols;

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
  for (int i = 0; i < values_per_lane; ++i)
    s += lane + 32 * i < cols ? __expf(v[i] - m) : 0.0f;  // not kept: the result needs v itself
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);

  float shift = m + __logf(s);
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i)
    if (lane + 32 * i < cols) out[lane + 32 * i] = v[i] - shift;
}

__global__ void pick_kernel(const float* log_p, const int* label, float* loss, int rows,
                            int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) loss[row] = -log_p[size_t(row) * cols + label[row]];
}

// TODO: one launch, without log_p. What does the loss of a row need of the row?
void cross_entropy(const half* x, const int* label, float* log_p, float* loss, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  log_softmax_kernel<<<(rows + warps - 1) / warps, warps * 32>>>(x, log_p, rows, cols);
  pick_kernel<<<(rows + 127) / 128, 128>>>(log_p, label, loss, rows, cols);
}
