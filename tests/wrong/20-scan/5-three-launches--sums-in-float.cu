// wrong: scan/5-three-launches
// mistake: Running sums are kept in float, which has no odd whole numbers above 2^24.
// expect: wrong
// Running sums of all ints in three launches: scan the tiles, scan the sums of the tiles, add to
// each tile the sum of all tiles before it.
// Bound by launches and latency; of many ints, by memory traffic: each is read and written twice.
constexpr int tile = 512;
constexpr int warps = tile / 32;
constexpr int most_tiles = (1 << 28) / tile;

/// The sum over lanes 0 to the caller's. All 32 lanes must take part.
__device__ float warp_scan(float sum) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const float before = __shfl_up_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 >= offset) sum += before;
  }
  return sum;
}

/// The sum over threads 0 to the caller's. All threads of the block must take part. A second call
/// needs a barrier before it.
__device__ float block_scan(float sum) {
  __shared__ float s[warps];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  sum = warp_scan(sum);
  if (lane == 31) s[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const float through = warp_scan(lane < warps ? s[lane] : 0);
    if (lane < warps) s[lane] = through;
  }
  __syncthreads();
  return warp == 0 ? sum : s[warp - 1] + sum;
}

// Scratch that lives as long as the program: one call at a time may use it.
__device__ float sums[most_tiles];

__global__ void scan_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * tile + threadIdx.x;
  const float sum = block_scan(i < n ? in[i] : 0);
  if (i < n) out[i] = sum;
  if (threadIdx.x == tile - 1) sums[blockIdx.x] = sum;
}

/// One block: sums[b] becomes the sum of tiles 0 to b.
__global__ void sums_kernel(int tiles) {
  __shared__ float before;  // the sum of all rounds before this one
  if (threadIdx.x == 0) before = 0;
  for (int first = 0; first < tiles; first += tile) {
    const int b = first + threadIdx.x;
    float sum = block_scan(b < tiles ? sums[b] : 0);
    sum += before;
    if (b < tiles) sums[b] = sum;
    __syncthreads();  // all have read `before`, and the words of block_scan
    if (threadIdx.x == tile - 1) before = sum;
  }
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
  sums_kernel<<<1, tile>>>(tiles);
  add_kernel<<<tiles - 1, tile>>>(out, n);
}
