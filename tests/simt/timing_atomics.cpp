// Atomics that meet: the model against what tests/microbench/contention.cu measured on an H100.
#include <cstdio>

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "simt/caches/atomic_queues.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::Kernels;

namespace {

const char* kMeet = R"(
__global__ void meet_int(int* sums, int words, int apart) { atomicAdd(sums + (threadIdx.x & (words - 1)) * apart, 1); }
__global__ void meet_float(float* sums, int words, int apart) { atomicAdd(sums + (threadIdx.x & (words - 1)) * apart, 1.0f); }
__global__ void half_meet_int(int* sums, int apart) { int l = threadIdx.x; atomicAdd(sums + (l < 16 ? 0 : l * apart), 1); }
__global__ void one_word(int* sums) { atomicAdd(sums, 1); }
)";

struct Row {
  int words = 0, apart = 0;
  double red_int = 0, red_float = 0;  // ns a warp
};

std::vector<Row> measured() {
  std::vector<Row> rows;
  for (const std::string& line : dojo::test::recorded_lines("h100-microbench.txt")) {
    Row r;
    if (std::sscanf(line.c_str(), "32 lanes on %d words, %d apart red int %lf red float %lf", &r.words,
                    &r.apart, &r.red_int, &r.red_float) == 4)
      rows.push_back(r);
  }
  return rows;
}

constexpr uint32_t kBlocks = 4096;  // of one warp

double ns_a_warp(Kernels& k, const LaunchSpec& s) { return k.run(s).time_us * 1e3 / kBlocks; }

}  // namespace

TEST_CASE("atomics that meet take the time that an H100 takes for them") {
  Kernels k(kMeet);
  const uint64_t sums = k.buffer(1 << 20);
  const auto rows = measured();
  REQUIRE(rows.size() >= 36);
  int close = 0;
  for (const Row& r : rows) {
    CAPTURE(r.words);
    CAPTURE(r.apart);
    const double i = ns_a_warp(k, k.spec("meet_int", {kBlocks, 1, 1}, {32, 1, 1}, sums, r.words, r.apart));
    const double f = ns_a_warp(k, k.spec("meet_float", {kBlocks, 1, 1}, {32, 1, 1}, sums, r.words, r.apart));
    // What is left out: lines of one queue wait for each other's sectors, which few words in many lines feel.
    const bool spread = r.apart >= 32;
    CHECK(i == doctest::Approx(r.red_int).epsilon(spread ? 0.4 : 0.2));
    if (!spread) CHECK(f == doctest::Approx(r.red_float).epsilon(0.2));
    close += std::abs(i - r.red_int) < 0.1 * r.red_int;
  }
  CHECK(close >= int(rows.size()) / 2);
}

TEST_CASE("a text's blanks hold up its letters only in their own queue") {
  Kernels k(kMeet);
  const uint64_t sums = k.buffer(1 << 20);
  // 16 lanes on a word and 16 alone, 1, 8 and 64 words apart: 12.8, 17.6 and 11.7 ns a warp on an H100.
  const double near = ns_a_warp(k, k.spec("half_meet_int", {kBlocks, 1, 1}, {32, 1, 1}, sums, 1));
  const double far = ns_a_warp(k, k.spec("half_meet_int", {kBlocks, 1, 1}, {32, 1, 1}, sums, 8));
  const double apart = ns_a_warp(k, k.spec("half_meet_int", {kBlocks, 1, 1}, {32, 1, 1}, sums, 64));
  CHECK(near == doctest::Approx(12.78).epsilon(0.15));
  CHECK(far == doctest::Approx(17.6).epsilon(0.15));
  CHECK(apart == doctest::Approx(11.7).epsilon(0.15));
}

TEST_CASE("what the compiler joins is one addition a warp") {
  Kernels k(kMeet);
  const uint64_t sums = k.buffer(4096);
  REQUIRE(k.device->fill(sums, 0, 4096, 0, true).ok());
  CHECK(ns_a_warp(k, k.spec("one_word", {kBlocks, 1, 1}, {32, 1, 1}, sums)) < 1.6);
  CHECK(k.read<int>(sums, 1)[0] == int(kBlocks) * 32);
}

TEST_CASE("lines 0, 1, 4 and 5 of a kilobyte wait in one queue") {
  const auto busiest = [](std::vector<uint64_t> lines, LineAccess::Kind kind) {
    AtomicQueues q;
    for (uint64_t l : lines) q.take({l, 1, kind, 0, packet_turns(1, 0), 0});
    return q.busiest();
  };
  CHECK(busiest({8, 9, 12, 13}, LineAccess::atomic) == 12);
  CHECK(busiest({8, 10, 12, 14}, LineAccess::atomic) == 6);
  CHECK(busiest({8, 16, 24, 32}, LineAccess::atomic) == 3);
  CHECK(busiest({8, 8}, LineAccess::atomic_float) == 14);  // one sector: each addition keeps it
  // Of two sectors in one queue every other addition comes behind one for its own: 1.24 ns each, 5.1 thirds
  // (contention.cu).
  CHECK(busiest({8, 9}, LineAccess::atomic_float) == 10);
  CHECK(busiest({8, 9, 8, 9, 8, 9, 8, 9}, LineAccess::atomic_float) == 41);
  CHECK(busiest({8, 16}, LineAccess::atomic_float) == 7);  // in queues of their own
}
