// wrong: clusters/2-rows
// mistake: The last row has no row below it: y + 1 must be below rows.
// expect: finding out_of_bounds
// out[y][x] = in[y - 1][x] + in[y][x] + in[y + 1][x]: the rows above and below, from the blocks
// that hold them.
// Bound by latency: a load, two barriers of the cluster and a store, one after the other.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 256, cluster_size = 8;

/// A block has 256 columns of one row; a cluster has the same columns of 8 rows.
__global__ void __cluster_dims__(1, cluster_size, 1)
    columns_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  const int rank = cluster.block_rank();
  const int t = threadIdx.x, x = blockIdx.x * threads + t, y = blockIdx.y;
  tile[t] = x < cols && y < rows ? in[size_t(y) * cols + x] : 0.0f;
  cluster.sync();  // every tile of the cluster is filled
  float above = 0.0f, below = 0.0f;
  if (rank > 0)
    above = cluster.map_shared_rank(tile, rank - 1)[t];
  else if (x < cols && y > 0 && y - 1 < rows)
    above = in[size_t(y - 1) * cols + x];
  if (rank < cluster_size - 1)
    below = cluster.map_shared_rank(tile, rank + 1)[t];
  else if (x < cols && y + 1 <= rows)
    below = in[size_t(y + 1) * cols + x];
  if (x < cols && y < rows) out[size_t(y) * cols + x] = above + tile[t] + below;
  cluster.sync();  // no block ends while another one reads its tile
}

void columns(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const int clusters = (rows + cluster_size - 1) / cluster_size;
  const dim3 grid((cols + threads - 1) / threads, clusters * cluster_size);
  columns_kernel<<<grid, threads>>>(in, out, rows, cols);
}
