// Special registers: every one of the PTX ISA up to sm_90 has a value, and the system's share of shared
// memory is memory of the block's own.
#include <bit>
#include <cmath>
#include <random>

#include "machine_rig.hpp"
#include "simt/ops/arithmetic/small_float.hpp"

using namespace dojo;
using dojo::simt::f16_format;
using dojo::simt::from_small;
using dojo::simt::Round;
using dojo::simt::to_small;
using dojo::test::Rig;

namespace {

/// PTX of kernel k(out), which stores registers of 32 bits and of 64 bits, each as 64 bits.
std::string read_all(const std::vector<std::string>& narrow, const std::vector<std::string>& wide) {
  std::string body;
  size_t at = 0;
  for (const std::string& name : narrow)
    body += "mov.u32 %r1, " + name + "; cvt.u64.u32 %rd2, %r1; st.global.u64 [%rd1+" +
            std::to_string(8 * at++) + "], %rd2;\n";
  for (const std::string& name : wide)
    body += "mov.u64 %rd2, " + name + "; st.global.u64 [%rd1+" + std::to_string(8 * at++) + "], %rd2;\n";
  return ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
         ".reg .b32 %r<4>; .reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\n" +
         body + "ret;\n}\n";
}

}  // namespace

TEST_CASE("machine: every special register of the PTX ISA has a value") {
  std::vector<std::string> narrow = {"%laneid",
                                     "%warpid",
                                     "%nwarpid",
                                     "%smid",
                                     "%nsmid",
                                     "%gridid",
                                     "%cluster_ctarank",
                                     "%cluster_nctarank",
                                     "%lanemask_eq",
                                     "%lanemask_le",
                                     "%lanemask_lt",
                                     "%lanemask_ge",
                                     "%lanemask_gt",
                                     "%clock",
                                     "%clock_hi",
                                     "%globaltimer_lo",
                                     "%globaltimer_hi",
                                     "%reserved_smem_offset_begin",
                                     "%reserved_smem_offset_end",
                                     "%reserved_smem_offset_cap",
                                     "%reserved_smem_offset_0",
                                     "%reserved_smem_offset_1",
                                     "%total_smem_size",
                                     "%aggr_smem_size",
                                     "%dynamic_smem_size"};
  std::vector<std::string> wide = {"%clock64", "%globaltimer", "%gridid", "%current_graph_exec"};
  for (const char* axis : {".x", ".y", ".z", ".w"})
    for (const char* name : {"%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid",
                             "%cluster_ctaid", "%cluster_nctaid"})
      narrow.push_back(std::string(name) + axis);
  for (int i = 0; i < 32; ++i) narrow.push_back("%envreg" + std::to_string(i));
  for (int i = 0; i < 8; ++i) {
    narrow.push_back("%pm" + std::to_string(i));
    wide.push_back("%pm" + std::to_string(i) + "_64");
  }
  Rig rig(Rig::FromPtx{read_all(narrow, wide)});
  const uint64_t out = rig.blank(8 * (narrow.size() + wide.size()));
  rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, out);
  CHECK(rig.found() == "");
}

TEST_CASE("machine: sizes of shared memory count in the device's units, with the system's share or without") {
  const std::vector<std::string> names = {"%total_smem_size",          "%aggr_smem_size",
                                          "%dynamic_smem_size",        "%reserved_smem_offset_begin",
                                          "%reserved_smem_offset_end", "%reserved_smem_offset_cap",
                                          "%reserved_smem_offset_1"};
  const auto got = [&](uint32_t unit) {
    Rig rig(Rig::FromPtx{read_all(names, {})});
    rig.config.smem_granularity = unit;
    const uint64_t out = rig.blank(8 * names.size());
    rig.launch("k", {1, 1, 1}, {1, 1, 1}, 1000, out);
    CHECK(rig.found() == "");
    return rig.read<uint64_t>(out, names.size());
  };
  const auto hopper = got(128), turing = got(256);
  CHECK(hopper[0] == 1024);
  CHECK(hopper[1] == 2048);
  CHECK(hopper[2] == 1000);
  CHECK(turing[1] == 2048);
  CHECK(hopper[5] == 1024);
  CHECK(hopper[4] - hopper[3] == hopper[5]);
  CHECK(hopper[6] >= hopper[3]);
  CHECK(hopper[6] < hopper[4]);
}

TEST_CASE("machine: %is_explicit_cluster is a predicate, and also true of a cluster of one block") {
  const char* source = R"(
__device__ int asked() {
  int is;
  asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.b32 %0, 1, 0, p; }" : "=r"(is));
  return is;
}
__global__ void plain(int* out) { out[blockIdx.x] = asked(); }
__global__ void __cluster_dims__(1, 1, 1) one(int* out) { out[blockIdx.x] = asked(); }
__global__ void __cluster_dims__(2, 1, 1) two(int* out) { out[blockIdx.x] = asked(); }
)";
  const auto seen = [&](const char* kernel) {
    Rig rig(source);
    const uint64_t out = rig.blank(2 * sizeof(int));
    rig.launch(kernel, {2, 1, 1}, {32, 1, 1}, 0, out);
    rig.run();
    return rig.read<int>(out, 2);
  };
  CHECK(seen("plain") == std::vector<int>{0, 0});
  CHECK(seen("one") == std::vector<int>{1, 1});
  CHECK(seen("two") == std::vector<int>{1, 1});
}

TEST_CASE("machine: groups of several warps meet in the system's share of shared memory") {
  const char* source = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
  __shared__ int mine[4];
  if (threadIdx.x < 4) mine[threadIdx.x] = 100;
  auto block = cg::this_thread_block();
  block.sync();
  auto half = cg::tiled_partition<64>(block);
  int sum = cg::reduce(half, int(threadIdx.x), cg::plus<int>());
  half.sync();
  out[threadIdx.x] = sum + mine[threadIdx.x % 4];
}
)";
  for (const bool debug : {false, true}) {
    CAPTURE(debug);
    Rig rig(source, "compute_90", debug);
    const uint64_t out = rig.blank(128 * sizeof(int));
    rig.launch("k", {2, 1, 1}, {128, 1, 1}, 0, out);
    rig.config.control.max_warp_instructions = 1'000'000;
    CHECK(rig.found() == "");
    const auto got = rig.read<int>(out, 128);
    CHECK(got[0] == 63 * 64 / 2 + 100);
    CHECK(got[127] == (64 + 127) * 64 / 2 + 100);
  }
}

TEST_CASE("machine: numbers that fade away are the processor's to the bit, round after round") {
  // Products by doubles begin with the block's second round (a barrier ends each).
  Rig rig(R"(
__global__ void k(float* out, float a, float b, int rounds) {
  __shared__ float tile[33];
  float v = out[threadIdx.x];
  for (int i = 0; i < rounds; ++i) {
    tile[threadIdx.x] = v;
    __syncthreads();
    const float next = threadIdx.x < 31 ? tile[threadIdx.x + 1] : 0;
    __syncthreads();
    v = __fmaf_rn(a, next, __fmul_rn(b, v));
    if (i % 3 == 0) v = __fdiv_rn(v, 1.25f);
  }
  out[threadIdx.x] = v;
}
)");
  std::vector<float> want(32);
  for (size_t i = 0; i < 32; ++i) want[i] = std::ldexp(1 + 0.03f * float(i), -100 - int(i));
  const float a = 0.37f, b = 0.41f;
  const int rounds = 30;
  const uint64_t out = rig.buffer(want);
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, out, a, b, rounds);
  CHECK(rig.found() == "");
  for (int i = 0; i < rounds; ++i)
    for (size_t t = 0; t < 32; ++t) {
      want[t] = std::fma(a, t < 31 ? want[t + 1] : 0.f, b * want[t]);
      if (i % 3 == 0) want[t] /= 1.25f;
    }
  const auto got = rig.read<float>(out, 32);
  int subnormal = 0;
  for (size_t t = 0; t < 32; ++t) {
    CHECK(std::bit_cast<uint32_t>(got[t]) == std::bit_cast<uint32_t>(want[t]));
    subnormal += std::fpclassify(want[t]) == FP_SUBNORMAL;
  }
  CHECK(subnormal > 0);
}

TEST_CASE("machine: fma of pairs of halves rounds the exact sum once") {
  Rig rig(R"(
__global__ void k(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* out, int n) {
  const int i = threadIdx.x;
  if (i < n) asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(out[i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
}
)");
  std::mt19937 random(11);
  // The exact sum, in steps of 2^-48, as a double whose last bit tells that something is lost.
  const auto exact = [](uint32_t x, uint32_t y, uint32_t z) {
    const auto steps = [](uint32_t h) { return __int128(from_small(h, f16_format) * 0x1p24); };
    const __int128 sum = steps(x) * steps(y) + (steps(z) << 24);
    const double near = double(sum);
    if (__int128(near) == sum) return near * 0x1p-48;
    uint64_t bits = std::bit_cast<uint64_t>(near);
    const bool beyond = (__int128(near) > sum) == (sum > 0);
    return std::bit_cast<double>((beyond ? bits - 1 : bits) | 1) * 0x1p-48;
  };
  int wrong = 0, seen = 0;
  for (const int n : {32, 32, 32, 32, 32, 32, 32, 21}) {
    std::vector<uint32_t> a(32), b(32), c(32);
    for (size_t i = 0; i < 32; ++i) a[i] = random(), b[i] = random(), c[i] = random();
    const uint64_t out = rig.blank(32 * 4);
    rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, rig.buffer(a), rig.buffer(b), rig.buffer(c), out, n);
    CHECK(rig.found() == "");
    const auto got = rig.read<uint32_t>(out, 32);
    for (size_t i = 0; i < size_t(n); ++i)
      for (int shift : {0, 16}) {
        const uint32_t x = a[i] >> shift & 0xffff, y = b[i] >> shift & 0xffff, z = c[i] >> shift & 0xffff;
        const auto finite = [](uint32_t h) { return (h & 0x7c00) != 0x7c00; };
        if (!finite(x) || !finite(y) || !finite(z)) continue;
        const double sum = exact(x, y, z);
        if (sum == 0) continue;
        ++seen;
        wrong += (got[i] >> shift & 0xffff) != to_small(sum, f16_format, Round::near);
      }
  }
  CHECK(wrong == 0);
  CHECK(seen > 300);
}
