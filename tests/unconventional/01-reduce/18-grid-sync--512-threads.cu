// unconventional: reduce/18-grid-sync
// Four blocks of 512 threads per SM, so more partial sums. The floats stay in shared memory.
#include <cooperative_groups.h>

#include <algorithm>
namespace cg = cooperative_groups;
constexpr int threads = 512, most_blocks = 4096;
__device__ float partials[most_blocks];

__device__ float block_sum(float v) {
  __shared__ float s[threads / 32];
  for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  __syncthreads();
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0.f;
  for (float f : s) v += f;
  return v;
}

__global__ void __launch_bounds__(threads)
    centre_kernel(const float* in, float* out, int n, int share, int room) {
  extern __shared__ float kept[];
  const int first = min(n, int(blockIdx.x) * share), count = max(0, min(share, n - first));
  float v = 0.f;
  for (int k = threadIdx.x; k < count; k += threads) {
    const float x = in[first + k];
    if (k < room) kept[k] = x;
    v += x;
  }
  v = block_sum(v);
  if (threadIdx.x == 0) partials[blockIdx.x] = v;
  cg::this_grid().sync();
  v = 0.f;
  for (int k = threadIdx.x; k < gridDim.x; k += threads) v += partials[k];
  const float mean = block_sum(v) / n;
  for (int k = threadIdx.x; k < count; k += threads)
    out[first + k] = (k < room ? kept[k] : in[first + k]) - mean;
}

void centre(const float* in, float* out, int n) {
  if (n == 0) return;
  int sms = 0, limit = 0, per_sm = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  const int wanted = ((n + 2 * sms - 1) / (2 * sms) + 3) / 4 * 16;  // bytes for two blocks per SM
  const int bytes = std::min(wanted, std::min(limit - 1024, 96 * 1024));
  cudaFuncSetAttribute(centre_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, centre_kernel, threads, bytes);
  const int blocks =
      std::max(1, std::min({per_sm * sms, most_blocks, (n + threads - 1) / threads}));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = bytes;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, centre_kernel, in, out, n, ((n + blocks - 1) / blocks + 7) / 8 * 8,
                     bytes / 4);
}
