// Findings of the machine other than races: accesses out of bounds, uninitialised reads, barriers, deadlocks,
// masks, limits, const.
#include "device_fixture.hpp"
#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::found;
using dojo::test::Rig;

TEST_CASE("findings: out of bounds in global and shared memory, misaligned, null") {
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i + 1000];
})",
              1, 32) == "out_of_bounds:4");
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  extern __shared__ float s[];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = s[threadIdx.x ^ 1];
})",
              1, 64, 128) == "out_of_bounds:4");
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  float4 v = *(float4*)(a + 1 + threadIdx.x * 4);
  b[threadIdx.x] = v.x + v.y + v.z + v.w;
})",
              1, 32) == "misaligned:3");
  Rig rig("__global__ void k(const float* a, float* b) {\n  b[threadIdx.x] = a[threadIdx.x];\n}");
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, uint64_t(0), rig.blank(128));
  CHECK(rig.found() == "out_of_bounds:2");
  CHECK(rig.findings[0].message.find("null pointer") != std::string::npos);
}

TEST_CASE("findings: an uninitialised read of shared, global and local memory") {
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  __shared__ float s[64];
  if (threadIdx.x != 5) s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = s[63 - threadIdx.x];
})",
              2, 64) == "uninitialized:6");
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  a[threadIdx.x] = b[threadIdx.x];
})",
              1, 32) == "uninitialized:3");
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 1.f;
  __syncthreads();
  a[i] = b[i ^ 1];
})",
              4, 64) == "");
}

TEST_CASE("findings: barrier divergence, absent lanes, deadlock") {
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  if (threadIdx.x >= n) return;
  b[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = b[threadIdx.x];
})",
              1, 128, 0, 100) == "barrier_divergence:5");
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  float v = a[threadIdx.x];
  if (threadIdx.x < 16) v += __shfl_down_sync(0xffffffff, v, 8);
  b[threadIdx.x] = v;
})",
              1, 32)
            .find("absent_lane:4") == 0);
  CHECK(found(R"(
__device__ int flag;
__global__ void k(float* a, float* b, int n) {
  if (threadIdx.x == 0) while (atomicAdd(&flag, 0) == 0) {}
  __syncthreads();
  b[threadIdx.x] = a[threadIdx.x];
})",
              2, 32) == "deadlock:4");
  CHECK(found(R"(
__device__ int first = 1, second = 1;  // two locks that no thread gives back, tried one after the other
__global__ void k(float* a, float* b, int n) {
  if (threadIdx.x == 0)
    while (atomicCAS(&first, 0, 1) != 0 && atomicCAS(&second, 0, 1) != 0) {}
  b[threadIdx.x] = a[threadIdx.x];
})",
              2, 32)
            .find("deadlock:") == 0);
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  __shared__ int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  if (threadIdx.x == 40) while (*(volatile int*)&turn != 3) {}
  __syncthreads();
  b[threadIdx.x] = a[threadIdx.x];
})",
              2, 64) == "deadlock:6");
}

TEST_CASE(
    "findings: a race is told however often flags were looked at before, and an order through other blocks "
    "is seen") {
  // Two flags in turn, 30000 looks: a search over all of them would give up. The word of block 0 has no
  // fence.
  CHECK(found(R"(
__device__ int word, flags[2];
__global__ void k(float* a, float* b, int n) {
  if (blockIdx.x == 0) {
    word = 7;
    atomicExch(flags, 1);
  } else {
    int seen = 0;
    for (int i = 0; i < 15000; ++i) seen += atomicAdd(flags, 0) + atomicAdd(flags + 1, 0);
    b[2] = seen + word;
  }
})",
              2, 1) == "race:10");
  // Block 0 tells 1, 1 tells 2, 2 tells 3: what 0 wrote is there for 3.
  const std::string chain = R"(
__device__ int word;
__global__ void k(float* a, float* b, int n) {
  int* flags = (int*)b;
  if (blockIdx.x == 0) word = 7;
  else while (atomicAdd(flags + blockIdx.x - 1, 0) == 0) {}
  FENCE
  if (blockIdx.x == 3) b[8] = word;
  atomicExch(flags + blockIdx.x, 1);
})";
  auto with = [&](const char* fence) {
    std::string s = chain;
    s.replace(s.find("FENCE"), 5, fence);
    return found(s.c_str(), 4, 1);
  };
  CHECK(with("__threadfence();") == "");
  CHECK(with("") == "race:8");
}

TEST_CASE("findings: the same whatever the number of threads") {
  const char* source = R"(
__global__ void k(float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  if (blockIdx.x % 5 == 3) a[i % 64] = v + 1;
  b[i] = v;
})";
  auto run = [&](int threads) {
    Rig rig(source);
    std::vector<float> data(32 * 256);
    for (size_t i = 0; i < data.size(); ++i) data[i] = float(i);
    uint64_t a = rig.buffer(data, "a"), b = rig.blank(data.size() * 4, "b");
    rig.config.control.threads = threads;
    rig.launch("k", {256, 1, 1}, {32, 1, 1}, 0, a, b, 0);
    std::string text = rig.found();
    for (const Diagnostic& d : rig.findings)
      text += " " + d.message + std::to_string(d.block->x) + "/" + std::to_string(d.thread->x);
    return std::pair(text, rig.read<float>(a, 64));
  };
  auto one = run(1), two = run(2);
  CHECK(one.first.find("race") == 0);
  CHECK(one == two);
}

TEST_CASE("findings: a member mask must name its caller; each mask's lanes are on their own") {
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  float v = a[threadIdx.x];
  b[threadIdx.x] = v + __shfl_xor_sync(0x0000ffff, v, 1);
})",
              1, 32) == "absent_lane:4");
  CHECK(found(R"(
__global__ void k(float* a, float* b, int n) {
  if (threadIdx.x < 16) __syncwarp(0xffff0000);
  b[threadIdx.x] = a[threadIdx.x];
})",
              1, 32)
            .find("absent_lane:3") == 0);
  // Four masks in one instruction, and in a branch that only some of the tiles take.
  Rig rig(R"(
__global__ void k(const float* a, unsigned* b) {
  const unsigned tile = threadIdx.x / 8, mask = 0xffu << (8 * tile);
  b[threadIdx.x] = __ballot_sync(mask, a[threadIdx.x] > 10.f);
  __syncwarp(mask);
  if (tile % 2) b[32 + threadIdx.x] = __reduce_add_sync(mask, threadIdx.x % 8);
  else b[32 + threadIdx.x] = __shfl_sync(mask, threadIdx.x, 3, 8);
})");
  std::vector<float> data(32);
  for (size_t i = 0; i < 32; ++i) data[i] = float(i);
  const uint64_t a = rig.buffer(data), b = rig.blank(256);
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, a, b);
  CHECK(rig.found() == "");
  const auto r = rig.read<uint32_t>(b, 64);
  CHECK(r[0] == 0);
  CHECK(r[8] == 0xf800);
  CHECK(r[31] == 0xff000000);
  CHECK(r[32] == 3);
  CHECK(r[40] == 28);
  CHECK(r[48] == 19);
}

TEST_CASE("findings: in a helper, at the helper's line, with the call") {
  Rig rig(R"(
__device__ float load(const float* p, int i) {
  return p[i];
}
__global__ void k(float* a, float* b, int n) {
  b[threadIdx.x] = load(a, threadIdx.x + 2000);
})");
  const uint64_t a = rig.buffer(std::vector<float>(64)), b = rig.blank(4096);
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, a, b, 0);
  try {
    rig.run();
    FAIL("not found");
  } catch (const RunStopped& stop) {
    CHECK(stop.why.kind == FindingKind::out_of_bounds);
    CHECK(stop.why.where.line == 3);
    REQUIRE(!stop.why.related.empty());
    CHECK(stop.why.related[0].where.line == 6);
  }
}

TEST_CASE("findings: a run that races nearly everywhere ends with the finding before its limit") {
  Rig rig(R"(
__global__ void k(float* a, float* b, int n) {
  for (int i = 0; i < 1000000; ++i) *(float*)&a[(threadIdx.x + i) % 16] += 1.f;
})");
  rig.config.control.max_warp_instructions = 40'000'000;
  const uint64_t a = rig.buffer(std::vector<float>(64)), b = rig.blank(4096);
  rig.launch("k", {64, 1, 1}, {64, 1, 1}, 0, a, b, 0);
  CHECK(rig.found().find("race:3") == 0);
}

TEST_CASE(
    "findings: an endless loop around a barrier ends at its limit, at the same place on any number of "
    "threads") {
  // A block of one warp passes its barriers alone.
  for (const uint32_t block : {64u, 32u}) {
    std::string first;
    for (const int threads : {1, 2, 3}) {
      CAPTURE(block);
      CAPTURE(threads);
      Rig rig(R"(
__global__ void k(float* a, float* b, int n) {
  if (threadIdx.x < 3) return;
  for (int i = 0;; ++i) {
    __syncthreads();
    if (i % 3 == 1) __threadfence();
  }
})");
      rig.config.control.max_warp_instructions = 1'000'000;
      rig.config.control.threads = threads;
      rig.launch("k", {64, 1, 1}, {block, 1, 1}, 0, rig.blank(4096), rig.blank(4096), 0);
      const std::string found = rig.found();
      CHECK(found.find("timeout:") != std::string::npos);
      if (threads == 1) first = found;
      CHECK(found == first);
    }
  }
}

TEST_CASE("findings: an endless loop ends at its line before the record of its blocks fills the memory") {
  for (const int threads : {1, 3}) {
    CAPTURE(threads);
    Rig rig(R"(
__global__ void k(const float* a, float* b, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned j = 0; a[(i + j) % 64] < 1.f; ++j) { }
  b[i] = 1.f;
})");
    rig.config.control.threads = threads;
    rig.config.control.max_warp_instructions = 400'000'000;  // the test ends, should the limit fail
    rig.config.trace_block = [](uint32_t, uint64_t block) { return block == 0; };
    rig.config.most_kept_bytes = 4 << 20;
    rig.launch("k", {1, 1, 1}, {64, 1, 1}, 0, rig.buffer(std::vector<float>(64)), rig.blank(4096), 0);
    try {
      rig.run();
      FAIL("not stopped");
    } catch (const RunStopped& stop) {
      CHECK(stop.why.kind == FindingKind::timeout);  // a grader blames the file, not its own machine
      CHECK(stop.why.where.line == 4);
      CHECK(stop.why.message ==
            "Stopped: it has executed too many instructions to model its time; their record has grown to 4 "
            "MiB. "
            "Block 0 is still at line 4. Check that its loop ends.");
    }
  }
}

TEST_CASE("findings: printf of wide fields counts in the limit of instructions") {
  // 20,000 texts: of 16,000 characters they are 320 MB.
  const auto found = [](const char* kernel) {
    Rig rig(kernel);
    rig.config.control.max_warp_instructions = 15'000'000;
    rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, rig.blank(4096), rig.blank(4096), 0);
    return rig.found();
  };
  CHECK(found(R"(#include <cstdio>
__global__ void k(float* a, float* b, int n) {
  for (int i = 0; i < 20000; ++i) printf("%16000d", i);
})")
            .find("timeout:") != std::string::npos);
  CHECK(found(R"(#include <cstdio>
__global__ void k(float* a, float* b, int n) {
  for (int i = 0; i < 20000; ++i) printf("%10d", i);
})")
            .empty());
}

TEST_CASE("findings: a low limit of instructions is kept, though a warp alone may run for long") {
  Rig rig(R"(
__global__ void k(unsigned* turns, float* b, int n) {
  for (unsigned i = 0;; ++i) *(volatile unsigned*)&turns[threadIdx.x] = i;
})");
  rig.config.control.max_warp_instructions = 4000;
  const uint64_t turns = rig.blank(4096);
  rig.launch("k", {1, 1, 1}, {128, 1, 1}, 0, turns, rig.blank(4096), 0);
  CHECK(rig.found().find("timeout:") != std::string::npos);
  const auto reached = rig.read<uint32_t>(turns, 128);
  uint32_t all = 0;  // every turn takes a warp more than one instruction
  for (int warp = 0; warp < 4; ++warp) all += reached[size_t(warp) * 32];
  CHECK(all > 400);
  CHECK(all < 6000);
}

TEST_CASE("findings: a store through a pointer to const, unless the memory is also passed as writable") {
  const char* source = R"(
__global__ void k(const float* in, float* out, int n) {
  ((float*)in)[threadIdx.x] = 0.f;
  if (out) out[threadIdx.x] = 1.f;
})";
  Rig rig(source);
  const uint64_t in = rig.buffer(std::vector<float>(64), "in"), out = rig.blank(256);
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, in, out, 0);
  CHECK(rig.found() == "const_write:3");
  CHECK(!rig.memory.find(in)->read_only);
  Rig both(source);
  const uint64_t same = both.buffer(std::vector<float>(64), "in");
  both.launch("k", {1, 1, 1}, {32, 1, 1}, 0, same, same, 0);
  CHECK(both.found() == "");
}

TEST_CASE(
    "findings: a shuffle from an absent lane gives the bits that a run asks for, and is a warning then") {
  dojo::test::Kernels k(R"(
__global__ void sum_of_eight(const float* a, float* b) {
  float v = a[threadIdx.x];
  if (threadIdx.x < 8) {
    for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xff, v, d);
    b[threadIdx.x] = v;
  }
})");
  k.control.undefined = RunControl::UndefinedLane{0x7F7FFFFFu, false};
  k.device->set_control(k.control);
  const uint64_t in = k.buffer_of(std::vector<float>(32, 1.0f)), out = k.buffer(32);
  REQUIRE(k.device->launch(k.spec("sum_of_eight", {1, 1, 1}, {32, 1, 1}, in, out)).ok());
  REQUIRE(k.device->synchronize().ok());
  const std::vector<float> sums = k.read<float>(out, 8);
  CHECK(sums[0] == 8);     // of lanes 0 to 7 alone
  CHECK(sums[7] > 1e38f);  // of lanes 8 and beyond, too
  const std::vector<Diagnostic> found = k.device->take_findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == FindingKind::undefined_lane);
  CHECK(found[0].severity == Severity::warning);
}
