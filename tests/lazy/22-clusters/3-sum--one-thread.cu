// lazy: clusters/3-sum
// expect: gate time_us <= 2 * reference(self)
// One thread per block adds up the block's 256 floats.
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
  __shared__ float mine;
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * threads + threadIdx.x;
  float sum = 0;
  if (threadIdx.x == 0)
    for (int k = 0; k < threads; ++k)
      if (i + k < n) sum += in[i + k];
  if (threadIdx.x == 0) mine = sum;
  cluster.sync();  // every block has its sum
  if (cluster.block_rank() == 0 && threadIdx.x < 32) {
    const int r = threadIdx.x;
    float x = r < cluster_size ? *cluster.map_shared_rank(&mine, r) : 0.0f;
    for (int offset = cluster_size / 2; offset > 0; offset /= 2)
      x += __shfl_xor_sync(0xffffffff, x, offset);
    if (r == 0) atomicAdd(out, x);
  }
  cluster.sync();  // no block ends before its sum is read
}

void sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  const int clusters = (blocks + cluster_size - 1) / cluster_size;
  sum_kernel<<<clusters * cluster_size, threads>>>(in, out, n);
}
