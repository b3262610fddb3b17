// unconventional: softmax/3-warp
// Lanes load pairs of halves where rows start on 4 bytes; cooperative groups instead of
// intrinsics.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
__global__ void softmax_kernel(const half* x, half* y, int rows, int cols) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int row = blockIdx.x * 8 + warp.meta_group_rank(), lane = warp.thread_rank();
  if (row >= rows) return;
  const bool even = cols % 2 == 0;
  float v[32], m = -INFINITY, s = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int c = 2 * lane + 64 * i;
    if (even) {
      const float2 f = __half22float2(
          *reinterpret_cast<const half2*>(x + size_t(row) * cols + min(c, cols - 2)));
      v[2 * i] = f.x;
      v[2 * i + 1] = f.y;
    } else {
      v[2 * i] = __half2float(x[size_t(row) * cols + min(c, cols - 1)]);
      v[2 * i + 1] = __half2float(x[size_t(row) * cols + min(c + 1, cols - 1)]);
    }
  }
#pragma unroll
  for (int i = 0; i < 32; ++i)
    m = fmaxf(m, 2 * lane + i / 2 * 64 + i % 2 < cols ? v[i] : -INFINITY);
  for (int d = 16; d; d /= 2) m = fmaxf(m, warp.shfl_xor(m, d));
#pragma unroll
  for (int i = 0; i < 32; ++i)
    s += 2 * lane + i / 2 * 64 + i % 2 < cols ? v[i] = __expf(v[i] - m) : 0.0f;
  for (int d = 16; d; d /= 2) s += warp.shfl_xor(s, d);
  const float scale = 1 / s;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int c = 2 * lane + 64 * i;
    half* out = y + size_t(row) * cols + c;
    if (even) {
      if (c < cols)
        *reinterpret_cast<half2*>(out) = __floats2half2_rn(v[2 * i] * scale, v[2 * i + 1] * scale);
    } else {
      if (c < cols) out[0] = __float2half(v[2 * i] * scale);
      if (c + 1 < cols) out[1] = __float2half(v[2 * i + 1] * scale);
    }
  }
}
void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<(rows + 7) / 8, 256>>>(x, y, rows, cols);
}
