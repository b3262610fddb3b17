// Loads of constants: the model against what tests/microbench/constants.cu measured on an H100.

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

TEST_CASE("loads of constants take what they take on an H100, and don't wait behind other loads") {
  std::string source = dojo::test::microbench_header("constants.cuh"), values = "table[8192] = {";
  for (int i = 0; i < 8192; ++i) values += std::to_string(i) + ",";
  source.replace(source.find("table[8192]"), 11, values + "}");
  Kernels k(source);
  const uint64_t in = k.buffer(1 << 20), out = k.buffer(1 << 16), cycles = k.buffer(4096);
  REQUIRE(k.device->fill(in, 0, 1 << 20, 0, true).ok());
  const auto cycles_a_load = [&](int loads, const std::function<LaunchSpec(int)>& turns) {
    return (k.run(turns(128)).time_us - k.run(turns(64)).time_us) * 1980 / (64 * loads);
  };
  hold({"h100-constants.txt", "a chain of loads"},
       "chain, {words} words {bytes} bytes apart: {=cycles} cycles",
       [&](const Row& row) -> std::optional<double> {
         const int words = row.integer("words"), bytes = row.integer("bytes");
         if (bytes * words > 2048) return {};  // more than the cache of constants holds
         return cycles_a_load(8, [&](int n) {
           return k.spec("chain", {1, 1, 1}, {32, 1, 1}, n, words, bytes / 4, out, cycles);
         });
       });
  hold({"h100-constants.txt", "loads apart"}, "apart, {words} words, {warps} warps: {=cycles} cycles",
       [&](const Row& row) {
         const uint32_t warps = row.count("warps");
         return cycles_a_load(8 * int(warps), [&](int n) {
           return k.spec("many", {1, 1, 1}, {32 * warps, 1, 1}, n, row.integer("words"), out, cycles);
         });
       });
}

TEST_CASE("a warp's loads of constants take as long beside warps that keep the load/store unit busy") {
  Kernels k(R"(
__constant__ int table[64];
__global__ void walk(const int* in, int* out, int steps, int others) {
  int at = 0;
  if (threadIdx.x < 32) {
    for (int i = 0; i < steps; ++i) at = table[at];
  } else {
    for (int i = 0; i < others; ++i)  // 32 words of one bank
      at += __ldg(in + threadIdx.x % 32 * 32 + (at & 1));
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
