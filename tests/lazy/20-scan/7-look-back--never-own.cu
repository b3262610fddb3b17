// lazy: scan/7-look-back
// expect: gate time_us <= 0.1 * reference(chained)
// State and sum share a word, but no tile publishes its own sum: each waits for the tile before.
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

// What a tile has published: a state in the upper half, a sum in the lower half. One access of 64
// bits reads or writes both, so no fence stands between them.
using Status = unsigned long long;
constexpr unsigned nothing = 0;
constexpr unsigned own = 1;      // the sum of this tile
constexpr unsigned through = 2;  // the sum of tiles 0 to this one

// Scratch that lives as long as the program: one call at a time may use it.
__device__ int next_tile;
__device__ Status statuses[most_tiles];

__device__ Status make_status(unsigned state, int sum) {
  return Status(state) << 32 | unsigned(sum);
}

/// Tiles are numbered in the order in which blocks start, so all tiles before this block's have
/// blocks that run or ran. Each of them posts in the end.
__device__ int take_tile() {
  __shared__ int taken;
  if (threadIdx.x == 0) taken = atomicAdd(&next_tile, 1);
  __syncthreads();
  return taken;
}

/// The status of tile `t` as soon as it has published any. Before the first tile, all sums are 0.
__device__ Status wait_for(int t) {
  if (t < 0) return make_status(through, 0);
  Status status;
  do {
    status = *reinterpret_cast<volatile Status*>(&statuses[t]);
  } while (status >> 32 == nothing);
  return status;
}

/// The sum of the tiles before `t`, by all lanes of a warp. Each lane looks at one of 32 tiles. The
/// warp moves on to the 32 before, until one lane finds a sum through its tile.
__device__ int look_back(int t) {
  const int lane = threadIdx.x % 32;
  int before = 0;
  for (int nearest = t - 1;; nearest -= 32) {
    const Status status = wait_for(nearest - lane);
    const unsigned complete = __ballot_sync(0xffffffff, status >> 32 == through);
    const int last = complete != 0 ? __ffs(complete) - 1 : 31;  // the last lane whose sum counts
    int sum = lane <= last ? int(unsigned(status)) : 0;
    for (int offset = 16; offset > 0; offset /= 2) {
      sum += __shfl_xor_sync(0xffffffff, sum, offset);
    }
    before += sum;
    if (complete != 0) return before;
  }
}

/// Looks back, publishes the sum through tile `t`. By one warp.
__device__ int sum_before(int t, int sum) {
  const bool first_lane = threadIdx.x % 32 == 0;
  const int before = look_back(t);
  if (first_lane) atomicExch(&statuses[t], make_status(through, before + sum));
  return before;
}

__global__ void clear_kernel(int tiles) {
  const int t = blockIdx.x * threads + threadIdx.x;
  if (t < tiles) statuses[t] = make_status(nothing, 0);
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
  if (threadIdx.x >= threads - 32) {  // the last warp: its last lane has the sum of the tile
    const int all = sum_before(t, __shfl_sync(0xffffffff, sum, 31));
    if (threadIdx.x == threads - 1) before = all;
  }
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
