// unconventional: scan/2-blelloch
// The strides are template arguments; dynamic shared memory; blocks go through several tiles.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int tile = 512;

template <int stride>
__device__ void tree(int* s, cg::thread_block block) {
  if constexpr (stride < tile) {
    const int right = 2 * stride * (block.thread_rank() + 1) - 1;
    block.sync();
    if (right < tile) s[right] += s[right - stride];
    tree<2 * stride>(s, block);
    block.sync();
    if (right + stride < tile) s[right + stride] += s[right];
  }
}

__global__ void scan_kernel(const int* in, int* out, int n) {
  extern __shared__ int s[];
  const cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank();
  for (int first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
    for (int i = t; i < tile; i += tile / 2) s[i] = first + i < n ? in[first + i] : 0;
    tree<1>(s, block);
    block.sync();
    for (int i = t; i < tile && first + i < n; i += tile / 2) out[first + i] = s[i];
    block.sync();
  }
}

void scan_tiles(const int* in, int* out, int n) {
  if (n > 0)
    scan_kernel<<<min(1056, (n + tile - 1) / tile), tile / 2, tile * sizeof(int)>>>(in, out, n);
}
