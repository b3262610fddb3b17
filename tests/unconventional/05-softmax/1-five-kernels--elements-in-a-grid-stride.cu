// unconventional: softmax/1-five-kernels
// The fifth kernel takes elements one by one, whatever row they are in.
// So each warp reads the sum of its row again.
#include <cuda_fp16.h>

constexpr int warps = 4;  // rows per block

__device__ int my_row() { return blockIdx.x * warps + threadIdx.x / 32; }

__global__ void max_kernel(const half* x, half* largest, int rows, int cols) {
  int row = my_row();
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float m = -INFINITY;
  for (int c = lane; c < cols; c += 32) m = fmaxf(m, __half2float(x[size_t(row) * cols + c]));
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
  if (lane == 0) largest[row] = __float2half(m);
}

__global__ void subtract_kernel(const half* x, const half* largest, half* y, int rows, int cols) {
  int row = my_row();
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float m = __half2float(largest[row]);
  for (int c = lane; c < cols; c += 32) {
    size_t i = size_t(row) * cols + c;
    y[i] = __float2half(__half2float(x[i]) - m);
  }
}

__global__ void exp_kernel(const half* x, half* y, int rows, int cols) {
  int row = my_row();
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  for (int c = lane; c < cols; c += 32) {
    size_t i = size_t(row) * cols + c;
    y[i] = __float2half(__expf(__half2float(x[i])));
  }
}

__global__ void sum_kernel(const half* x, half* sum, int rows, int cols) {
  int row = my_row();
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float s = 0.0f;
  for (int c = lane; c < cols; c += 32) s += __half2float(x[size_t(row) * cols + c]);
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
  if (lane == 0) sum[row] = __float2half(s);
}

__global__ void divide_kernel(const half* x, const half* sum, half* y, int rows, int cols) {
  const size_t count = size_t(rows) * cols;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x)
    y[i] = __float2half(__half2float(x[i]) / __half2float(sum[i / cols]));
}

// a, b: scratch of rows x cols halves; largest, sum: of rows halves.
void softmax(const half* x, half* y, half* a, half* b, half* largest, half* sum, int rows,
             int cols) {
  if (rows == 0 || cols == 0) return;
  int blocks = (rows + warps - 1) / warps;
  int threads = warps * 32;
  max_kernel<<<blocks, threads>>>(x, largest, rows, cols);
  subtract_kernel<<<blocks, threads>>>(x, largest, a, rows, cols);
  exp_kernel<<<blocks, threads>>>(a, b, rows, cols);
  sum_kernel<<<blocks, threads>>>(b, sum, rows, cols);
  divide_kernel<<<blocks, threads>>>(b, sum, y, rows, cols);
}
