// lazy: scan/5-three-launches
// expect: gate default: host_work_on_results <= 1 * reference(self) + 96
// The host scans the sums of the tiles in managed memory.
constexpr int tile = 512;
constexpr int warps = tile / 32;
constexpr int most_tiles = 1 << 16;

/// The sum over lanes 0 to the caller's. All 32 lanes must take part.
__device__ int warp_scan(int sum) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const int before = __shfl_up_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 >= offset) sum += before;
  }
  return sum;
}

/// The sum over threads 0 to the caller's. All threads of the block must take part. A second call
/// needs a barrier before it.
__device__ int block_scan(int sum) {
  __shared__ int s[warps];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  sum = warp_scan(sum);
  if (lane == 31) s[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const int through = warp_scan(lane < warps ? s[lane] : 0);
    if (lane < warps) s[lane] = through;
  }
  __syncthreads();
  return warp == 0 ? sum : s[warp - 1] + sum;
}

// Scratch that lives as long as the program: one call at a time may use it.
__managed__ int sums[most_tiles];

__global__ void scan_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * tile + threadIdx.x;
  const int sum = block_scan(i < n ? in[i] : 0);
  if (i < n) out[i] = sum;
  if (threadIdx.x == tile - 1) sums[blockIdx.x] = sum;
}

__global__ void add_kernel(int* out, int n) {
  const int i = (blockIdx.x + 1) * tile + threadIdx.x;  // tile 0 is complete
  if (i < n) out[i] += sums[blockIdx.x];
}

void scan(const int* in, int* out, int n) {
  if (n == 0) return;
  const int tiles = (n + tile - 1) / tile;
  scan_kernel<<<tiles, tile>>>(in, out, n);
  if (tiles == 1) return;
  cudaDeviceSynchronize();
  for (int b = 1; b < tiles; ++b) sums[b] += sums[b - 1];
  add_kernel<<<tiles - 1, tile>>>(out, n);
}
