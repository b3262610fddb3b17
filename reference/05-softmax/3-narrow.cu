// Softmax of short rows: as many lanes per row as it can use, so one warp takes several rows.
// Bound by starting blocks. With 32 lanes and 32 rounds per row, a row of 20 columns would leave
// most of them idle.
#include <cuda_fp16.h>

constexpr int threads = 128;

// LANES lanes per row, PER values per lane: rows of up to LANES * PER columns.
template <int LANES, int PER>
__global__ void softmax_kernel(const half* x, half* y, int rows, int cols) {
  int row = (blockIdx.x * threads + threadIdx.x) / LANES;
  int lane = threadIdx.x % LANES;
  bool mine = row < rows;  // no lane may be missing in the shuffles
  size_t first = size_t(mine ? row : 0) * cols;

  float v[PER];
#pragma unroll
  for (int i = 0; i < PER; ++i) v[i] = __half2float(x[first + min(lane + LANES * i, cols - 1)]);

  float m = -INFINITY;
#pragma unroll
  for (int i = 0; i < PER; ++i) {
    if (lane + LANES * i >= cols) v[i] = -INFINITY;
    m = fmaxf(m, v[i]);
  }
  for (int d = LANES / 2; d > 0; d /= 2)
    m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));  // stays in the group

  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < PER; ++i) {
    v[i] = __expf(v[i] - m);
    s += lane + LANES * i < cols ? v[i] : 0.0f;
  }
  for (int d = LANES / 2; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);

  float scale = 1.0f / s;
#pragma unroll
  for (int i = 0; i < PER; ++i)
    if (mine && lane + LANES * i < cols) y[first + lane + LANES * i] = __float2half(v[i] * scale);
}

template <int LANES, int PER>
void launch(const half* x, half* y, int rows, int cols) {
  int rows_per_block = threads / LANES;
  softmax_kernel<LANES, PER>
      <<<(rows + rows_per_block - 1) / rows_per_block, threads>>>(x, y, rows, cols);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (cols <= 16)
    launch<4, 4>(x, y, rows, cols);
  else if (cols <= 32)
    launch<8, 4>(x, y, rows, cols);
  else if (cols <= 64)
    launch<16, 4>(x, y, rows, cols);
  else if (cols <= 128)
    launch<32, 4>(x, y, rows, cols);
  else if (cols <= 256)
    launch<32, 8>(x, y, rows, cols);
  else
    launch<32, 32>(x, y, rows, cols);  // up to 1024
}
