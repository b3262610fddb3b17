// wrong: softmax/11-backward
// mistake: The sum of y dy goes over the whole row, not over what one lane holds: shuffle it.
// expect: wrong
// Gradient of the softmax: dx = y (dy - sum(y dy)), row by row. One warp per row, both rows in
// registers, up to 1024 columns. Bound by DRAM: two readings and one writing of the data.
#include <cuda_fp16.h>

constexpr int warps = 4;
constexpr int per_lane = 32;

__global__ void backward_kernel(const half* y, const half* dy, half* dx, int rows, int cols) {
  int row = blockIdx.x * warps + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  size_t first = size_t(row) * cols;

  float a[per_lane], b[per_lane];
  float dot = 0.0f;
#pragma unroll
  for (int i = 0; i < per_lane; ++i) {
    int c = lane + 32 * i;
    a[i] = c < cols ? __half2float(y[first + c]) : 0.0f;
    b[i] = c < cols ? __half2float(dy[first + c]) : 0.0f;
    dot += a[i] * b[i];
  }

#pragma unroll
  for (int i = 0; i < per_lane; ++i)
    if (lane + 32 * i < cols) dx[first + lane + 32 * i] = __float2half(a[i] * (b[i] - dot));
}

void softmax_backward(const half* y, const half* dy, half* dx, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  backward_kernel<<<(rows + warps - 1) / warps, warps * 32>>>(y, dy, dx, rows, cols);
}
