// Short loops of one warp and tiny kernels: the model against what tests/microbench measured on an H100.
#include <map>

#include "../near.hpp"
#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::per_round;
using dojo::test::Row;

TEST_CASE("short loops of one warp take the turns that an H100 takes for them") {
  Kernels k(dojo::test::kernel_source("loops.cu"));
  const uint64_t out = k.buffer(4096), next = k.buffer(4096), x = k.buffer(4096), y = k.buffer(4096);
  for (uint64_t b : {out, next, x, y}) REQUIRE(k.device->fill(b, 0, 4096, 0, true).ok());
  const auto launch = [&](const std::string& row, int turns) {
    const auto spec = [&](const char* kernel, uint32_t threads, auto... args) {
      return k.spec(kernel, {1, 1, 1}, {threads, 1, 1}, out, turns, args...);
    };
    if (row == "chase") return spec("chase", 32, next);
    if (row == "product 2 lanes") return spec("product", 2, x, y, 8);
    if (row == "product 32 lanes") return spec("product", 32, x, y, 8);
    if (row == "skip never") return spec("skip", 32, -1);
    if (row == "skip every other turn") return spec("skip", 32, 1);
    if (row == "skip always") return spec("skip", 32, 0);
    return spec(("chain" + row.substr(row.find(' ') + 1)).c_str(), 32);
  };
  hold({"h100-loops.txt", "loops of one warp"}, "{name:32} {=cycles} cycles a turn", [&](const Row& row) {
    return 1980 * per_round(2048, [&](int turns) { return k.run(launch(row.text("name"), turns)).time_us; });
  });
}

TEST_CASE("kernels of one warp add to a chain of launches what they add on an H100") {
  Kernels k(dojo::test::kernel_source("tiny.cu"));
  const uint64_t in = k.buffer(32768), out = k.buffer(4096);
  REQUIRE(k.device->fill(in, 0, 32768, 0, true).ok());
  const std::map<std::string, const char*> kernels = {{"nothing", "nothing"},
                                                      {"store", "store"},
                                                      {"load", "load"},
                                                      {"load, store", "load_store"},
                                                      {"2 loads, store", "load_two"},
                                                      {"4 loads, store", "load_four"}};
  hold(
      {"h100-tiny.txt", "kernels of one warp per block"}, "L2 {blocks} blocks, {name:16} {=us} us",
      [&](const Row& row) {
        const auto s = k.spec(kernels.at(row.text("name")), {row.count("blocks"), 1, 1}, {32, 1, 1}, in, out);
        k.run(s);
        return k.run(s).time_us;
      });
}

TEST_CASE("blocks that do different work take each their own time") {
  Kernels k(R"(
__global__ void mixed(const int* next, float* out, int turns, int first) {
  if ((blockIdx.x + first) % 2) {
    int at = threadIdx.x;
    for (int i = 0; i < turns; ++i) at = __ldcg(next + at);
    out[threadIdx.x] = float(at);
  } else {
    float x = 1;
    for (int i = 0; i < turns; ++i) x = x * 1.0001f + 0.5f;
    out[threadIdx.x] = x;
  }
}
)");
  const uint64_t next = k.buffer(4096), out = k.buffer(4096);
  REQUIRE(k.device->fill(next, 0, 4096, 0, true).ok());
  const auto us = [&](uint32_t blocks, int first) {
    const auto s = k.spec("mixed", {blocks, 1, 1}, {32, 1, 1}, next, out, 2000, first);
    k.run(s);
    return k.run(s).time_us;
  };
  const double sums = us(1, 0), loads = us(1, 1);
  CHECK(loads > 8 * sums);
  CHECK(us(2, 0) == dojo::tolerance::within(loads, 0.05));
  CHECK(us(2, 1) == dojo::tolerance::within(loads, 0.05));
}
