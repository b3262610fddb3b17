// Floating atomics whose result no instruction reads: blocks run at once, sums come out in block order, and a
// block sees what it has added itself.
#include <array>
#include <bit>

#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::Rig;

namespace {

/// Runs a kernel k(float* sum, float* seen) of 64 blocks of 64 threads on so many host threads; sum starts
/// with `first`. Returns sum's and seen's words.
std::vector<uint32_t> words(const char* source, int threads, bool* ordered, float first = 0) {
  Rig rig(source);
  rig.config.control.threads = threads;
  std::vector<float> start(64 * 64, first);
  const uint64_t sum = rig.buffer(start, "sum"), seen = rig.buffer(std::vector<float>(64 * 64, -1.f), "seen");
  rig.launch("k", {64, 1, 1}, {64, 1, 1}, 0, sum, seen);
  const auto traces = rig.run();
  if (ordered) *ordered = traces[0].ordered;
  std::vector<uint32_t> all = rig.read<uint32_t>(sum, 64 * 64), rest = rig.read<uint32_t>(seen, 64 * 64);
  all.insert(all.end(), rest.begin(), rest.end());
  for (const Diagnostic& d : rig.findings) MESSAGE(to_string(d.kind) << ": " << d.message);
  CHECK(rig.findings.empty());
  return all;
}
float at(const std::vector<uint32_t>& v, size_t i) { return std::bit_cast<float>(v[i]); }

}  // namespace

TEST_CASE("reds: a thread's own addition is seen by its plain load, on any number of host threads") {
  const char* source = R"(
__global__ void k(float* sum, float* seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sum[i], 1.5f + i);
  seen[i] = sum[i];
})";
  for (int threads : {1, 4}) {
    CAPTURE(threads);
    bool ordered = true;
    const auto v = words(source, threads, &ordered, 0.25f);
    CHECK_FALSE(ordered);
    bool same = true;
    for (size_t i = 0; i < 64 * 64; ++i) same &= at(v, i) == 1.75f + float(i) && v[64 * 64 + i] == v[i];
    CHECK(same);
  }
}

TEST_CASE("reds: behind a barrier the block sees what its other threads added; a later store stays") {
  const char* source = R"(
__global__ void k(float* sum, float* seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, other = blockIdx.x * blockDim.x + 63 - threadIdx.x;
  atomicAdd(&sum[i], float(threadIdx.x));
  __syncthreads();
  seen[i] = sum[other];
  __syncthreads();
  if (threadIdx.x < 32) sum[i] = -2.f;
})";
  for (int threads : {1, 4}) {
    CAPTURE(threads);
    const auto v = words(source, threads, nullptr);
    bool same = true;
    for (size_t i = 0; i < 64 * 64; ++i) {
      const size_t t = i % 64;
      same &= at(v, i) == (t < 32 ? -2.f : float(t)) && at(v, 64 * 64 + i) == float(63 - t);
    }
    CHECK(same);
  }
}

TEST_CASE("reds: a sum over all blocks has the same bits on any number of host threads") {
  const char* source = R"(
__global__ void k(float* sum, float* seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 1.0f / (1 + i) * (i % 3 ? 1.f : -77.f);
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, v);
  seen[i] = v;
})";
  const auto one = words(source, 1, nullptr);
  for (int threads : {2, 4}) CHECK(words(source, threads, nullptr) == one);
  // In block order, one warp after the other.
  float sum = 0;
  for (size_t w = 0; w < 64 * 2; ++w) sum += at(one, 64 * 64 + w * 32);
  CHECK(at(one, 0) == sum);
}

TEST_CASE("reds: integers and floats in one buffer") {
  const char* source = R"(
__global__ void k(float* sum, float* seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sum[i], 2.0f);
  atomicAdd((unsigned*)&sum[i], 0x800000u);  // twice as much
  atomicAdd(&sum[i], 2.0f);
  seen[i] = 0;
})";
  const float expected = 2.0f * 2.0f + 2.0f;
  for (int threads : {1, 4}) {
    const auto v = words(source, threads, nullptr);
    bool same = true;
    for (size_t i = 0; i < 64 * 64; ++i) same &= at(v, i) == expected;
    CHECK(same);
  }
}

TEST_CASE("reds: rounds of a float's addition in shared memory are the lanes on its busiest address") {
  Rig rig(R"(
__global__ void k(float* sum, int cells) {
  __shared__ float s[32];
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x % cells], 1.0f);
  __syncthreads();
  sum[threadIdx.x] = s[threadIdx.x];
})");
  const uint64_t sum = rig.blank(32 * sizeof(float));
  // Lanes per address: 1; 4 in each of 8; 7 at most in each of 5 (two of 7, three of 6).
  const std::vector<std::array<uint64_t, 3>> expected = {{32, 0, 0}, {8, 3, 8 * 6}, {5, 6, 2 * 21 + 3 * 15}};
  for (const auto& [cells, rounds, lanes] : expected) {
    CAPTURE(cells);
    rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, sum, int(cells));
    const auto traces = rig.run();
    const ptx::Function* f = rig.module->find_base("k", true);
    const auto& counts = traces[0].counts[size_t(f - rig.module->functions.data())];
    for (size_t i = 0; i < counts.size(); ++i) {
      if (f->code[i].parts[0] != "atom") continue;
      CHECK(counts[i].rare == rounds);
      CHECK(counts[i].rare_lanes == lanes);
    }
    CHECK(rig.read<float>(sum, 1)[0] == float((32 + cells - 1) / cells));
  }
}
