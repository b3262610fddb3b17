// lazy: scan/6-chained
// expect: gate global_load_lane_bytes <= 5 * n
// Still three launches, with four ints per thread.
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

__device__ int sums[most_tiles];

__global__ void scan_kernel(const int* in, int* out, int n) {
  const int first = blockIdx.x * tile + 4 * threadIdx.x;
  int4 v = load_four(in, first, n);
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  const int sum = block_scan(v.w);
  if (threadIdx.x == threads - 1) sums[blockIdx.x] = sum;
  const int base = sum - v.w;
  store_four(out, first, n, make_int4(base + v.x, base + v.y, base + v.z, base + v.w));
}

__global__ void sums_kernel(int tiles) {
  __shared__ int before;
  if (threadIdx.x == 0) before = 0;
  for (int first = 0; first < tiles; first += threads) {
    const int b = first + threadIdx.x;
    int sum = block_scan(b < tiles ? sums[b] : 0);
    sum += before;
    if (b < tiles) sums[b] = sum;
    __syncthreads();
    if (threadIdx.x == threads - 1) before = sum;
  }
}

__global__ void add_kernel(int* out, int n) {
  const int first = (blockIdx.x + 1) * tile + 4 * threadIdx.x;
  const int before = sums[blockIdx.x];
  int4 v = load_four(out, first, n);
  v = make_int4(before + v.x, before + v.y, before + v.z, before + v.w);
  store_four(out, first, n, v);
}

void scan(const int* in, int* out, int n) {
  if (n == 0) return;
  const int tiles = (n + tile - 1) / tile;
  scan_kernel<<<tiles, threads>>>(in, out, n);
  sums_kernel<<<1, threads>>>(tiles);
  if (tiles > 1) add_kernel<<<tiles - 1, threads>>>(out, n);
}
