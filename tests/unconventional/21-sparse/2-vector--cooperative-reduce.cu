// unconventional: sparse/2-vector
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

template <int block>
__global__ void spmv_kernel(const int* __restrict__ row_start, const int* __restrict__ col,
                            const float* __restrict__ value, const float* __restrict__ x,
                            float* __restrict__ y, int rows) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank(); row < rows;
       row += gridDim.x * warp.meta_group_size()) {
    float sum = 0;
    for (int k = row_start[row] + warp.thread_rank(), end = row_start[row + 1]; k < end; k += 32)
      sum = fmaf(value[k], __ldg(x + col[k]), sum);
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (warp.thread_rank() == 0) y[row] = sum;
  }
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y, int rows) {
  if (rows > 0) spmv_kernel<256><<<min((rows + 7) / 8, 132 * 8), 256>>>(row_start, col, value, x, y, rows);
}
