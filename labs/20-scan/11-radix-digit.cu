// Keys in the order of four of their bits, by histogram, scan and scatter. Keys with equal digits
// keep their order.
constexpr int tile = 512;
constexpr int warps = tile / 32;
constexpr int digits = 16;
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
// counts[d * tiles + b]: keys with digit d in tile b. After the scan: of all entries up to this.
__device__ int counts[digits * most_tiles];

__global__ void histogram_kernel(const unsigned* in, int n, int shift) {
  __shared__ int own[digits];
  if (threadIdx.x < digits) own[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * tile + threadIdx.x;
  if (i < n) atomicAdd(&own[(in[i] >> shift) & 15], 1);
  __syncthreads();
  if (threadIdx.x < digits) counts[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

/// One block: counts[k] becomes the sum of counts 0 to k.
__global__ void counts_kernel(int all) {
  __shared__ int before;  // the sum of all rounds before this one
  if (threadIdx.x == 0) before = 0;
  for (int first = 0; first < all; first += tile) {
    const int k = first + threadIdx.x;
    int sum = block_scan(k < all ? counts[k] : 0);
    sum += before;
    if (k < all) counts[k] = sum;
    __syncthreads();  // all have read `before`, and the words of block_scan
    if (threadIdx.x == tile - 1) before = sum;
  }
}

__global__ void scatter_kernel(const unsigned* in, unsigned* out, int n, int shift) {
  const int i = blockIdx.x * tile + threadIdx.x;
  if (i >= n) return;
  const int digit = (in[i] >> shift) & 15;
  const int entry = digit * gridDim.x + blockIdx.x;
  const int first = entry == 0 ? 0 : counts[entry - 1];  // of this digit and tile
  // TODO: how many keys before this one have the same digit, in this tile?
  const int rank = 0;
  out[first + rank] = in[i];
}

void sort_digit(const unsigned* in, unsigned* out, int n, int shift) {
  if (n == 0) return;
  const int tiles = (n + tile - 1) / tile;
  histogram_kernel<<<tiles, tile>>>(in, n, shift);
  counts_kernel<<<1, tile>>>(digits * tiles);
  scatter_kernel<<<tiles, tile>>>(in, out, n, shift);
}
