// lazy: scan/4-warp-scan
// expect: gate shared_stores <= n / 24
// Each warp scans its 32 elements, but in shared memory: two barriers of the block, and many stores.
constexpr int tile = 512;
constexpr int warps = tile / 32;

__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int s[tile];
  __shared__ int sums[warps];
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int i = blockIdx.x * tile + t;
  int sum = i < n ? in[i] : 0;
  for (int offset = 1; offset < 32; offset *= 2) {
    s[t] = sum;
    __syncwarp();
    if (lane >= offset) sum += s[t - offset];
    __syncwarp();
  }
  if (lane == 31) sums[t / 32] = sum;
  __syncthreads();
  for (int w = 0; w < t / 32; ++w) sum += sums[w];
  if (i < n) out[i] = sum;
}

void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<(n + tile - 1) / tile, tile>>>(in, out, n);
}
