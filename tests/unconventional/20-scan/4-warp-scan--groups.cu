// unconventional: scan/4-warp-scan
// inclusive_scan of cooperative groups; each thread adds up the sums of the warps before its own.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* out, int n) {
  __shared__ int sums[16];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int i = blockIdx.x * 512 + block.thread_rank();
  int v = cg::inclusive_scan(warp, i < n ? in[i] : 0);
  if (warp.thread_rank() == 31) sums[warp.meta_group_rank()] = v;
  block.sync();
  int before = 0;
  for (int w = 0; w < (int)warp.meta_group_rank(); ++w) before += sums[w];
  if (i < n) out[i] = v + before;
}
void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  k<<<(n + 511) / 512, 512>>>(in, out, n);
}
