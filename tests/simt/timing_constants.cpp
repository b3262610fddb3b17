// Loads of constants: the model against what tests/microbench/constants.cu measured on an H100.
#include <cstdio>

#include "device_fixture.hpp"
#include "microbench.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::Kernels;

TEST_CASE("loads of constants take what they take on an H100, and don't wait behind other loads") {
  std::string source = dojo::test::microbench_header("constants.cuh"), values = "table[8192] = {";
  for (int i = 0; i < 8192; ++i) values += std::to_string(i) + ",";
  source.replace(source.find("table[8192]"), 11, values + "}");
  Kernels k(source);
  const uint64_t in = k.buffer(1 << 20), out = k.buffer(1 << 16), cycles = k.buffer(4096);
  REQUIRE(k.device->fill(in, 0, 1 << 20, 0, true).ok());
  int rows = 0;
  for (const std::string& line : dojo::test::recorded_lines("h100-constants.txt")) {
    int words = 0, bytes = 0, warps = 0;
    double each = 0;
    LaunchSpec half, whole;
    double loads = 0;
    if (std::sscanf(line.c_str(), "chain, %d words %d bytes apart: %lf cycles", &words, &bytes, &each) == 3) {
      if (bytes * words > 2048) continue;  // more than the cache of constants holds
      half = k.spec("chain", {1, 1, 1}, {32, 1, 1}, 64, words, bytes / 4, out, cycles);
      whole = k.spec("chain", {1, 1, 1}, {32, 1, 1}, 128, words, bytes / 4, out, cycles);
      loads = 64 * 8;
    } else if (std::sscanf(line.c_str(), "apart, %d words, %d warps: %lf cycles", &words, &warps, &each) ==
               3) {
      half = k.spec("many", {1, 1, 1}, {uint32_t(32 * warps), 1, 1}, 64, words, out, cycles);
      whole = k.spec("many", {1, 1, 1}, {uint32_t(32 * warps), 1, 1}, 128, words, out, cycles);
      loads = 64.0 * 8 * warps;
    } else {
      continue;
    }
    CAPTURE(line);
    const double modelled = (k.run(whole).time_us - k.run(half).time_us) * 1980 / loads;
    CHECK(modelled == doctest::Approx(each).epsilon(0.2));
    ++rows;
  }
  CHECK(rows == 26);
}

TEST_CASE("a warp's loads of constants take as long beside warps that keep the load/store unit busy") {
  Kernels k(R"(
__constant__ int table[64];
__global__ void walk(const int* in, int* out, int steps, int others) {
  int at = 0;
  if (threadIdx.x < 32) {
    for (int i = 0; i < steps; ++i) at = table[at];
  } else {
    for (int i = 0; i < others; ++i) at += __ldg(in + threadIdx.x % 32 * 32 + (at & 1));  // 32 words of one bank
  }
  out[threadIdx.x] = at;
})");
  const uint64_t in = k.buffer(1 << 16), out = k.buffer(4096);
  REQUIRE(k.device->fill(in, 0, 1 << 16, 0, true).ok());
  const double alone = k.run(k.spec("walk", {1, 1, 1}, {256, 1, 1}, in, out, 4096, 0)).time_us;
  const double beside = k.run(k.spec("walk", {1, 1, 1}, {256, 1, 1}, in, out, 4096, 2000)).time_us;
  const double others = k.run(k.spec("walk", {1, 1, 1}, {256, 1, 1}, in, out, 0, 2000)).time_us;
  CHECK(others > 0.5 * alone);  // they are at it most of the time
  CHECK(beside < 1.1 * alone);  // (one of those loads waits for 7 times 32 cycles behind the other warps')
}
