// lazy: scan/8-compact
// expect: gate time_us <= 1.5 * reference(self)
// The chain of step 6 passes the counts on.
constexpr int threads = 512;
constexpr int warps = threads / 32;
constexpr int tile = 4 * threads;
constexpr int most_tiles = (1 << 28) / tile;

/// The four ints from `first` on; 0, which is not kept, past the end.
__device__ int4 load_four(const int* in, int first, int n) {
  if (first + 3 < n) return reinterpret_cast<const int4*>(in)[first / 4];
  int4 v = make_int4(0, 0, 0, 0);
  if (first < n) v.x = in[first];
  if (first + 1 < n) v.y = in[first + 1];
  if (first + 2 < n) v.z = in[first + 2];
  return v;
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
    while (atomicAdd(&ready[t - 1], 0) == 0) {
    }
    __threadfence();  // acquire: the sum is read after its flag
    before = through_tile[t - 1];
  }
  through_tile[t] = before + sum;
  __threadfence();  // release: the sum is visible before its flag
  atomicExch(&ready[t], 1);
  return before;
}

__global__ void clear_kernel(int tiles) {
  const int t = blockIdx.x * threads + threadIdx.x;
  if (t < tiles) ready[t] = 0;
  if (t == 0) next_tile = 0;
}

__global__ void compact_kernel(const int* in, int* out, int* count, int n) {
  __shared__ int before;
  const int t = take_tile();
  const int first = t * tile + 4 * threadIdx.x;
  const int4 v = load_four(in, first, n);
  const int kept = (v.x > 0) + (v.y > 0) + (v.z > 0) + (v.w > 0);
  const int sum = block_scan(kept);
  if (threadIdx.x == threads - 1) {
    before = sum_before(t, sum);
    if ((t + 1) * tile >= n) *count = before + sum;
  }
  __syncthreads();
  int at = before + sum - kept;
  if (v.x > 0) out[at++] = v.x;
  if (v.y > 0) out[at++] = v.y;
  if (v.z > 0) out[at++] = v.z;
  if (v.w > 0) out[at] = v.w;
}

void compact(const int* in, int* out, int* count, int n) {
  if (n == 0) {
    cudaMemset(count, 0, sizeof(int));
    return;
  }
  const int tiles = (n + tile - 1) / tile;
  clear_kernel<<<(tiles + threads - 1) / threads, threads>>>(tiles);
  compact_kernel<<<tiles, threads>>>(in, out, count, n);
}
