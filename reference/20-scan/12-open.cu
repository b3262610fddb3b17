// Running sums of all ints as fast as memory delivers them: look-back over large tiles that stay in
// registers.
// Bound by latency at the default size, and by DRAM bandwidth with many ints. A thread issues eight
// int4 loads before it adds the first, so that 128 KiB are in flight per SM.
constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int blocks_per_sm = 4;
constexpr int packs = 8;                   // int4 per thread
constexpr int warp_tile = 4 * 32 * packs;  // ints
constexpr int tile = warps * warp_tile;
constexpr int most_tiles = (1 << 28) / tile;

/// The lane's packs of the warp's ints from `first` on: pack k lies 32 packs behind pack k - 1.
/// __ldcs: read once, so keep nothing of it. Zeros past the end.
__device__ void load(int4 (&v)[packs], const int* in, int first, int n) {
  const int mine = first + 4 * (threadIdx.x % 32);
  if (first + warp_tile <= n) {  // all packs are there: one check for all loads
#pragma unroll
    for (int k = 0; k < packs; ++k) {
      v[k] = __ldcs(&reinterpret_cast<const int4*>(in)[mine / 4 + 32 * k]);
    }
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

/// Stores the lane's packs, `before` added to each int, or as many ints as there is room for.
__device__ void store(const int4 (&v)[packs], int before, int* out, int first, int n) {
  const int mine = first + 4 * (threadIdx.x % 32);
  const bool whole = first + warp_tile <= n;
#pragma unroll
  for (int k = 0; k < packs; ++k) {
    const int4 sum =
        make_int4(before + v[k].x, before + v[k].y, before + v[k].z, before + v[k].w);
    const int i = mine + 128 * k;
    if (whole) {
      __stcs(&reinterpret_cast<int4*>(out)[i / 4], sum);
    } else {
      if (i < n) out[i] = sum.x;
      if (i + 1 < n) out[i + 1] = sum.y;
      if (i + 2 < n) out[i + 2] = sum.z;
      if (i + 3 < n) out[i + 3] = sum.w;
    }
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

/// Turns the warp's ints into running sums and returns the last, the sum of all.
__device__ int scan_packs(int4 (&v)[packs]) {
  int before = 0;
#pragma unroll
  for (int k = 0; k < packs; ++k) {
    v[k].y += v[k].x;
    v[k].z += v[k].y;
    v[k].w += v[k].z;
    const int sum = warp_scan(v[k].w);
    const int base = before + sum - v[k].w;
    v[k] = make_int4(base + v[k].x, base + v[k].y, base + v[k].z, base + v[k].w);
    before += __shfl_sync(0xffffffff, sum, 31);
  }
  return before;
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

__global__ void __launch_bounds__(threads, blocks_per_sm)
scan_kernel(const int* in, int* out, int n) {
  __shared__ int s[warps];  // sums of warps; then of all ints before them
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int t = take_tile();
  const int first = t * tile + warp * warp_tile;
  int4 v[packs];
  load(v, in, first, n);
  const int all = scan_packs(v);
  if (lane == 0) s[warp] = all;
  __syncthreads();
  if (warp == 0) {
    const int own_sum = lane < warps ? s[lane] : 0;
    const int sum = warp_scan(own_sum);
    const int before = sum_before(t, __shfl_sync(0xffffffff, sum, 31));
    if (lane < warps) s[lane] = before + sum - own_sum;
  }
  __syncthreads();
  store(v, s[warp], out, first, n);
}

void scan(const int* in, int* out, int n) {
  if (n == 0) return;
  const int tiles = (n + tile - 1) / tile;
  clear_kernel<<<(tiles + threads - 1) / threads, threads>>>(tiles);
  scan_kernel<<<tiles, threads>>>(in, out, n);
}
