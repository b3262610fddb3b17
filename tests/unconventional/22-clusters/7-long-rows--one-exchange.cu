// unconventional: clusters/7-long-rows
// The row in registers, and one exchange of pairs: largest value and sum.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int T = 512, per = 15;
struct Pair { float m, s; };
__device__ Pair join(Pair a, Pair b) {
  const float m = fmaxf(a.m, b.m);
  return {m, (a.m == -INFINITY ? 0.f : a.s * __expf(a.m - m)) + (b.m == -INFINITY ? 0.f : b.s * __expf(b.m - m))};
}
__global__ void __cluster_dims__(8, 1, 1) __launch_bounds__(T) k(const float* __restrict__ in, float* __restrict__ out, int cols, int share) {
  __shared__ Pair warps[T / 32], block;
  auto cl = cg::this_cluster();
  const int first = cl.block_rank() * share, mine = max(0, min(share, cols - first));
  const size_t start = size_t(blockIdx.x / 8) * cols + first;
  float v[per];
  Pair p{-INFINITY, 0};
#pragma unroll
  for (int j = 0; j < per; ++j) { int c = j * T + threadIdx.x; v[j] = c < mine ? in[start + c] : -INFINITY; p.m = fmaxf(p.m, v[j]); }
#pragma unroll
  for (int j = 0; j < per; ++j) if (v[j] != -INFINITY) p.s += __expf(v[j] - p.m);
  for (int o = 16; o; o /= 2) p = join(p, {__shfl_xor_sync(~0u, p.m, o), __shfl_xor_sync(~0u, p.s, o)});
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = p;
  __syncthreads();
  if (threadIdx.x == 0) { for (int w = 1; w < T / 32; ++w) p = join(p, warps[w]); block = p; }
  cl.sync();
  Pair all{-INFINITY, 0};
  for (int r = 0; r < 8; ++r) all = join(all, *cl.map_shared_rank(&block, r));
  const float f = 1 / all.s;
#pragma unroll
  for (int j = 0; j < per; ++j) { int c = j * T + threadIdx.x; if (c < mine) out[start + c] = __expf(v[j] - all.m) * f; }
  cl.sync();
}
void softmax(const float* in, float* out, int rows, int cols) {
  if (rows && cols) k<<<rows * 8, T>>>(in, out, cols, (cols + 7) / 8);
}
