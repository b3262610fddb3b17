// Instructions that need more than one kernel line to be seen: stack room, vector and wide atomics, refusals.
#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::Rig;

TEST_CASE("machine: alloca gives each thread room of its own, in kernels and in functions they call") {
  Rig rig(R"(
__device__ __forceinline__ int* room(unsigned long long bytes) {
  int* p;
  asm volatile("{ .reg .b64 a; alloca.u64 a, %1; cvta.local.u64 %0, a; }"
               : "=l"(p)
               : "l"(bytes));
  return p;
}
__device__ __noinline__ int fill(int n, int seed) {
  int* p = room(n * sizeof(int));
  for (int i = 0; i < n; ++i) p[i] = seed + i;
  int sum = 0;
  for (int i = n - 1; i >= 0; --i) sum += p[i];
  return sum;
}
__global__ void k(int* out, int n) {
  int t = threadIdx.x;
  int* mine = room((n + t) * sizeof(int));
  for (int i = 0; i < n + t; ++i) mine[i] = i * t;
  int v = t & 1 ? fill(n, t) : 0;
  for (int i = 0; i < n + t; ++i) v += mine[i];
  out[t] = v;
}
)");
  const uint64_t out = rig.blank(32 * 4);
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, out, 9);
  CHECK(rig.found() == "");
  const auto got = rig.read<int>(out, 32);
  for (int t = 0; t < 32; ++t) {
    int expected = t & 1 ? 9 * t + 36 : 0;
    for (int i = 0; i < 9 + t; ++i) expected += i * t;
    CHECK(got[size_t(t)] == expected);
  }
}

TEST_CASE("machine: an alloca beyond a thread's stack ends the run with its place") {
  Rig rig(R"(
__global__ void k(int* out, int n) {
  int* p;
  asm volatile("{ .reg .b64 a; alloca.u64 a, %1; cvta.local.u64 %0, a; }"
               : "=l"(p) : "l"((unsigned long long)n));
  p[0] = 1;
  out[0] = p[n / 8];
}
)");
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, rig.blank(4), 100000000);
  CHECK(rig.found().find("trap") != std::string::npos);
}

TEST_CASE("machine: float4 and float2 atomics add element by element; 128-bit words are exchanged whole") {
  Rig rig(R"(
__global__ void k(float4* a, float2* b, unsigned long long* c, unsigned long long* seen) {
  int t = threadIdx.x;
  atomicAdd(a, make_float4(1, 2, 3, t));
  atomicAdd(b + 1, make_float2(0.5f, -1));
  unsigned long long mine = t + 1, low, high;
  asm volatile("{ .reg .b128 x, y; mov.b128 x, {%3, %3};"
               "  atom.global.exch.b128 y, [%2], x; mov.b128 {%0, %1}, y; }"
               : "=l"(low), "=l"(high) : "l"(c), "l"(mine) : "memory");
  seen[2 * t] = low;
  seen[2 * t + 1] = high;
}
)");
  const uint64_t a = rig.buffer(std::vector<float>(4)), b = rig.buffer(std::vector<float>(4)),
                 c = rig.buffer(std::vector<uint64_t>(2)), seen = rig.blank(32 * 16);
  rig.config.control.checks = false;
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, a, b, c, seen);
  rig.run();
  CHECK(rig.read<float>(a, 4) == std::vector<float>{32, 64, 96, 496});
  CHECK(rig.read<float>(b, 4) == std::vector<float>{0, 0, 16, -32});
  const auto got = rig.read<uint64_t>(seen, 64);
  for (size_t t = 0; t < 32; ++t) {
    CHECK(got[2 * t] == t);
    CHECK(got[2 * t + 1] == t);
  }
  CHECK(rig.read<uint64_t>(c, 2) == std::vector<uint64_t>{32, 32});
}

TEST_CASE("machine: what isn't modelled is refused by name, with the reason") {
  const char* lines[] = {
      "tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2}];", "wgmma.fence.sync.aligned;",
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, "
      "{%r1, %r2}], [%r2];",
      "add.loud.f32 %f1, %f2, %f3;", "frobnicate.b32 %r1, %r2;"};
  const char* words[] = {"integer coordinates of an array", "wgmma.fence", "TMA", ".loud is unknown",
                         "frobnicate.b32"};
  for (size_t i = 0; i < std::size(lines); ++i) {
    Rig rig(Rig::FromPtx{
        std::string(".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n.reg "
                    ".b32 %r<4>;\n.reg .f32 %f<5>;\n.reg .b64 %rd<3>;\n") +
        lines[i] + "\nret;\n}\n"});
    const auto refused = simt::unsupported(*rig.program);
    REQUIRE(refused.size() == 1);
    CHECK(refused[0].message.find(words[i]) != std::string::npos);
  }
}
