// lazy: clusters/2-rows
// expect: gate cluster_lane_bytes >= 0.4 * rows * cols
// Four rows per block. The cluster is real, but its blocks map their own memory only.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int threads = 256, each = 4;
__global__ void __cluster_dims__(1, 2, 1)
    columns_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, x = blockIdx.x * threads + t, y0 = blockIdx.y * each;
  cluster.map_shared_rank(tile, cluster.block_rank())[t] = 0;
  if (x >= cols || y0 >= rows) return;
  float a = y0 > 0 ? in[size_t(y0 - 1) * cols + x] : 0.0f;
  float b = in[size_t(y0) * cols + x];
  for (int y = y0; y < y0 + each && y < rows; ++y) {
    const float c = y + 1 < rows ? in[size_t(y + 1) * cols + x] : 0.0f;
    out[size_t(y) * cols + x] = a + b + c;
    a = b;
    b = c;
  }
}
void columns(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const int groups = (rows + each - 1) / each;
  columns_kernel<<<dim3((cols + threads - 1) / threads, (groups + 1) / 2 * 2), threads>>>(
      in, out, rows, cols);
}
