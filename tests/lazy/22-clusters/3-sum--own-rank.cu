// lazy: clusters/3-sum
// expect: gate cluster_lane_bytes >= 2 * blocks
// The even blocks add up eight times as much, the others only map their own memory.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int threads = 256, each = 8;
__global__ void __cluster_dims__(8, 1, 1) sum_kernel(const float* in, float* out, int n) {
  __shared__ float mine[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.map_shared_rank(mine, cluster.block_rank())[threadIdx.x] = 0;
  if (cluster.block_rank() != 0) return;
  const int first = blockIdx.x * threads + threadIdx.x;
  float x = 0.0f;
  for (int k = 0; k < each; ++k)
    if (first + k * threads < n) x += in[first + k * threads];
  mine[threadIdx.x] = x;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) mine[threadIdx.x] += mine[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, mine[0]);
}
void sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  sum_kernel<<<(blocks + 7) / 8 * 8, threads>>>(in, out, n);
}
