// The sum of n floats. The blocks start in clusters, but each adds its own sum to the total.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 256, cluster_size = 8;

/// The sum over the block, in thread 0.
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

__global__ void __cluster_dims__(cluster_size, 1, 1)
    sum_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const float sum = block_sum(i < n ? in[i] : 0.0f);
  // TODO: add the sums of the cluster's 8 blocks first. One block then adds the result to out.
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

void sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  const int clusters = (blocks + cluster_size - 1) / cluster_size;
  sum_kernel<<<clusters * cluster_size, threads>>>(in, out, n);
}
