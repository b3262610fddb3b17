// lazy: softmax/1-five-kernels
// expect: gate (global_load_sectors + global_store_sectors) * 32 >= 0.9 * 2 * (8 * d + 4 * rows)
// One fused launch does all the work, and four empty ones make five.
#include <cuda_fp16.h>

__global__ void idle() {}

__global__ void softmax_kernel(const half* x, half* y, int rows, int cols) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const half* in = x + size_t(row) * cols;
  half* out = y + size_t(row) * cols;
  float m = -INFINITY;
  for (int c = lane; c < cols; c += 32) m = fmaxf(m, __half2float(in[c]));
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
  float s = 0.0f;
  for (int c = lane; c < cols; c += 32) s += __expf(__half2float(in[c]) - m);
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
  for (int c = lane; c < cols; c += 32) out[c] = __float2half(__expf(__half2float(in[c]) - m) / s);
}

void softmax(const half* x, half* y, half*, half*, half*, half*, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  for (int i = 0; i < 4; ++i) idle<<<1, 32>>>();
  softmax_kernel<<<(rows + 3) / 4, 128>>>(x, y, rows, cols);
}
