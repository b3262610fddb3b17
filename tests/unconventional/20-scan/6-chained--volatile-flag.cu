// unconventional: scan/6-chained
// The flag is a volatile word, polled by plain loads instead of atomics.
constexpr int threads = 512;
constexpr int warps = threads / 32;
constexpr int tile = 4 * threads;
constexpr int most_tiles = (1 << 28) / tile;

/// The four ints from `first` on; 0 past the end.
__device__ int4 load_four(const int* in, int first, int n) {
  if (first + 3 < n) return reinterpret_cast<const int4*>(in)[first / 4];
  int4 v = make_int4(0, 0, 0, 0);
  if (first < n) v.x = in[first];
  if (first + 1 < n) v.y = in[first + 1];
  if (first + 2 < n) v.z = in[first + 2];
  return v;
}

/// Stores four ints from `first` on, or as many as there is room for.
__device__ void store_four(int* out, int first, int n, int4 v) {
  if (first + 3 < n) {
    reinterpret_cast<int4*>(out)[first / 4] = v;
    return;
  }
  if (first < n) out[first] = v.x;
  if (first + 1 < n) out[first + 1] = v.y;
  if (first + 2 < n) out[first + 2] = v.z;
}

/// The sum over lanes 0 to the caller's. All 32 lanes must take part.
__device__ int warp_scan(int sum) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const int before = __shfl_up_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 >= offset) sum += before;
  }
  return sum;
}

/// The sum over threads 0 to the caller's. All threads of the block must take part.
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
__device__ int next_tile;
__device__ int through_tile[most_tiles];  // the sum of tiles 0 to t
__device__ int ready[most_tiles];         // 1: that sum is there

/// Tiles are numbered in the order in which blocks start, so all tiles before this block's have
/// blocks that run or ran. Each of them posts in the end.
__device__ int take_tile() {
  __shared__ int taken;
  if (threadIdx.x == 0) taken = atomicAdd(&next_tile, 1);
  __syncthreads();
  return taken;
}

/// Waits for the sum of the tiles before `t`, adds `sum` to it and passes it on. By one thread.
__device__ int sum_before(int t, int sum) {
  int before = 0;
  if (t > 0) {
    volatile int* const flag = &ready[t - 1];
    while (*flag == 0) {
    }
    __threadfence();  // acquire: the sum is read after its flag
    before = through_tile[t - 1];
  }
  through_tile[t] = before + sum;
  __threadfence();  // release: the sum is visible before its flag
  *const_cast<volatile int*>(&ready[t]) = 1;
  return before;
}

__global__ void clear_kernel(int tiles) {
  const int t = blockIdx.x * threads + threadIdx.x;
  if (t < tiles) ready[t] = 0;
  if (t == 0) next_tile = 0;
}

__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int before;
  const int t = take_tile();
  const int first = t * tile + 4 * threadIdx.x;
  int4 v = load_four(in, first, n);
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  const int sum = block_scan(v.w);
  if (threadIdx.x == threads - 1) before = sum_before(t, sum);
  __syncthreads();
  const int base = before + sum - v.w;
  store_four(out, first, n, make_int4(base + v.x, base + v.y, base + v.z, base + v.w));
}

void scan(const int* in, int* out, int n) {
  if (n == 0) return;
  const int tiles = (n + tile - 1) / tile;
  clear_kernel<<<(tiles + threads - 1) / threads, threads>>>(tiles);
  scan_kernel<<<tiles, threads>>>(in, out, n);
}
