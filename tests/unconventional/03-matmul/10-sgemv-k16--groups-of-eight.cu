// unconventional: matmul/10-sgemv-k16
// Groups of eight lanes, a float2 per lane; blocks go through the rows in strides of the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  const auto group = cg::tiled_partition<8>(cg::this_thread_block());
  const int groups = gridDim.x * group.meta_group_size();
  for (int row = blockIdx.x * group.meta_group_size() + group.meta_group_rank(); row < n;
       row += groups) {
    const float* a = A + size_t(row) * k;
    float sum = 0;
    if (k % 2 == 0) {
      for (int p = group.thread_rank(); p < k / 2; p += 8) {
        const float2 u = reinterpret_cast<const float2*>(a)[p];
        const float2 v = reinterpret_cast<const float2*>(x)[p];
        sum += u.x * v.x + u.y * v.y;
      }
    } else {
      for (int p = group.thread_rank(); p < k; p += 8) sum += a[p] * x[p];
    }
    sum = cg::reduce(group, sum, cg::plus<float>());
    if (group.thread_rank() == 0) y[row] = sum;
  }
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n > 0) multiply<<<min(2112, (n + 15) / 16), 128>>>(A, x, y, n, k);
}
