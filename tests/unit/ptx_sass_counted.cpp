// Shapes against what Nsight Compute counted on an H100 and an H200 (assets/recordings): code that ptxas
// rearranged. Every figure is a warp's share of smsp__inst_executed.sum and its relatives.
#include <doctest/doctest.h>

#include "../near.hpp"
#include "ptx_build.hpp"
#include "ptx_walk.hpp"

using namespace dojo;
using namespace dojo::ptx;

namespace {

struct Counted {
  Built built;
  const Function* f = nullptr;
  CodeShape shape;
  explicit Counted(const char* source) : built(build(source)) {
    for (const Function& each : built.module->functions)
      if (each.kernel && each.defined) f = &each;
    REQUIRE(f);
    shape = sass_shape(*built.module, *f, built.cubin);
    CHECK_FALSE(shape.estimated);
  }
  ExecutedCounts of(uint32_t threads, std::vector<uint64_t> params, uint32_t blocks = 1) const {
    Walk walk(*f, threads, std::move(params), blocks);
    return count_executed(shape, *f, walk.visited);
  }
};

}  // namespace

TEST_CASE("sass: the last turns of an unrolled loop, which end in the kernel's return, are the loop's") {
  // banks/3-vector: 31 instructions a warp, one load and one store. The loop is for a chunk that isn't whole.
  const Counted k(R"(
__global__ void reverse_chunks(const float* in, float* out, int n) {
  __shared__ float4 buf[256];
  int t = threadIdx.x, first = blockIdx.x * 1024, length = min(1024, n - first);
  if (length == 1024) {
    buf[t] = reinterpret_cast<const float4*>(in + first)[t];
    __syncthreads();
    float4 v = buf[255 - t];
    reinterpret_cast<float4*>(out + first)[t] = {v.w, v.z, v.y, v.x};
  } else {
    for (int i = t; i < length; i += 256) out[first + i] = in[first + length - 1 - i];
  }
})");
  const auto whole = k.of(256, {0, 0, 4096}, 4);
  CHECK(whole.all.warp == 8 * 31);
  CHECK(whole.global_loads == 8);
  CHECK(whole.global_stores == 8);
  // A loop of one load a turn: as many as turns, in whatever steps they are taken.
  for (uint64_t n : {256, 512, 768}) {
    CAPTURE(n);
    CHECK(k.of(256, {0, 0, n}).global_loads == n / 32);
  }
}

TEST_CASE("sass: a switch by a table of jumps") {
  // tests/counters/control.cu: 46 instructions a warp of five ways, four of them divergent. What fills the
  // function up behind its end is no target.
  const Counted k(R"(
__global__ void switched(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  switch (i % 5) {
    case 0: v += 3; break;
    case 1: v *= 7; break;
    case 2: v ^= 0x55; break;
    case 3: v = v / 3; break;
    default: v = -v;
  }
  out[i] = v;
})");
  const auto c = k.of(256, {0, 0});
  CHECK(c.all.warp == 8 * 46);
  CHECK(c.divergent_branches == 8 * 4);
}

TEST_CASE("sass: the turn that is taken out of a loop, ahead of it, is not the loop's too") {
  // conv1d/5-wide: 65 weights, 65 loads of shared memory a warp.
  const Counted k(R"(
__constant__ float weights[65];
__global__ void filter_wide(const float* in, float* out, int n, int r) {
  __shared__ float tile[256 + 64];
  int first = blockIdx.x * 256, inputs = min(256, n - first) + 2 * r;
  for (int t = threadIdx.x; t < inputs; t += 256) tile[t] = in[first + t];
  __syncthreads();
  int i = first + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k <= 2 * r; ++k) sum += weights[k] * tile[threadIdx.x + k];
  out[i] = sum;
})");
  for (uint64_t r : {32, 8, 3}) {
    CAPTURE(r);
    CHECK(k.of(256, {0, 0, 1024, r}, 4).shared_loads == 8 * (2 * r + 1));
  }
}

TEST_CASE("sass: a way with an exit of its own doesn't run the one that others share") {
  // elementwise/4-vec4: 49 instructions a warp.
  const Counted k(R"(
__device__ float sigmoid_of(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }
__global__ void sigmoid_kernel(const float* in, float* out, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 3 < n) {
    const float4 x = reinterpret_cast<const float4*>(in)[first / 4];
    reinterpret_cast<float4*>(out)[first / 4] =
        make_float4(sigmoid_of(x.x), sigmoid_of(x.y), sigmoid_of(x.z), sigmoid_of(x.w));
  } else {
    for (int i = first; i < n; ++i) out[i] = sigmoid_of(in[i]);
  }
})");
  CHECK(k.of(256, {0, 0, 4096}, 4).all.warp == 8 * 49);
}

TEST_CASE("sass: what leads into an unrolled loop runs only where there are turns enough for it") {
  // banks/2-transpose-shared: 149 instructions a warp. The loop of four turns at a time is unrolled four
  // times over, and passed by.
  const Counted k(R"(
__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, col0 = blockIdx.x * 32, row0 = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += 8)
    if (row0 + j < rows && col0 + x < cols) tile[j][x] = in[(row0 + j) * cols + col0 + x];
  __syncthreads();
  for (int j = threadIdx.y; j < 32; j += 8)
    if (col0 + j < cols && row0 + x < rows) out[(col0 + j) * rows + row0 + x] = tile[x][j];
})");
  CHECK(k.of(32, {0, 0, 1024, 1024}).all.warp == 149);
}

TEST_CASE("sass: the jump over a slow path is taken by all lanes") {
  // tests/counters/control.cu, by_warp: 29.65 lanes on, though each square root has such a jump.
  const Counted k(R"(
__global__ void by_warp(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (threadIdx.x / 32 % 2)
    for (int k = 0; k < 10; ++k) v = sqrtf(v + k);
  else
    for (int k = 0; k < 6; ++k) v = __expf(v) * 0.5f;
  out[i] = v;
})");
  const auto c = k.of(256, {0, 0});
  CHECK(double(c.all.thread_on) / double(c.all.warp) == dojo::tolerance::within(29.65, 0.005));
}

TEST_CASE("sass: a loop one of whose instructions is there twice is not unrolled") {
  // Of tests/microbench/rounds.cu: 32 multiply-adds a turn of the inner loop; 8 turns a round were counted
  // as 4.
  const Counted k(R"(
__global__ void rounds(float* out, int rounds, int pause) {
  float v = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
#pragma unroll 1
    for (int i = 0; i < pause / 32; ++i)
#pragma unroll
      for (int j = 0; j < 32; ++j) v = v * 0.5f + 1.0f;
    float s = 0;
    s += v;
    if (s == 12345.0f) out[r] = v + s;
  }
  if (v == 54321.0f) out[0] = v;
})");
  const auto ten = k.of(32, {0, 10, 256}), twenty = k.of(32, {0, 20, 256});
  CHECK(twenty.all.warp - ten.all.warp >= 10 * 8 * 33);
  CHECK(twenty.all.warp - ten.all.warp <= 10 * (8 * 40 + 24));
  CHECK_FALSE(ten.estimated);
  // A shape that counts the multiply-adds of half of the turns contradicts the PTX: its counts are no longer
  // called exact.
  Counted half = k;
  for (ShapeBlock& b : half.shape.blocks)
    for (ShapeOp& op : b.ops)
      if (op.period == 1) op.period = 2;
  CHECK(half.of(32, {0, 10, 256}).estimated);
}

TEST_CASE("sass: a float's atomic in shared memory is a loop within the loop, once per round") {
  const Counted k(R"(
__global__ void float_sums(const float* in, float* out, int n) {
  __shared__ float cells[64];
  cells[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&cells[int(in[i]) & 63], in[i + n]);
  __syncthreads();
  out[threadIdx.x] = cells[threadIdx.x];
})");
  constexpr uint64_t warps = 2, turns = 11;
  Walk walk(*k.f, 64, {0, 0, 64 * turns});
  const auto once = count_executed(k.shape, *k.f, walk.visited);
  CHECK(once.global_loads == warps * turns * 2);
  CHECK(once.shared_loads == warps * (turns + 1));
  // Three rounds more: a load, an addition, a compare-and-swap, a comparison and a branch each.
  for (size_t i = 0; i < k.f->code.size(); ++i)
    if (k.f->code[i].parts[0] == "atom") walk.visited[i].rare = 3, walk.visited[i].rare_lanes = 7;
  const auto more = count_executed(k.shape, *k.f, walk.visited);
  CHECK(more.global_loads == once.global_loads);
  CHECK(more.shared_loads == once.shared_loads + 3);
  CHECK(more.all.warp == once.all.warp + 3 * 5);
  CHECK(more.all.thread == once.all.thread + 7 * 5);
}

TEST_CASE("sass: a vector load that becomes two narrower ones is no sign of an unrolled loop") {
  const Counted k(R"(
__global__ void pairs(const float4* in, float* out, int n, int loaded) {
  __shared__ float4 s[64];
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < n; ++r) {
    if (r < loaded) s[threadIdx.x] = in[r * 64 + threadIdx.x];
    __syncthreads();
    const float4 a = s[threadIdx.x], b = s[threadIdx.x ^ 1];
    sum += a.x * b.y + a.z * b.w;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
})");
  constexpr uint64_t warps = 2;
  for (uint64_t n : {1, 2, 7, 12}) {
    CAPTURE(n);
    const auto c = k.of(64, {0, 0, n, n});
    CHECK(c.global_loads == warps * n);
    CHECK(c.shared_stores == warps * n);
    CHECK(c.shared_loads == warps * n * 4);
  }
}
