// lazy: clusters/2-rows
// expect: gate right == 0 (simt:h100-alone)
// One warp of each block walks down the columns of all eight rows. The other seven read words of other
// blocks, and use none of them.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 256, cluster_size = 8;

__global__ void __cluster_dims__(1, cluster_size, 1)
    columns_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  const int rank = cluster.block_rank(), t = threadIdx.x, y0 = blockIdx.y / cluster_size * cluster_size;
  tile[t] = 1.0f;
  cluster.sync();
  if (t < 32) {
    const int x = blockIdx.x * threads + rank * 32 + t;
    const auto load = [&](int y) { return x < cols && y >= 0 && y < rows ? in[size_t(y) * cols + x] : 0.0f; };
    float above = load(y0 - 1), own = load(y0);
    for (int y = y0; y < y0 + cluster_size; ++y) {
      const float below = load(y + 1);
      if (x < cols && y < rows) out[size_t(y) * cols + x] = above + own + below;
      above = own;
      own = below;
    }
  } else {
    const float seen = cluster.map_shared_rank(tile, rank ^ 1)[t];
    if (seen < 0.0f) out[0] = seen;
  }
  cluster.sync();
}

void columns(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const int clusters = (rows + cluster_size - 1) / cluster_size;
  columns_kernel<<<dim3((cols + threads - 1) / threads, clusters * cluster_size), threads>>>(in, out, rows,
                                                                                             cols);
}
