// lazy: softmax/3-narrow
// expect: gate instructions <= 1.5 * reference(self) (cols=100, rows=4096)
// Eight lanes per row up to 32 columns, and all lanes and rounds for any wider row.
#include <cuda_fp16.h>
template <int LANES, int PER>
__global__ void softmax_kernel(const half* x, half* y, int rows, int cols) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
  const half* in = x + size_t(min(row, rows - 1)) * cols;
  float v[PER], m = -INFINITY, s = 0;
#pragma unroll
  for (int i = 0; i < PER; ++i) v[i] = __half2float(in[min(lane + LANES * i, cols - 1)]);
#pragma unroll
  for (int i = 0; i < PER; ++i) m = fmaxf(m, lane + LANES * i < cols ? v[i] : -INFINITY);
#pragma unroll
  for (int d = LANES / 2; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
#pragma unroll
  for (int i = 0; i < PER; ++i) s += lane + LANES * i < cols ? v[i] = __expf(v[i] - m) : 0.0f;
#pragma unroll
  for (int d = LANES / 2; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
  const float scale = 1 / s;
#pragma unroll
  for (int i = 0; i < PER; ++i)
    if (row < rows && lane + LANES * i < cols)
      y[size_t(row) * cols + lane + LANES * i] = __float2half(v[i] * scale);
}
template <int LANES, int PER>
void run(const half* x, half* y, int rows, int cols) {
  constexpr int per_block = 128 / LANES;
  softmax_kernel<LANES, PER><<<(rows + per_block - 1) / per_block, 128>>>(x, y, rows, cols);
}
void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (cols <= 32)
    run<8, 4>(x, y, rows, cols);
  else
    run<32, 32>(x, y, rows, cols);
}
