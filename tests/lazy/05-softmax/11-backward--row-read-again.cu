// lazy: softmax/11-backward
// expect: gate (global_load_sectors + global_store_sectors) * 32 <= 1.02 * 6 * d
// y is read a second time for the results.
#include <cuda_fp16.h>

constexpr int warps = 4;
constexpr int values_per_lane = 32;

__global__ void backward_kernel(const half* y, const half* dy, half* dx, int rows, int cols) {
  int row = blockIdx.x * warps + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  size_t first = size_t(row) * cols;

  float a[values_per_lane], b[values_per_lane];  // all loads are in flight together
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i) {
    size_t at = first + min(lane + 32 * i, cols - 1);
    a[i] = __half2float(y[at]);
    b[i] = __half2float(dy[at]);
  }

  float dot = 0.0f;
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i) dot += lane + 32 * i < cols ? a[i] * b[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) dot += __shfl_xor_sync(0xffffffffu, dot, d);

  int opaque = dot == 123456.0f;  // 0, which the compiler cannot know
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i)
    if (lane + 32 * i < cols)
      dx[first + lane + 32 * i] =
          __float2half(__half2float(y[first + lane + 32 * i + opaque]) * (b[i] - dot));
}

void softmax_backward(const half* y, const half* dy, half* dx, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  backward_kernel<<<(rows + warps - 1) / warps, warps * 32>>>(y, dy, dx, rows, cols);
}
