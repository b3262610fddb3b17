// unconventional: clusters/2-rows
// Each block writes its row into the tiles of the blocks above and below, instead of reading theirs.
// The cluster has 4 rows.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 128;

__global__ void columns_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float above[threads], below[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), last = cluster.num_blocks() - 1;
  const int t = threadIdx.x, x = blockIdx.x * threads + t, y = blockIdx.y;
  const auto load = [&](int row) {
    return x < cols && row >= 0 && row < rows ? in[size_t(row) * cols + x] : 0.0f;
  };
  const float here = load(y);
  cluster.sync();  // all blocks have started
  if (rank > 0) cluster.map_shared_rank(below, rank - 1)[t] = here;
  if (rank < last) cluster.map_shared_rank(above, rank + 1)[t] = here;
  if (rank == 0) above[t] = load(y - 1);
  if (rank == last) below[t] = load(y + 1);
  cluster.sync();
  if (x < cols && y < rows) out[size_t(y) * cols + x] = above[t] + here + below[t];
}

void columns(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  cudaLaunchAttribute shape = {};
  shape.id = cudaLaunchAttributeClusterDimension;
  shape.val.clusterDim.x = 1;
  shape.val.clusterDim.y = 4;
  shape.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((cols + threads - 1) / threads, (rows + 3) / 4 * 4);
  config.blockDim = threads;
  config.attrs = &shape;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, columns_kernel, in, out, rows, cols);
}
