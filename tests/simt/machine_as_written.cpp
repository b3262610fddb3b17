// Compiled without optimisation, intrinsics are calls, and lanes that leave a loop at different turns come to
// them one after the other. They still meet; a lane that stays away is still found.
#include "machine_rig.hpp"

#include <algorithm>

using namespace dojo;
using dojo::test::Rig;

namespace {

struct Outcome {
  std::string found;
  std::vector<int> out;
};
/// Runs k(int* out, int n) as one block of `threads`, compiled with -G or not.
Outcome run(const char* source, uint32_t threads, int n, bool debug) {
  Rig rig(source, "compute_75", debug);
  const uint64_t out = rig.buffer(std::vector<int>(256, -1), "out");
  rig.launch("k", {1, 1, 1}, {threads, 1, 1}, 0, out, n);
  Outcome o;
  o.found = rig.found();
  o.out = rig.read<int>(out, 256);
  return o;
}
/// No finding, and the same results, with and without optimisation, whatever the trip counts.
void check_clean(const char* source) {
  for (uint32_t threads : {32u, 96u})
    for (int n : {0, 1, 2, 33, 70}) {
      CAPTURE(threads);
      CAPTURE(n);
      const Outcome as_written = run(source, threads, n, true), optimised = run(source, threads, n, false);
      CHECK(as_written.found == "");
      CHECK(optimised.found == "");
      CHECK(as_written.out == optimised.out);
    }
}

}  // namespace

TEST_CASE("as written: a strided loop of uneven trip counts, then a barrier of the warp in a loop") {
  check_clean(R"(
__global__ void k(int* out, int n) {
  __shared__ int s[3][80];
  int lane = threadIdx.x % 32, *mine = s[threadIdx.x / 32];
  for (int w = lane; w < n; w += 32) mine[w] = w;
  int sum = 0;
  for (int c = 0; c < n; ++c) {
    __syncwarp();
    sum += mine[c];
    __syncwarp();
    for (int w = c + 1 + lane; w < n; w += 32) mine[w] ^= sum;
  }
  out[threadIdx.x] = sum;
})");
}

TEST_CASE("as written: shuffles and votes behind loops that lanes leave at their own turn") {
  check_clean(R"(
__device__ int sum_of_warp(int v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
  return v;
}
__device__ int steps(int v, int n) {
  int i = 0;
  while (v != 1 && i < n) {
    v = v % 2 ? 3 * v + 1 : v / 2;
    ++i;
  }
  return i;
}
__global__ void k(int* out, int n) {
  int t = threadIdx.x, v = 0;
  for (int i = t; i < n; i += 32) {
    if (i % 5 == 3) continue;
    if (i % 64 == 50) break;
    v += i;
  }
  v = sum_of_warp(v);
  unsigned odd = __ballot_sync(0xffffffff, steps(t + 1, n) & 1);
  int most = steps(t + 1, n);
  for (int d = 16; d > 0; d /= 2) most = max(most, __shfl_down_sync(0xffffffff, most, d));
  most = __shfl_sync(0xffffffff, most, 0);
  out[t] = v * 1000 + __popc(odd) + most + __any_sync(0xffffffff, t == n);
})");
}

TEST_CASE("as written: a collective deep in calls that lanes enter from different turns of a loop") {
  check_clean(R"(
__device__ __noinline__ int level(int v, int depth) {
  if (depth == 0) return __shfl_xor_sync(0xffffffff, v, 1);
  int w = 0;
  for (int i = 0; i < v % 4; ++i) w += i;
  return level(v + w, depth - 1) + 1;
}
__global__ void k(int* out, int n) {
  int t = threadIdx.x, v = t;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < t % 5 && i < n; ++i) v += i;
    v = level(v, 2);
    __syncthreads();
  }
  out[t] = v;
})");
}

TEST_CASE("as written: a lane that stays away from a shuffle is still found") {
  const char* source = R"(
__global__ void k(int* out, int n) {
  int t = threadIdx.x, v = t;
  for (int i = t; i < n; i += 32) v += i;
  if (t < 20)
    v += __shfl_xor_sync(0xffffffff, v, 1);
  out[t] = v;
})";
  for (bool debug : {true, false}) CHECK(run(source, 32, 33, debug).found.find("absent_lane:6") == 0);
}

namespace {
/// A block says "here", waits until the block before it has said anything, and keeps what it found.
const char* const publishes_twice = R"(
__global__ void k(int* out, volatile int* said) {
  const int b = blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicExch((int*)&said[b], 1);
    int found = 2;
    if (b > 0)
      while ((found = said[b - 1]) == 0) {
      }
    atomicExch((int*)&said[b], 2);
    out[b] = found;
  }
})";
}  // namespace

TEST_CASE("as written: blocks run interleaved, so that one meets others that have published a part only") {
  const int blocks = 8;
  const auto found_parts = [&](bool debug) {
    Rig rig(publishes_twice, "compute_75", debug);
    const uint64_t out = rig.buffer(std::vector<int>(blocks), "out");
    const uint64_t said = rig.buffer(std::vector<int>(blocks), "said");
    rig.launch("k", {blocks, 1, 1}, {64, 1, 1}, 0, out, said);
    CHECK(rig.found() == "");
    const std::vector<int> found = rig.read<int>(out, blocks);
    return std::count(found.begin(), found.end(), 1);
  };
  // In the order of their numbers, until the third block finds a word that the second one has set twice.
  CHECK(found_parts(false) == blocks - 2);
  CHECK(found_parts(true) > 0);
}

TEST_CASE("blocks that take turns from look to look end in a deadlock where nothing can change") {
  std::string source = publishes_twice;
  source.replace(source.find("]) == 0") + 3, 4,
                 "!= 2 || b == 5");  // what the sixth block waits for never comes
  Rig rig(source, "compute_75", false);
  const uint64_t out = rig.buffer(std::vector<int>(8), "out");
  const uint64_t said = rig.buffer(std::vector<int>(8), "said");
  rig.launch("k", {8, 1, 1}, {64, 1, 1}, 0, out, said);
  CHECK(rig.found().find("deadlock") != std::string::npos);
}

namespace {
/// What is found of blocks that wait for each other's flags in the loop that ends at `condition`.
std::string found_as_written(const std::string& condition, bool debug) {
  Rig rig(R"(
__global__ void k(int* out, unsigned* state, int* data, int n) {
  const int lane = threadIdx.x;
  if (blockIdx.x > 0 && lane == 0) {
    data[blockIdx.x] = blockIdx.x * 10;
    __threadfence();
    atomicExch(&state[blockIdx.x], 1u);
  }
  if (blockIdx.x == 0) {
    unsigned flag;
    int rounds = 0;
    do {
      flag = lane > 0 ? *(volatile unsigned*)&state[lane] : 1u;
      ++rounds;
    } while ()" +
              condition + R"();
    __threadfence();
    out[lane] = data[lane] + int(flag);
  }
}
)",
          "compute_90", debug);
  const uint64_t out = rig.blank(128), state = rig.buffer(std::vector<unsigned>(32)),
                 data = rig.buffer(std::vector<int>(32));
  rig.config.control.max_warp_instructions = 1'000'000;
  rig.launch("k", {32, 1, 1}, {32, 1, 1}, 0, out, state, data, 1);
  return rig.found();
}
}  // namespace

TEST_CASE("as written: a volatile load that decides its loop by a vote, a shuffle or a condition is a flag") {
  for (const bool debug : {false, true}) {
    CAPTURE(debug);
    CHECK(found_as_written("__any_sync(0xffffffffu, flag == 0)", debug) == "");
    CHECK(found_as_written("__any_sync(0xffffffffu, lane > 0 && flag == 0)", debug) == "");
    CHECK(found_as_written("!__all_sync(0xffffffffu, lane == 0 || flag)", debug) == "");
    CHECK(found_as_written("__reduce_min_sync(0xffffffffu, flag) == 0", debug) == "");
    CHECK(found_as_written("__any_sync(0xffffffffu, __shfl_sync(0xffffffffu, flag, lane) == 0)", debug) ==
          "");
  }
}

TEST_CASE("as written: a volatile load whose value decides nothing races with an atomic") {
  for (const bool debug : {false, true}) {
    const std::string found = found_as_written("__any_sync(0xffffffffu, rounds < n)", debug);
    CAPTURE(debug);
    CAPTURE(found);
    // The load or the atomicExch, whichever comes second.
    CHECK((found.find("race:13") != std::string::npos || found.find("race:7") != std::string::npos));
  }
}
