// lazy: clusters/2-rows
// expect: gate global_load_lane_bytes <= 1.02 * 4 * rows * cols * (1 + 2 / cluster_blocks)
// Only the row above comes from the cluster. The row below is still loaded by every block.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 256, cluster_size = 8;

__global__ void __cluster_dims__(1, cluster_size, 1)
    columns_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  const int rank = cluster.block_rank();
  const int t = threadIdx.x, x = blockIdx.x * threads + t, y = blockIdx.y;
  tile[t] = x < cols && y < rows ? in[size_t(y) * cols + x] : 0.0f;
  cluster.sync();
  float above = 0.0f, below = 0.0f;
  if (rank > 0)
    above = cluster.map_shared_rank(tile, rank - 1)[t];
  else if (x < cols && y > 0 && y - 1 < rows)
    above = in[size_t(y - 1) * cols + x];
  if (x < cols && y + 1 < rows) below = in[size_t(y + 1) * cols + x];
  if (x < cols && y < rows) out[size_t(y) * cols + x] = above + tile[t] + below;
  cluster.sync();
}

void columns(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const int clusters = (rows + cluster_size - 1) / cluster_size;
  const dim3 grid((cols + threads - 1) / threads, clusters * cluster_size);
  columns_kernel<<<grid, threads>>>(in, out, rows, cols);
}
