// lazy: scan/6-chained
// expect: gate blocks >= 100
// One block scans one tile after the other, and keeps the sum in a register.
constexpr int threads = 512;
constexpr int warps = threads / 32;
constexpr int tile = 4 * threads;

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

__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int last;
  int before = 0;
  for (int first = 4 * threadIdx.x; first - 4 * threadIdx.x < n; first += tile) {
    int4 v = load_four(in, first, n);
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    const int sum = before + block_scan(v.w);
    if (threadIdx.x == threads - 1) last = sum;
    const int base = sum - v.w;
    store_four(out, first, n, make_int4(base + v.x, base + v.y, base + v.z, base + v.w));
    __syncthreads();
    before = last;
  }
}

void scan(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<1, threads>>>(in, out, n);
}
