// wrong: scan/8-compact
// mistake: Where n is a multiple of the tile, no tile ends behind n, so nothing stores the count.
// expect: wrong
// The positive ints of `in`, in their order: the number of kept ints before one is its address.
// Bound by latency: few bytes are in flight while a small tile takes its number and looks back.
// One store of a warp touches many sectors.
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
/// blocks that run or ran: none is waited for in vain.
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

/// Publishes `sum` of tile `t`, looks back, publishes the sum through tile `t`. By one warp.
__device__ int sum_before(int t, int sum) {
  const bool first_lane = threadIdx.x % 32 == 0;
  if (first_lane && t > 0) atomicExch(&statuses[t], make_status(own, sum));
  const int before = look_back(t);
  if (first_lane) atomicExch(&statuses[t], make_status(through, before + sum));
  return before;
}

__global__ void clear_kernel(int tiles) {
  const int t = blockIdx.x * threads + threadIdx.x;
  if (t < tiles) statuses[t] = make_status(nothing, 0);
  if (t == 0) next_tile = 0;
}

__global__ void compact_kernel(const int* in, int* out, int* count, int n) {
  __shared__ int before;
  const int t = take_tile();
  const int first = t * tile + 4 * threadIdx.x;
  const int4 v = load_four(in, first, n);
  const int kept = (v.x > 0) + (v.y > 0) + (v.z > 0) + (v.w > 0);
  const int sum = block_scan(kept);
  if (threadIdx.x >= threads - 32) {  // the last warp: its last lane has the sum of the tile
    const int all = sum_before(t, __shfl_sync(0xffffffff, sum, 31));
    if (threadIdx.x == threads - 1) {
      before = all;
      if ((t + 1) * tile > n) *count = all + sum;  // the last tile knows how many there are
    }
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
