// lazy: scan/4-warp-scan
// expect: gate time_us <= 0.9 * reference(padded)
// Shuffles, but one warp per tile: it scans 32 elements after the other.
constexpr int tile = 512;

__global__ void scan_kernel(const int* in, int* out, int n) {
  const int lane = threadIdx.x;
  int before = 0;
  for (int first = blockIdx.x * tile; first < n && first < (blockIdx.x + 1) * tile; first += 32) {
    int sum = first + lane < n ? in[first + lane] : 0;
    for (int offset = 1; offset < 32; offset *= 2) {
      const int left = __shfl_up_sync(0xffffffff, sum, offset);
      if (lane >= offset) sum += left;
    }
    sum += before;
    if (first + lane < n) out[first + lane] = sum;
    before = __shfl_sync(0xffffffff, sum, 31);
  }
}

void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<(n + tile - 1) / tile, 32>>>(in, out, n);
}
