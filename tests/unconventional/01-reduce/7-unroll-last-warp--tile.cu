// unconventional: reduce/7-unroll-last-warp
// The last warp exchanges through shared memory, as a tile of cooperative groups.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const float* in, float* partials, int n) {
  __shared__ float s[256];
  const int t = threadIdx.x, i = blockIdx.x * 512 + t;
  float v = (i < n ? in[i] : 0.0f) + (i + 256 < n ? in[i + 256] : 0.0f);
  s[t] = v;
  __syncthreads();
  if (t >= 32) return;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (int j = 32; j < 256; j += 32) v += s[t + j];
  s[t] = v;
  warp.sync();
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    v += s[t ^ d];
    warp.sync();
    s[t] = v;
    warp.sync();
  }
  if (t == 0) partials[blockIdx.x] = v;
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<(n + 511) / 512, 256>>>(in, partials, n);
}
