// unconventional: sync-bugs/5-warp-sums
// Groups add up by the library; a warp goes through several sums.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void sums_kernel(const float* in, float* sums, int n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int warps = gridDim.x * warp.meta_group_size();
  const int all = (n + 31) / 32;
  for (int k = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank(); k < all; k += warps) {
    const int i = 32 * k + warp.thread_rank();
    const float sum = cg::reduce(warp, i < n ? in[i] : 0.0f, cg::plus<float>());
    if (warp.thread_rank() == 0) sums[k] = sum;
  }
}

void warp_sums(const float* in, float* sums, int n) {
  if (n > 0) sums_kernel<<<min(1024, (n + 127) / 128), 128>>>(in, sums, n);
}
