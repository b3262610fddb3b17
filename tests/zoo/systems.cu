// How larger programs organise work: a scan in one pass, tasks from a counter, warps that only copy, and keys
// sent to partitions.
#include <cuda_pipeline.h>

#include <cuda/atomic>

#include "zoo.cuh"

// True in all threads of the block that ends last. It resets what the launch has counted, for the next one.
__device__ bool is_last_block(unsigned* ended) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(ended, 1u) == gridDim.x - 1;
  __syncthreads();
  __threadfence();
  return last;
}

// A scan with decoupled lookback. A tile's state: its sum with a 1 above, or the sum up to its end with a 2.
__global__ void sy_scan_one_pass(const int4* in, int4* out, unsigned long long* state, unsigned* counters,
                                 int n) {
  __shared__ int warp_sum[8], tile_of_block, before_tile;
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  if (t == 0) tile_of_block = int(atomicAdd(&counters[0], 1u));
  __syncthreads();
  const int tile = tile_of_block, at = tile * 256 + t;
  int4 v = at < n ? in[at] : make_int4(0, 0, 0, 0);
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  int sum = v.w;
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, sum, d);
    if (lane >= d) sum += other;
  }
  if (lane == 31) warp_sum[warp] = sum;
  __syncthreads();
  int before = sum - v.w, total = 0;
  for (int w = 0; w < 8; ++w) {
    before += w < warp ? warp_sum[w] : 0;
    total += warp_sum[w];
  }
  if (warp == 0) {
    if (lane == 0) atomicExch(&state[tile], (tile ? 1ull : 2ull) << 32 | unsigned(total));
    int prefix = 0;
    for (int end = tile - 1; end >= 0; end -= 32) {
      unsigned long long s;
      do
        s = end >= lane ? cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>(state[end - lane])
                              .load(cuda::memory_order_relaxed)
                        : 2ull << 32;
      while (__any_sync(0xffffffffu, s >> 32 == 0));
      const unsigned whole = __ballot_sync(0xffffffffu, s >> 32 == 2);
      const int first = whole ? __ffs(whole) - 1 : 31;
      prefix += __reduce_add_sync(0xffffffffu, lane <= first ? int(s & 0xffffffffu) : 0);
      if (whole) break;
    }
    if (lane == 0) {
      if (tile) atomicExch(&state[tile], 2ull << 32 | unsigned(prefix + total));
      before_tile = prefix;
    }
  }
  __syncthreads();
  before += before_tile;
  if (at < n) out[at] = make_int4(before + v.x, before + v.y, before + v.z, before + v.w);
  if (!is_last_block(&counters[1])) return;
  for (int i = t; i < int(gridDim.x); i += blockDim.x) atomicExch(&state[i], 0ull);
  if (t < 2) atomicExch(&counters[t], 0u);
}

__host__ __device__ unsigned work(unsigned x) {
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  x ^= x >> 12;
  return x & 1023;
}

// Warps take the next row from a counter; rows have very different lengths.
__global__ void sy_take_rows(const int* start, const unsigned* value, unsigned* result, unsigned* counters,
                             int rows) {
  const int lane = threadIdx.x % 32;
  for (;;) {
    int row = 0;
    if (lane == 0) row = int(atomicAdd(&counters[0], 1u));
    row = __shfl_sync(0xffffffffu, row, 0);
    if (row >= rows) break;
    unsigned sum = 0;
    const int end = start[row + 1];
    for (int i = start[row] + lane; i < end; i += 32) sum += work(value[i]);
    sum = __reduce_add_sync(0xffffffffu, sum);
    if (lane == 0) result[row] = sum;
  }
  if (is_last_block(&counters[1]) && threadIdx.x < 2) atomicExch(&counters[threadIdx.x], 0u);
}

__device__ void meet(int barrier) { asm volatile("bar.sync %0, 160;" ::"r"(barrier) : "memory"); }
__device__ void arrive(int barrier) { asm volatile("bar.arrive %0, 160;" ::"r"(barrier) : "memory"); }

__host__ __device__ float settled(float x, float c) {
  for (int k = 0; k < 12; ++k) x = x * (1.9f - x) * 0.9f + c * 0.05f;
  return x;
}

// The first warp copies tiles of 512 values into three buffers; four other warps compute. Barrier 1 + b:
// buffer b is full, 4 + b: it is empty.
__global__ void sy_copying_warp(const float* in, float* out, int tiles) {
  __shared__ __align__(16) float buffer[3][512];
  const int t = threadIdx.x, step = gridDim.x;
  if (t < 32) {
    int k = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += step, ++k) {
      const int b = k % 3;
      if (k >= 3) meet(4 + b);
      for (int i = t; i < 128; i += 32)
        __pipeline_memcpy_async(&buffer[b][4 * i], &in[tile * 512 + 4 * i], 16);
      __pipeline_commit();
      if (k > 0) {
        __pipeline_wait_prior(1);
        arrive(1 + (k - 1) % 3);
      }
    }
    __pipeline_wait_prior(0);
    if (k > 0) arrive(1 + (k - 1) % 3);
    return;
  }
  const int i = t - 32;
  int k = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += step, ++k) {
    const int b = k % 3;
    meet(1 + b);
    float v[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) v[j] = settled(buffer[b][128 * j + i], buffer[b][511 - 128 * j - i]);
    if (tile + 3 * step < tiles) arrive(4 + b);
#pragma unroll
    for (int j = 0; j < 4; ++j) out[tile * 512 + 128 * j + i] = v[j];
  }
}

__host__ __device__ unsigned partition_of(unsigned key) { return key * 2654435769u >> 26; }

// Sends 2048 pairs per block to 64 partitions, from the places that an earlier pass has reserved.
__global__ void sy_send_to_partitions(const unsigned* key, const int* place, uint2* out, int n) {
  __shared__ int next[64];
  if (threadIdx.x < 64) next[threadIdx.x] = place[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int i = blockIdx.x * 2048 + k * 256 + threadIdx.x;
    if (i >= n) break;
    const unsigned mine = key[i];
    out[atomicAdd(&next[partition_of(mine)], 1)] = make_uint2(mine, i);
  }
}

static void send_to_partitions(Zoo& zoo) {
  const int n = 330000, blocks = (n + 2047) / 2048;
  const auto key = random_words(n, 4);
  std::vector<int> place(blocks * 64), start(65);
  for (int i = 0; i < n; ++i) ++place[i / 2048 * 64 + partition_of(key[i])];
  int at = 0;
  for (int p = 0; p < 64; ++p) {
    start[p] = at;
    for (int b = 0; b < blocks; ++b) {
      const int count = place[b * 64 + p];
      place[b * 64 + p] = at;
      at += count;
    }
  }
  start[64] = n;
  auto* out = zoo.zeros<uint2>(n);
  sy_send_to_partitions<<<blocks, 256>>>(zoo.upload(key), zoo.upload(place), out, n);
  double want = 0.5 * n * (n - 1);
  for (unsigned k : key) want += k;
  zoo.expect("sy_send_to_partitions", (const unsigned*)out, 2 * n, want, 1e-12);
  const auto got = zoo.download(out, n);
  int wrong = 0;
  for (int p = 0; p < 64; ++p)
    for (int i = start[p]; i < start[p + 1]; ++i)
      wrong += got[i].y >= unsigned(n) || got[i].x != key[got[i].y] || partition_of(got[i].x) != unsigned(p);
  zoo.require("sy_send_to_partitions", wrong == 0, "each pair is in its partition");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("sy_scan_one_pass")) {
    const int n = 260000, quads = n / 4, blocks = (quads + 255) / 256;
    const auto in = random_ints(n, 1, 10);
    std::vector<int> want(in);
    for (int i = 1; i < n; ++i) want[i] += want[i - 1];
    int* out = zoo.zeros<int>(n);
    sy_scan_one_pass<<<blocks, 256>>>((const int4*)zoo.upload(in), (int4*)out,
                                      zoo.zeros<unsigned long long>(blocks), zoo.zeros<unsigned>(2), quads);
    zoo.expect_each(
        "sy_scan_one_pass", out, n, 1, [&](size_t i) { return double(want[i]); }, 1e-12);
  }
  if (zoo.runs("sy_take_rows")) {
    const int rows = 9000;
    std::vector<int> start(rows + 1);
    Random r{2};
    for (int i = 0; i < rows; ++i)
      start[i + 1] = start[i] + int(r.below(40) ? r.below(60) : 300 + r.below(1500));
    const auto value = random_words(start[rows], 3);
    unsigned* result = zoo.zeros<unsigned>(rows);
    sy_take_rows<<<264, 128>>>(zoo.upload(start), zoo.upload(value), result, zoo.zeros<unsigned>(2), rows);
    const auto want = [&](size_t row) {
      unsigned sum = 0;
      for (int i = start[row]; i < start[row + 1]; ++i) sum += work(value[i]);
      return double(sum);
    };
    zoo.expect_each("sy_take_rows", result, rows, 7, want, 1e-12);
  }
  if (zoo.runs("sy_copying_warp")) {
    const int tiles = 1700, n = tiles * 512;
    const auto in = random_floats(n, 5);
    float* out = zoo.zeros<float>(n);
    sy_copying_warp<<<264, 160>>>(zoo.upload(in), out, tiles);
    const auto want = [&](size_t i) { return settled(in[i], in[i / 512 * 512 + 511 - i % 512]); };
    zoo.expect_each("sy_copying_warp", out, n, 1013, want, 1e-3);
  }
  if (zoo.runs("sy_send_to_partitions")) send_to_partitions(zoo);
  return zoo.done();
}
