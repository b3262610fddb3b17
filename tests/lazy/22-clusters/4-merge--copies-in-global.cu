// lazy: clusters/4-merge
// expect: gate global_store_lane_bytes <= 1024 * blocks
// Blocks store their copies in global memory and merge them from there. Words of the other block
// are read for show.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int threads = 1024, values = 4096, size = 8, blocks = 128;
__device__ int copies[blocks * values];
__global__ void __cluster_dims__(size, 1, 1) histogram_kernel(const int* data, int* bins, int n) {
  __shared__ int mine[values];
  __shared__ int mark;
  const cg::cluster_group cluster = cg::this_cluster();
  const int rank = cluster.block_rank();
  if (threadIdx.x == 0) mark = rank;
  for (int b = threadIdx.x; b < values; b += threads) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < values; b += threads) copies[blockIdx.x * values + b] = mine[b];
  __threadfence();
  cluster.sync();
  const int far = rank ^ 1;
  const bool real = *cluster.map_shared_rank(&mark, far) == far;
  const bool show = *cluster.map_shared_rank(mine + threadIdx.x, far) < 0;
  const int first = blockIdx.x / size * size, share = values / size;
  if (threadIdx.x < share) {
    const int b = rank * share + threadIdx.x;
    int count = 0;
    for (int k = 0; k < size; ++k) count += copies[(first + k) * values + b];
    if (count && real) atomicAdd(&bins[b], count);
  } else if (show)
    mine[0] = 1;
  cluster.sync();
}
void histogram(const int* data, int* bins, int n) {
  cudaMemset(bins, 0, values * sizeof(int));
  if (n) histogram_kernel<<<blocks, threads>>>(data, bins, n);
}
