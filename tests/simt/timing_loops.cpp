// Short loops of one warp and tiny kernels: the model against what tests/microbench measured on an H100.
#include <cstdio>
#include <map>

#include "device_fixture.hpp"
#include "microbench.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::Kernels;

namespace {

std::string loops_source() {
  return dojo::test::microbench_header("loops.cuh") + R"(
template <int K> __device__ void chain(float* out, int turns) { out[threadIdx.x] = chain_turns<K>(out[threadIdx.x], turns); }
__global__ void chain1(float* out, int turns) { chain<1>(out, turns); }
__global__ void chain2(float* out, int turns) { chain<2>(out, turns); }
__global__ void chain4(float* out, int turns) { chain<4>(out, turns); }
__global__ void chain8(float* out, int turns) { chain<8>(out, turns); }
__global__ void chain16(float* out, int turns) { chain<16>(out, turns); }
__global__ void chase(float* out, int turns, const int* next) { out[threadIdx.x] = float(chase_turns(next, turns)); }
__global__ void product(float* out, int turns, const float* x, const float* y, int width) {
  out[threadIdx.x] = product_turns(x, y, turns, width);
}
__global__ void skip(float* out, int turns, int mask) { out[threadIdx.x] = skip_turns(out[threadIdx.x], turns, mask); }
)";
}

/// Cycles a turn by name.
std::map<std::string, double> measured() {
  std::map<std::string, double> rows;
  for (const std::string& line : dojo::test::recorded_lines("h100-loops.txt"))
    if (size_t at = line.find(" cycles a turn"); at != line.npos && line.size() > 32)
      rows[line.substr(0, line.find_last_not_of(' ', 31) + 1)] = std::stod(line.substr(32, at - 32));
  return rows;
}

}  // namespace

TEST_CASE("short loops of one warp take the turns that an H100 takes for them") {
  Kernels k(loops_source().c_str());
  const uint64_t out = k.buffer(4096), next = k.buffer(4096), x = k.buffer(4096), y = k.buffer(4096);
  for (uint64_t b : {out, next, x, y}) REQUIRE(k.device->fill(b, 0, 4096, 0, true).ok());
  const auto rows = measured();
  double within = 0.15;
  auto turn = [&](const char* row, const char* kernel, uint32_t threads, auto... args) {
    double us[2];
    for (int i = 0; i < 2; ++i)
      us[i] = k.run(k.spec(kernel, {1, 1, 1}, {threads, 1, 1}, out, 2048 << i, args...)).time_us;
    const double cycles = (us[1] - us[0]) * 1980 / 2048;
    REQUIRE(rows.count(row));
    CAPTURE(row);
    CHECK(cycles == doctest::Approx(rows.at(row)).epsilon(within));
  };
  turn("chain 1", "chain1", 32);
  turn("chain 2", "chain2", 32);
  turn("chain 4", "chain4", 32);
  turn("chain 8", "chain8", 32);
  turn("chain 16", "chain16", 32);
  turn("chase", "chase", 32, next);
  turn("product 2 lanes", "product", 2, x, y, 8);
  within = 0.35;  // 32 words of one bank: a pass takes one warp 2.2 cycles, though the unit only one, which
                  // isn't modelled
  turn("product 32 lanes", "product", 32, x, y, 8);
  within = 0.15;
  turn("skip never", "skip", 32, -1);
  turn("skip every other turn", "skip", 32, 1);
  turn("skip always", "skip", 32, 0);
}

TEST_CASE("kernels of one warp add to a chain of launches what they add on an H100") {
  Kernels k(R"(
__global__ void nothing(const int*, int*) {}
__global__ void store(const int*, int* out) { out[threadIdx.x] = 1; }
__global__ void load(const int* in, int* out) { if (in[threadIdx.x] == 5) out[0] = 1; }
__global__ void load_store(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void load_two(const int* in, int* out) { out[threadIdx.x] = in[2048 + in[threadIdx.x] + threadIdx.x]; }
__global__ void load_four(const int* in, int* out) {
  int v = in[threadIdx.x];
  for (int k = 1; k < 4; ++k) v = in[k * 1024 + v + threadIdx.x];
  out[threadIdx.x] = v;
}
)");
  const uint64_t in = k.buffer(32768), out = k.buffer(4096);
  REQUIRE(k.device->fill(in, 0, 32768, 0, true).ok());
  const std::map<std::string, const char*> kernels = {{"nothing", "nothing"},
                                                      {"store", "store"},
                                                      {"load", "load"},
                                                      {"load, store", "load_store"},
                                                      {"2 loads, store", "load_two"},
                                                      {"4 loads, store", "load_four"}};
  int rows = 0;
  for (const std::string& line : dojo::test::recorded_lines("h100-tiny.txt")) {
    int blocks = 0;
    char name[32] = {};
    double us = 0;
    if (std::sscanf(line.c_str(), "L2 %d blocks, %16c %lf us", &blocks, name, &us) != 3) continue;
    std::string row(name, 16);
    row.erase(row.find_last_not_of(' ') + 1);
    const auto s = k.spec(kernels.at(row), {uint32_t(blocks), 1, 1}, {32, 1, 1}, in, out);
    k.run(s);
    const double modelled = k.run(s).time_us;
    CAPTURE(row);
    CAPTURE(blocks);
    CHECK(modelled == doctest::Approx(us).epsilon(0.15));
    ++rows;
  }
  CHECK(rows == 54);
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
  CHECK(us(2, 0) == doctest::Approx(loads).epsilon(0.05));
  CHECK(us(2, 1) == doctest::Approx(loads).epsilon(0.05));
}
