// lazy: clusters/3-sum
// expect: gate global_store_lane_bytes <= 2.1 * blocks
// Sums cross by global memory. Block numbers cross by map_shared_rank, and spoil the sum if they are wrong.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int threads = 256, cluster_size = 8;
__device__ float scratch[1 << 20];
__device__ float block_sum(float x) {
  __shared__ float of_warp[threads / 32];
  for (int offset = 16; offset > 0; offset /= 2) x += __shfl_xor_sync(0xffffffff, x, offset);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  float sum = 0.0f;
  if (threadIdx.x == 0)
    for (int w = 0; w < threads / 32; ++w) sum += of_warp[w];
  return sum;
}
__global__ void __cluster_dims__(cluster_size, 1, 1) sum_kernel(const float* in, float* out, int n) {
  __shared__ unsigned me;
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * threads + threadIdx.x;
  const float sum = block_sum(i < n ? in[i] : 0.0f);
  if (threadIdx.x == 0) {
    me = blockIdx.x;
    scratch[blockIdx.x] = sum;
  }
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x < 32) {
    const int r = threadIdx.x;
    bool good = true;
    float x = 0.0f;
    if (r < cluster_size) {
      good = *cluster.map_shared_rank(&me, r) == blockIdx.x + r;
      x = scratch[blockIdx.x + r];
    }
    for (int offset = cluster_size / 2; offset > 0; offset /= 2) x += __shfl_xor_sync(0xffffffff, x, offset);
    if (!__all_sync(0xffffffff, good)) x = 1e9f;
    if (r == 0) atomicAdd(out, x);
  }
  cluster.sync();
}
void sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  const int clusters = (blocks + cluster_size - 1) / cluster_size;
  sum_kernel<<<clusters * cluster_size, threads>>>(in, out, n);
}
