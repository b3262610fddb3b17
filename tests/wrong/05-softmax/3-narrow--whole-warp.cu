// wrong: softmax/3-narrow
// mistake: The shuffles go over the whole warp, and mix rows that share it: start from LANES / 2.
// expect: wrong
// Softmax of short rows: as many lanes per row as it has use for, so that one warp takes several
// rows. Bound by DRAM; with 32 lanes per row of 20 columns would leave 12 lanes idle in every
// instruction.
#include <cuda_fp16.h>

constexpr int threads = 128;

// LANES lanes per row, PER values per lane: rows of up to LANES * PER columns.
template <int LANES, int PER>
__global__ void softmax_kernel(const half* x, half* y, int rows, int cols) {
  int row = (blockIdx.x * threads + threadIdx.x) / LANES;
  int lane = threadIdx.x % LANES;
  bool mine = row < rows;  // lanes of other rows in this warp still need us in the shuffles
  size_t first = size_t(mine ? row : 0) * cols;

  float v[PER];
  float m = -INFINITY;
#pragma unroll
  for (int i = 0; i < PER; ++i) {
    int c = lane + LANES * i;
    v[i] = mine && c < cols ? __half2float(x[first + c]) : -INFINITY;
    m = fmaxf(m, v[i]);
  }
  for (int d = 16; d > 0; d /= 2)
    m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));  // stays in the group

  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < PER; ++i) {
    v[i] = __expf(v[i] - m);
    s += lane + LANES * i < cols ? v[i] : 0.0f;
  }
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);

#pragma unroll
  for (int i = 0; i < PER; ++i)
    if (mine && lane + LANES * i < cols) y[first + lane + LANES * i] = __float2half(v[i] / s);
}

template <int LANES, int PER>
void launch(const half* x, half* y, int rows, int cols) {
  int rows_a_block = threads / LANES;
  softmax_kernel<LANES, PER>
      <<<(rows + rows_a_block - 1) / rows_a_block, threads>>>(x, y, rows, cols);
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
