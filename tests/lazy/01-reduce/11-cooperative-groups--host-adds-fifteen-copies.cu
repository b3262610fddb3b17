// lazy: reduce/11-cooperative-groups
// expect: gate copied_bytes <= 8
// Fifteen partial sums are copied to the host and added there: 64 bytes with the result.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int blocks = 15, threads = 1024;
__device__ float partials[blocks];

__global__ void __launch_bounds__(threads) reduce_kernel(const float* in, int n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  float sum = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads) sum += in[i];
  for (int d = 16; d > 0; d /= 2) sum += warp.shfl_xor(sum, d);
  __shared__ float s[32];
  if (warp.thread_rank() == 0) s[warp.meta_group_rank()] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = s[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) sum += warp.shfl_xor(sum, d);
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}

void reduce(const float* in, float* sum, int n) {
  float total = 0;
  reduce_kernel<<<blocks, threads>>>(in, n);
  float part[15];
  cudaMemcpyFromSymbol(part, partials, sizeof(part));
  for (int b = 0; b < 15; ++b) total += part[b];
  cudaMemcpy(sum, &total, sizeof(float), cudaMemcpyHostToDevice);
}
