// What came with recent GPUs: bins spread over a cluster, rows that a cluster shares, a grid that meets after
// each round, and copies that barriers in shared memory announce.
#include <cooperative_groups.h>

#include <cuda/barrier>

#include "zoo.cuh"

namespace cg = cooperative_groups;

constexpr int bins = 16384, blocks_per_histogram = 4, own_bins = bins / blocks_per_histogram;

// Each block of a cluster has a quarter of the bins; additions go to whichever block has the bin.
__global__ void __cluster_dims__(blocks_per_histogram, 1, 1)
    hp_spread_bins(const unsigned* value, unsigned* histogram, int n) {
  __shared__ unsigned count[own_bins];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < own_bins; i += blockDim.x) count[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned bin = value[i] % bins;
    atomicAdd(cluster.map_shared_rank(count, bin / own_bins) + bin % own_bins, 1u);
  }
  cluster.sync();
  unsigned* to = histogram + cluster.block_rank() * own_bins;
  for (int i = threadIdx.x; i < own_bins; i += blockDim.x)
    if (count[i]) atomicAdd(&to[i], count[i]);
}

template <class Combine>
__device__ float over_block(float x, float* warps, Combine combine) {
  for (int d = 16; d; d /= 2) x = combine(x, __shfl_xor_sync(0xffffffffu, x, d));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = x;
  __syncthreads();
  x = warps[0];
  for (int w = 1; w < int(blockDim.x) / 32; ++w) x = combine(x, warps[w]);
  __syncthreads();
  return x;
}

constexpr int blocks_per_row = 8, part = 3072;

// Softmax of long rows: a row stays in the shared memory of a cluster's eight blocks, which read one
// another's sums.
__global__ void __cluster_dims__(blocks_per_row, 1, 1) __launch_bounds__(256)
    hp_share_rows(const float4* in, float4* out) {
  __shared__ float4 own[part / 4];
  __shared__ float warps[8], high, sum;
  cg::cluster_group cluster = cg::this_cluster();
  const size_t first = size_t(blockIdx.x) * (part / 4);
  float top = -1e30f;
  for (int i = threadIdx.x; i < part / 4; i += 256) {
    const float4 v = own[i] = in[first + i];
    top = fmaxf(top, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
  }
  top = over_block(top, warps, [](float a, float b) { return fmaxf(a, b); });
  if (threadIdx.x == 0) high = top;
  cluster.sync();
  for (int k = 0; k < blocks_per_row; ++k) top = fmaxf(top, *cluster.map_shared_rank(&high, k));
  float mine = 0;
  for (int i = threadIdx.x; i < part / 4; i += 256) {
    float4 v = own[i];
    v = make_float4(__expf(v.x - top), __expf(v.y - top), __expf(v.z - top), __expf(v.w - top));
    own[i] = v;
    mine += v.x + v.y + v.z + v.w;
  }
  mine = over_block(mine, warps, [](float a, float b) { return a + b; });
  if (threadIdx.x == 0) sum = mine;
  cluster.sync();
  float all = 0;
  for (int k = 0; k < blocks_per_row; ++k) all += *cluster.map_shared_rank(&sum, k);
  const float scale = 1 / all;
  for (int i = threadIdx.x; i < part / 4; i += 256) {
    const float4 v = own[i];
    out[first + i] = make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
  }
  cluster.sync();  // A block's shared memory is read until here.
}

// Rounds of relaxation in one launch. The grid ends early where a round has changed little, which all blocks
// know.
__global__ void hp_relax_rounds(const float* in, float* a, float* b, unsigned* largest, int width, int height,
                                int rounds) {
  cg::grid_group grid = cg::this_grid();
  const int n = width * height, first = int(grid.thread_rank()), all = int(grid.size());
  if (first < rounds) largest[first] = 0;
  for (int i = first; i < n; i += all) a[i] = in[i];
  grid.sync();
  for (int round = 0; round < rounds; ++round) {
    float change = 0;
    for (int i = first; i < n; i += all) {
      const int x = i % width, y = i / width;
      float v = __ldcg(&a[i]);
      if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
        const float next =
            0.25f * (__ldcg(&a[i - 1]) + __ldcg(&a[i + 1]) + __ldcg(&a[i - width]) + __ldcg(&a[i + width]));
        change = fmaxf(change, fabsf(next - v));
        v = next;
      }
      b[i] = v;
    }
    change = __uint_as_float(__reduce_max_sync(0xffffffffu, __float_as_uint(change)));
    if (threadIdx.x % 32 == 0) atomicMax(&largest[round], __float_as_uint(change));
    grid.sync();
    if (__ldcg(&largest[round]) < __float_as_uint(1e-6f)) break;
    float* swap = a;
    a = b;
    b = swap;
  }
}

constexpr int stages = 4, stage_values = 1024;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// One warp copies, four compute. A stage has two barriers: full, when its bytes are there; empty, when all
// have read it.
__global__ void __launch_bounds__(160) hp_feed_by_copier(const float* in, float* sums, int stages_in_all) {
  __shared__ alignas(16) float buffer[stages][stage_values];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier full[stages], empty[stages];
  __shared__ float warps[4];
  const int t = threadIdx.x;
  if (t < stages) {
    init(&full[t], 160);
    init(&empty[t], 160);
  }
  __syncthreads();
  float sum = 0;
  if (t >= 128) {
    for (int s = blockIdx.x, k = 0; s < stages_in_all; s += gridDim.x, ++k) {
      const int slot = k % stages;
      if (k >= stages) empty[slot].arrive_and_wait();
      for (int i = 4 * (t - 128); i < stage_values; i += 128)
        cuda::memcpy_async(&buffer[slot][i], &in[size_t(s) * stage_values + i], cuda::aligned_size_t<16>(16),
                           full[slot]);
      (void)full[slot].arrive();
    }
  } else {
    for (int s = blockIdx.x, k = 0; s < stages_in_all; s += gridDim.x, ++k) {
      const int slot = k % stages;
      full[slot].arrive_and_wait();
      for (int i = t; i < stage_values; i += 128) {
        const float x = buffer[slot][i];
        float y = x;
        for (int r = 0; r < 6; ++r) y = 0.5f * (y + (x + 1) / y);
        sum += y;
      }
      if (s + stages * int(gridDim.x) < stages_in_all) (void)empty[slot].arrive();
    }
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (t % 32 == 0) warps[t / 32] = sum;
  }
  __syncthreads();
  if (t == 0) sums[blockIdx.x] = warps[0] + warps[1] + warps[2] + warps[3];
}

static void share_rows(Zoo& zoo) {
  const int rows = 26, length = part * blocks_per_row;
  const auto in = random_floats(size_t(rows) * length, 2, -3, 3);
  std::vector<double> total(rows);
  for (size_t i = 0; i < in.size(); ++i) total[i / length] += exp(double(in[i]));
  float* out = zoo.zeros<float>(in.size());
  hp_share_rows<<<rows * blocks_per_row, 256>>>((const float4*)zoo.upload(in), (float4*)out);
  zoo.expect("hp_share_rows", out, in.size(), rows, 1e-4);
  const auto got = zoo.download(out, in.size());
  int wrong = 0;
  for (size_t i = 0; i < in.size(); i += 97) {
    const double want = exp(double(in[i])) / total[i / length];
    wrong += fabs(got[i] - want) > 1e-3 * want;
  }
  zoo.require("hp_share_rows", wrong == 0, "each value has its share of its row");
}

static void relax_rounds(Zoo& zoo) {
  int width = 230, height = 180, rounds = 36;
  const int n = width * height;
  auto want = random_floats(n, 3);
  const float* in = zoo.upload(want);
  float *a = zoo.zeros<float>(n), *b = zoo.zeros<float>(n);
  unsigned* largest = zoo.zeros<unsigned>(rounds);
  void* arguments[] = {&in, &a, &b, &largest, &width, &height, &rounds};
  zoo.ok(cudaLaunchCooperativeKernel((void*)hp_relax_rounds, dim3(96), dim3(256), arguments, 0, nullptr));
  for (int round = 0; round < rounds; ++round) {
    const auto before = want;
    for (int i = width; i < n - width; ++i)
      if (i % width > 0 && i % width < width - 1)
        want[i] = 0.25f * (before[i - 1] + before[i + 1] + before[i - width] + before[i + width]);
  }
  zoo.expect_each(
      "hp_relax_rounds", a, n, 1, [&](size_t i) { return want[i]; }, 1e-5);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("hp_spread_bins")) {
    const int n = 900000;
    const auto value = random_words(n, 1);
    std::vector<unsigned> want(bins);
    for (unsigned v : value) ++want[v % bins];
    unsigned* histogram = zoo.zeros<unsigned>(bins);
    hp_spread_bins<<<128, 512>>>(zoo.upload(value), histogram, n);
    zoo.expect_each(
        "hp_spread_bins", histogram, bins, 1, [&](size_t i) { return want[i]; }, 1e-12);
  }
  if (zoo.runs("hp_share_rows")) share_rows(zoo);
  if (zoo.runs("hp_relax_rounds")) relax_rounds(zoo);
  if (zoo.runs("hp_feed_by_copier")) {
    const int stages_in_all = 3000, blocks = 264;
    const auto in = random_floats(size_t(stages_in_all) * stage_values, 4, 1, 9);
    double want = 0;
    for (float x : in) want += sqrt(double(x) + 1);
    float* sums = zoo.zeros<float>(blocks);
    hp_feed_by_copier<<<blocks, 160>>>(zoo.upload(in), sums, stages_in_all);
    zoo.expect("hp_feed_by_copier", sums, blocks, want, 1e-4);
  }
  return zoo.done();
}
