// Softmax of long rows: a row lies across the shared memory of a cluster.
// Bound by latency: each block has an eighth of a row, and three barriers of its cluster.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 512, cluster_size = 8;

/// The sum over the block, or the largest value, in all threads.
template <class Join>
__device__ float block_join(float x, float nothing, Join join) {
  __shared__ float of_warp[32];
  for (int offset = 16; offset > 0; offset /= 2)
    x = join(x, __shfl_xor_sync(0xffffffff, x, offset));
  __syncthreads();  // for a second call of one join: its values have been read
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  x = threadIdx.x % 32 < threads / 32 ? of_warp[threadIdx.x % 32] : nothing;
  for (int offset = 16; offset > 0; offset /= 2)
    x = join(x, __shfl_xor_sync(0xffffffff, x, offset));
  return x;
}

/// Joins the blocks' values over the cluster. Each call has two words of its own.
template <class Join>
__device__ float cluster_join(float x, float nothing, float* words, Join join) {
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) words[0] = x;
  cluster.sync();  // every block has stored its value
  if (threadIdx.x < 32) {
    const int r = threadIdx.x;
    x = r < cluster_size ? *cluster.map_shared_rank(words, r) : nothing;
    for (int offset = 16; offset > 0; offset /= 2)
      x = join(x, __shfl_xor_sync(0xffffffff, x, offset));
    if (r == 0) words[1] = x;
  }
  __syncthreads();
  return words[1];
}

__global__ void __cluster_dims__(cluster_size, 1, 1)
    softmax_kernel(const float* in, float* out, int cols, int share) {
  extern __shared__ float part[];  // `share` columns of the row
  __shared__ float most_words[2], sum_words[2];
  const cg::cluster_group cluster = cg::this_cluster();
  const int first = cluster.block_rank() * share;
  const int mine = max(0, min(share, cols - first));
  const size_t start = size_t(blockIdx.x / cluster_size) * cols + first;
  float most = -INFINITY;
  for (int c = threadIdx.x; c < mine; c += threads) {
    part[c] = in[start + c];
    most = fmaxf(most, part[c]);
  }
  const auto larger = [](float a, float b) { return fmaxf(a, b); };
  most = block_join(most, -INFINITY, larger);
  most = cluster_join(most, -INFINITY, most_words, larger);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < mine; c += threads) {
    part[c] = __expf(part[c] - most);
    sum += part[c];
  }
  const auto plus = [](float a, float b) { return a + b; };
  sum = block_join(sum, 0.0f, plus);
  sum = cluster_join(sum, 0.0f, sum_words, plus);
  for (int c = threadIdx.x; c < mine; c += threads) out[start + c] = part[c] / sum;
  cluster.sync();  // no block ends while another one reads its values
}

void softmax(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const int share = (cols + cluster_size - 1) / cluster_size;
  const size_t bytes = share * sizeof(float);
  cudaFuncSetAttribute(softmax_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
  softmax_kernel<<<rows * cluster_size, threads, bytes>>>(in, out, cols, share);
}
