// unconventional: reduce/16-shuffle-down
// cg::reduce in a warp's tile.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(const float* in, float* partials, int n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int seg = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int i = seg * 32 + warp.thread_rank();
  const float sum = cg::reduce(warp, i < n ? in[i] : 0.0f, cg::plus<float>());
  if (warp.thread_rank() == 0 && seg * 32 < n) partials[seg] = sum;
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<(n + 511) / 512, 512>>>(in, partials, n);
}
