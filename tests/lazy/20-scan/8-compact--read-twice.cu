// lazy: scan/8-compact
// expect: gate global_load_lane_bytes <= 6 * n
// Three launches: count per tile, scan the counts, read everything again and store.
constexpr int tile = 512;
constexpr int warps = tile / 32;
constexpr int most_tiles = (1 << 28) / tile;

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
__device__ int sums[most_tiles];

__global__ void count_kernel(const int* in, int n) {
  const int i = blockIdx.x * tile + threadIdx.x;
  const int sum = block_scan(i < n && in[i] > 0);
  if (threadIdx.x == tile - 1) sums[blockIdx.x] = sum;
}

/// One block: sums[b] becomes the sum of tiles 0 to b.
__global__ void sums_kernel(int tiles) {
  __shared__ int before;  // the sum of all rounds before this one
  if (threadIdx.x == 0) before = 0;
  for (int first = 0; first < tiles; first += tile) {
    const int b = first + threadIdx.x;
    int sum = block_scan(b < tiles ? sums[b] : 0);
    sum += before;
    if (b < tiles) sums[b] = sum;
    __syncthreads();  // all have read `before`, and the words of block_scan
    if (threadIdx.x == tile - 1) before = sum;
  }
}

__global__ void store_kernel(const int* in, int* out, int* count, int n) {
  const int i = blockIdx.x * tile + threadIdx.x;
  const int x = i < n ? in[i] : 0;
  const int sum = block_scan(x > 0) + (blockIdx.x == 0 ? 0 : sums[blockIdx.x - 1]);
  if (x > 0) out[sum - 1] = x;
  if (i == n - 1) *count = sum;
}

void compact(const int* in, int* out, int* count, int n) {
  if (n == 0) {
    cudaMemset(count, 0, sizeof(int));
    return;
  }
  const int tiles = (n + tile - 1) / tile;
  count_kernel<<<tiles, tile>>>(in, n);
  sums_kernel<<<1, tile>>>(tiles);
  store_kernel<<<tiles, tile>>>(in, out, count, n);
}
