// unconventional: banks/4-packs-vectorised
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// 512 threads per row; packs as uint4.
__global__ void __launch_bounds__(512)
    subtract_row_max(const float* __restrict__ in, float* __restrict__ out, int cols) {
  extern __shared__ float4 row[];
  __shared__ float of_warp[16];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const float4* from = reinterpret_cast<const float4*>(in + size_t(blockIdx.x) * cols);
  float4* to = reinterpret_cast<float4*>(out + size_t(blockIdx.x) * cols);
  float most = -INFINITY;
  for (int i = block.thread_rank(); i < cols / 4; i += block.size()) {
    const float4 v = __ldcs(from + i);
    row[i] = v;
    most = fmaxf(fmaxf(fmaxf(most, v.x), fmaxf(v.y, v.z)), v.w);
  }
  most = cg::reduce(warp, most, cg::greater<float>());
  if (warp.thread_rank() == 0) of_warp[warp.meta_group_rank()] = most;
  block.sync();
  most = cg::reduce(warp, of_warp[warp.thread_rank() % 16], cg::greater<float>());
  for (int i = block.thread_rank(); i < cols / 4; i += block.size()) {
    const float4 v = row[i];
    __stcs(to + i, make_float4(v.x - most, v.y - most, v.z - most, v.w - most));
  }
}

void subtract_max(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  subtract_row_max<<<rows, 512, cols * sizeof(float)>>>(in, out, cols);
}
