#include "../near.hpp"
#include "device_fixture.hpp"
#include "microbench.hpp"

using namespace dojo;
using dojo::test::Kernels;

namespace {

struct Tier {
  const char* name;
  int per_block;
};
constexpr Tier kOrder[] = {{"tierA", 256}, {"tierB", 256}, {"tierC", 256},
                           {"tierD", 512}, {"tierE", 512}, {"tierF", 512}};

std::vector<LaunchReport> run_tiers(const char* device, int n, bool machine_code = true) {
  Kernels k(dojo::test::kernel_source("reduce_tiers.cu"), device, machine_code);
  const uint64_t in = k.buffer_of(std::vector<float>(size_t(n), 1.0f), "in"),
                 out = k.buffer(uint64_t(n) / 64, "out");
  std::vector<LaunchReport> reports;
  for (const Tier& t : kOrder) {
    k.device->cold_caches();
    const uint32_t blocks = uint32_t(n / t.per_block);
    reports.push_back(k.run(k.spec(t.name, {blocks, 1, 1}, {256, 1, 1}, in, out, n)));
    CHECK(k.read<float>(out, blocks) == std::vector<float>(blocks, float(t.per_block)));
  }
  return reports;
}

}  // namespace

TEST_CASE("the reduction tiers come out in the order of the hardware") {
  for (const char* device : {"simt:h100", "simt:a5000"}) {
    const auto r = run_tiers(device, 1 << 20);
    for (size_t i = 1; i < r.size(); ++i) {
      INFO(device << " " << kOrder[i].name << " " << r[i].time_us);
      CHECK(r[i].time_us < r[i - 1].time_us);
    }
  }
}

TEST_CASE("sectors, requests and wavefronts of the tiers are those an H100 counts") {
  // Per block, from the hardware's counters at 2^25: wavefronts of shared loads and stores.
  // (Tiers E and F there kept their partial sums in other places than these do.)
  const double loads[] = {95, 95, 25, 25}, stores[] = {55, 55, 20, 20};
  const int n = 1 << 18;
  const auto r = run_tiers("simt:h100", n);
  for (size_t i = 0; i < r.size(); ++i) {
    INFO(kOrder[i].name);
    auto c = r[i].counters;
    const double blocks = double(n / kOrder[i].per_block);
    if (i < 4) {
      CHECK(c["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] == loads[i] * blocks);
      CHECK(c["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] == stores[i] * blocks);
    }
    CHECK(c["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == n / 8);
    CHECK(c["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] == n / 32);
    CHECK(c["dram__bytes_read.sum"] == dojo::tolerance::within(4.0 * n, 0.001));
  }
}

TEST_CASE("an empty grid takes the time its blocks take to start") {
  Kernels k("__global__ void empty() {}");
  const LaunchReport one = k.run(k.spec("empty", {1, 1, 1}, {32, 1, 1}));
  CHECK(one.time_us == dojo::tolerance::within(0.96, 0.14));
  const LaunchReport many = k.run(k.spec("empty", {131072, 1, 1}, {256, 1, 1}));
  CHECK(many.time_us == dojo::tolerance::within(82.8, 0.05));
}

TEST_CASE("a chase waits for every load, also where the assembler unrolled its loop") {
  Kernels k(R"(
__global__ void chase(const int* ring, int steps, int* end) {
  int p = 0;
  for (int k = 0; k < steps; ++k) p = ring[p];
  *end = p;
})");
  const int lines = 4096, steps = 1024;
  std::vector<int> ring(size_t(lines) * 32);
  for (int l = 0; l < lines; ++l) ring[size_t(l) * 32] = (l + 1) % lines * 32;
  const uint64_t in = k.buffer_of(ring, "ring"), out = k.buffer(4, "end");
  k.device->cold_caches();
  const LaunchReport r = k.run(k.spec("chase", {1, 1, 1}, {1, 1, 1}, in, steps, out));
  CHECK(k.read<int>(out, 1)[0] == steps * 32);
  // The 679 cycles that a load from DRAM took an H100, and the few of the address: recorded 719.7 us for 2048
  // steps.
  CHECK(r.time_us == dojo::tolerance::within(719.7 / 2048 * steps, 0.03));
}

TEST_CASE("loads that the assembler hoists together are in flight together") {
  Kernels k(R"(
__global__ void sum(const float* x, int rounds, float* out) {
  float s = 0;
  for (int k = 0; k < rounds; ++k) s += x[k * 1024 + threadIdx.x];
  out[threadIdx.x] = s;
})");
  const int rounds = 1024;
  const uint64_t in = k.buffer(uint64_t(rounds) * 4096, "x"), out = k.buffer(128, "out");
  k.device->cold_caches();
  const LaunchReport r = k.run(k.spec("sum", {1, 1, 1}, {32, 1, 1}, in, rounds, out));
  // Unrolled by four or more: one wait for DRAM a turn of the machine's loop, not one a load (343 ns).
  CHECK(r.time_us < 0.343 * rounds / 3);
}

TEST_CASE("a store of one sector of its own line takes the L2 half as long as a whole line") {
  Kernels k(R"(
__global__ void rows(float* y, int n) { y[blockIdx.x * 256 + threadIdx.x] = 1; }
__global__ void columns(float* y, int n) {
  y[(blockIdx.x * 256 + threadIdx.x) % n * 32 + blockIdx.x * 256 / n] = 1;
}
)");
  const int n = 1 << 15;
  const uint64_t out = k.buffer(uint64_t(n) * 32 * 4, "y");
  const auto time = [&](const char* kernel) {
    k.device->cold_caches();
    return k.run(k.spec(kernel, {uint32_t(n) * 32 / 256, 1, 1}, {256, 1, 1}, out, n)).time_us;
  };
  // 2^20 stores of 4 bytes, 32 lines a warp: 4.2 cycles a line and SM on an H100 (tests/counters, scatter).
  CHECK(time("columns") == dojo::tolerance::within(4.2 * n * 32 / 132 / 1980, 0.25));
  CHECK(time("columns") > 3 * time("rows"));
}
