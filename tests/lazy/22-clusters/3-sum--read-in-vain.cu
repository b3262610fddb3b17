// lazy: clusters/3-sum
// expect: gate right == 0 (simt:h100-alone)
// A second launch adds up the blocks' sums. Each block reads another block's shared word, too, and drops it.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 256, cluster_size = 8;

__device__ float sums[1 << 20];

__device__ float block_sum(float x) {
  __shared__ float of_warp[32];
  for (int offset = 16; offset > 0; offset /= 2) x += __shfl_xor_sync(0xffffffff, x, offset);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  x = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2) x += __shfl_xor_sync(0xffffffff, x, offset);
  return x;
}

__global__ void __cluster_dims__(cluster_size, 1, 1) sum_kernel(const float* in, int n) {
  __shared__ float show;
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * threads + threadIdx.x;
  const float sum = block_sum(i < n ? in[i] : 0.0f);
  if (threadIdx.x == 0) show = 1.0f;
  cluster.sync();
  if (threadIdx.x == 0)
    sums[blockIdx.x] = *cluster.map_shared_rank(&show, cluster.block_rank() ^ 1) > 0.0f ? sum : 0.0f;
  cluster.sync();
}

__global__ void join_kernel(float* out, int blocks) {
  float x = 0.0f;
  for (int b = threadIdx.x; b < blocks; b += blockDim.x) x += sums[b];
  x = block_sum(x);
  if (threadIdx.x == 0) *out = x;
}

void sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  const int clusters = (blocks + cluster_size - 1) / cluster_size;
  sum_kernel<<<clusters * cluster_size, threads>>>(in, n);
  join_kernel<<<1, 1024>>>(out, blocks);
}
