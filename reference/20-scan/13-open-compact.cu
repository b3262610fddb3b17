// The positive ints of `in`, in their order, as fast as memory delivers them: large tiles that stay
// in registers, and kept ints that go through shared memory.
// Bound by latency at the default size, and by DRAM bandwidth with many ints. A thread issues four
// int4 loads before it looks at the first. Consecutive threads store the kept ints: whole sectors.
constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int packs = 4;                   // int4 per thread
constexpr int warp_tile = 4 * 32 * packs;  // ints
constexpr int tile = warps * warp_tile;
constexpr int most_tiles = (1 << 28) / tile;

/// The lane's packs of the warp's ints from `first` on: pack k lies 32 packs behind pack k - 1.
/// 0, which is not kept, past the end.
__device__ void load(int4 (&v)[packs], const int* in, int first, int n) {
  const int mine = first + 4 * (threadIdx.x % 32);
  if (first + warp_tile <= n) {  // all packs are there: one check for all loads
#pragma unroll
    for (int k = 0; k < packs; ++k)
      v[k] = reinterpret_cast<const int4*>(in)[mine / 4 + 32 * k];
    return;
  }
#pragma unroll
  for (int k = 0; k < packs; ++k) {
    const int i = mine + 128 * k;
    v[k].x = i < n ? in[i] : 0;
    v[k].y = i + 1 < n ? in[i + 1] : 0;
    v[k].z = i + 2 < n ? in[i + 2] : 0;
    v[k].w = i + 3 < n ? in[i + 3] : 0;
  }
}

/// The sum over lanes 0 to the caller's. All 32 lanes must take part.
__device__ int warp_scan(int sum) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const int before = __shfl_up_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 >= offset) sum += before;
  }
  return sum;
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
  __shared__ int s[warps];    // kept ints of warps; then of all warps before them
  __shared__ int kept[tile];  // the tile's kept ints, in their order
  __shared__ int before;      // kept ints of all tiles before
  __shared__ int all;         // kept ints of the tile
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int t = take_tile();
  int4 v[packs];
  load(v, in, t * tile + warp * warp_tile, n);
  int place[packs];  // of each pack's first kept int, within the warp's
  int sum = 0;
#pragma unroll
  for (int k = 0; k < packs; ++k) {
    const int own_sum = (v[k].x > 0) + (v[k].y > 0) + (v[k].z > 0) + (v[k].w > 0);
    const int upto = warp_scan(own_sum);
    place[k] = sum + upto - own_sum;
    sum += __shfl_sync(0xffffffff, upto, 31);
  }
  if (lane == 0) s[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const int own_sum = lane < warps ? s[lane] : 0;
    const int upto = warp_scan(own_sum);
    const int tile_sum = __shfl_sync(0xffffffff, upto, 31);
    if (lane < warps) s[lane] = upto - own_sum;
    const int sum_so_far = sum_before(t, tile_sum);
    if (lane == 0) {
      before = sum_so_far;
      all = tile_sum;
      // The last tile knows how many there are.
      if ((t + 1) * tile >= n) *count = sum_so_far + tile_sum;
    }
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < packs; ++k) {
    int at = s[warp] + place[k];
    if (v[k].x > 0) kept[at++] = v[k].x;
    if (v[k].y > 0) kept[at++] = v[k].y;
    if (v[k].z > 0) kept[at++] = v[k].z;
    if (v[k].w > 0) kept[at] = v[k].w;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < all; i += threads) out[before + i] = kept[i];
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
