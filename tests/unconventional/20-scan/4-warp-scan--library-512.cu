// unconventional: scan/4-warp-scan
// CUB's scan of a block of 512 threads. Without optimisation its kernel takes 160 registers: the check as written is
// not about them.
#include <cub/block/block_scan.cuh>

constexpr int threads = 512;

__global__ void scan_tile(const int* in, int* out, int n) {
  using Scan = cub::BlockScan<int, threads, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ typename Scan::TempStorage room;
  const int i = blockIdx.x * threads + threadIdx.x;
  int sum = i < n ? in[i] : 0;
  Scan(room).InclusiveSum(sum, sum);
  if (i < n) out[i] = sum;
}

void scan_tiles(const int* in, int* out, int n) {
  if (n > 0) scan_tile<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
