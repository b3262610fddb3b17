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

TEST_CASE(
    "machine: createpolicy.fractional gives the bits of ptxas, and accesses take the policy as a hint") {
  Rig rig(R"(
__device__ unsigned long long last_of(float f) {
  unsigned long long p;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, %1;" : "=l"(p) : "f"(f));
  return p;
}
#define POLICY(WORDS, FRACTION)                                                \
  asm("createpolicy.fractional." WORDS ".b64 %0" FRACTION ";" : "=l"(p));     \
  *out++ = p;
__global__ void k(unsigned long long* out, const float* fractions, int* in, int* copy) {
  unsigned long long p;
  POLICY("L2::evict_last", "")
  POLICY("L2::evict_first", ", 1.0")
  POLICY("L2::evict_normal", ", 1.0")
  POLICY("L2::evict_unchanged", ", 0.5")
  POLICY("L2::evict_last.L2::evict_unchanged", ", 0.5")
  POLICY("L2::evict_last.L2::evict_first", ", 0.5")
  POLICY("L2::evict_normal.L2::evict_first", ", 1.0")
  for (int i = 0; i < 5; ++i) *out++ = last_of(fractions[i]);
  int v;
  asm volatile("ld.global.L2::cache_hint.b32 %0, [%1], %2;" : "=r"(v) : "l"(in), "l"(p));
  asm volatile("st.global.L2::cache_hint.b32 [%0], %1, %2;" :: "l"(copy), "r"(v), "l"(p) : "memory");
}
)");
  const uint64_t out = rig.blank(12 * 8), in = rig.buffer(std::vector<int>{77}), copy = rig.blank(4),
                 fractions = rig.buffer(std::vector<float>{0.0625f, 0.07f, 0.2f, 0.3f, 0.9f});
  rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, out, fractions, in, copy);
  CHECK(rig.found() == "");
  CHECK(rig.read<int>(copy, 1)[0] == 77);
  // What ptxas 13 stores for these constants, compiled for sm_90.
  const uint64_t expected[] = {0x14f, 0x12f, 0x16f, 0x107, 0x147, 0x157,
                               0x17f, 0x140, 0x141, 0x143, 0x144, 0x14e};
  const auto got = rig.read<uint64_t>(out, 12);
  for (size_t i = 0; i < std::size(expected); ++i) CHECK(got[i] == expected[i] << 52);
}

TEST_CASE("machine: PTX written by hand may have decimal floats") {
  Rig rig(R"(
__global__ void k(double* wide, float* out) {
  asm("add.f64 %0, %1, -2.5e-1;" : "=d"(wide[0]) : "d"(wide[0]));
  asm("add.f32 %0, %1, 0.5;" : "=f"(out[0]) : "f"(out[0]));
  asm("mul.f32 %0, %1, 1e2;" : "=f"(out[1]) : "f"(out[1]));
}
)");
  const uint64_t wide = rig.buffer(std::vector<double>{1}), out = rig.buffer(std::vector<float>{1, 3});
  rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, wide, out);
  CHECK(rig.found() == "");
  CHECK(rig.read<double>(wide, 1)[0] == 0.75);
  CHECK(rig.read<float>(out, 2) == std::vector<float>{1.5f, 300});
}

TEST_CASE("machine: what isn't modelled is refused by name, with the reason") {
  const char* lines[] = {
      "tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2}];",
      "wgmma.fence.sync.aligned;",
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, "
      "{%r1, %r2}], [%r2];",
      "createpolicy.range.global.L2::evict_last.b64 %rd1, [%rd2], 64, 128;",
      "add.loud.f32 %f1, %f2, %f3;",
      "frobnicate.b32 %r1, %r2;"};
  const char* words[] = {
      "integer coordinates of an array", "wgmma.fence", "TMA", "range", ".loud is unknown", "frobnicate.b32"};
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
