// unconventional: softmax/10-log-softmax
// A block of two warps per row; each warp has its maximum and sum, and both are joined once.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
// A block of 64 threads per row; online maximum and sum; the row is kept as halves.
__global__ void __launch_bounds__(64) rows2(const half* x, half* y, int cols) {
  __shared__ float2 parts[2];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const half* in = x + size_t(blockIdx.x) * cols;
  half* out = y + size_t(blockIdx.x) * cols;
  half r[16];
  float m = -INFINITY, s = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) r[i] = in[min(int(threadIdx.x) + 64 * i, cols - 1)];
#pragma unroll
  for (int i = 0; i < 16; ++i)
    if (int(threadIdx.x) + 64 * i < cols) m = fmaxf(m, float(r[i]));
  m = cg::reduce(warp, m, cg::greater<float>());
#pragma unroll
  for (int i = 0; i < 16; ++i)
    if (int(threadIdx.x) + 64 * i < cols) s += __expf(float(r[i]) - m);
  s = cg::reduce(warp, s, cg::plus<float>());
  if (warp.thread_rank() == 0) parts[threadIdx.x / 32] = {m, m == -INFINITY ? 0.f : s};
  __syncthreads();
  float2 a = parts[0], b = parts[1];
  float big = fmaxf(a.x, b.x);
  float shift = big + __logf((a.x == -INFINITY ? 0 : a.y * __expf(a.x - big)) +
                             (b.x == -INFINITY ? 0 : b.y * __expf(b.x - big)));
#pragma unroll
  for (int i = 0; i < 16; ++i)
    if (int(threadIdx.x) + 64 * i < cols) out[threadIdx.x + 64 * i] = half(float(r[i]) - shift);
}
void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  rows2<<<rows, 64>>>(x, y, cols);
}
