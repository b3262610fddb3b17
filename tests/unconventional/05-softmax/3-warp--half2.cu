// unconventional: softmax/3-warp
// Pairs of halves, a tile of cooperative groups and cg::reduce.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
__global__ void k(const half* x, half* y, int rows, int cols) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (int row = blockIdx.x * 4 + warp.meta_group_rank(); row < rows; row += gridDim.x * 4) {
    const half* in = x + size_t(row) * cols;
    half* out = y + size_t(row) * cols;
    const int lane = warp.thread_rank();
    float v[32], m = -INFINITY, s = 0;
    if (cols % 2 == 0) {
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        const float2 f = __half22float2(reinterpret_cast<const half2*>(in)[min(lane + 32 * i, cols / 2 - 1)]);
        v[2 * i] = f.x, v[2 * i + 1] = f.y;
      }
    } else {
#pragma unroll
      for (int i = 0; i < 32; ++i) v[i] = __half2float(in[min(2 * (lane + 32 * (i / 2)) + i % 2, cols - 1)]);
    }
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      if (2 * (lane + 32 * (i / 2)) + i % 2 >= cols) v[i] = -INFINITY;
      m = fmaxf(m, v[i]);
    }
    m = cg::reduce(warp, m, cg::greater<float>());
#pragma unroll
    for (int i = 0; i < 32; ++i) s += v[i] = __expf(v[i] - m);
    s = 1 / cg::reduce(warp, s, cg::plus<float>());
#pragma unroll
    for (int i = 0; i < 32; i += 2) {
      const int c = 2 * (lane + 32 * (i / 2));
      if (cols % 2 == 0) {
        if (c < cols) *reinterpret_cast<half2*>(out + c) = __floats2half2_rn(v[i] * s, v[i + 1] * s);
      } else {
        if (c < cols) out[c] = __float2half(v[i] * s);
        if (c + 1 < cols) out[c + 1] = __float2half(v[i + 1] * s);
      }
    }
  }
}
void softmax(const half* x, half* y, int rows, int cols) {
  if (rows && cols) k<<<(rows + 3) / 4, 128>>>(x, y, rows, cols);
}
