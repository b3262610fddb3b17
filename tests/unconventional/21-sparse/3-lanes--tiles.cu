// unconventional: sparse/3-lanes
// Groups by cooperative groups, whose shuffles name only the group.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 128;
constexpr int lanes = 4;  // per row

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  const int row = (blockIdx.x * threads + threadIdx.x) / lanes;
  const auto group = cg::tiled_partition<lanes>(cg::this_thread_block());
  const int lane = group.thread_rank();
  float sum = 0;
  // Groups past the last row have nothing to add, but their lanes take part in the shuffles.
  const int end = row < rows ? row_start[row + 1] : 0;
  for (int k = row < rows ? row_start[row] + lane : 0; k < end; k += lanes)
    sum += value[k] * x[col[k]];
  for (int offset = lanes / 2; offset > 0; offset /= 2) sum += group.shfl_xor(sum, offset);
  if (lane == 0 && row < rows) y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  constexpr int rows_per_block = threads / lanes;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows);
}
