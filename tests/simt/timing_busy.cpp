// Loads at a busy DRAM: the model against what tests/microbench/busy.cu measured.
#include <cstdio>

#include "device_fixture.hpp"
#include "microbench.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::Kernels;

namespace {

void as_recorded(const std::string& gpu) {
  std::string source = dojo::test::microbench_header("busy.cuh");
  for (const char* kernel : {"1, false", "2, false", "1, true", "2, true"})
    source += std::string("__global__ void busy") + kernel[0] + kernel[3] +
              "(const float* in, float* out, unsigned apart) { busy_body<" + kernel +
              ">(in, out, apart); }\n";
  Kernels k(source, "simt:" + gpu);
  constexpr unsigned words = 1u << 24;
  const uint64_t in = k.buffer(uint64_t(words) * 8), out = k.buffer(uint64_t(words) * 4);
  REQUIRE(k.device->fill(in, 0, uint64_t(words) * 8, 0, true).ok());
  int rows = 0;
  for (const std::string& line : dojo::test::recorded_lines(gpu + "-busy.txt")) {
    int reads = 0, writes = 0, threads = 0, per_sm = 0, kib = 0;
    double us = 0;
    if (std::sscanf(line.c_str(), "busy %d read, %d written, %d threads, %d an SM, %d KiB %lf us", &reads,
                    &writes, &threads, &per_sm, &kib, &us) != 6)
      continue;
    LaunchSpec s = k.spec("busy" + std::to_string(reads) + (writes ? "t" : "f"),
                          {words / uint32_t(threads), 1, 1}, {uint32_t(threads), 1, 1}, in, out, words);
    s.dynamic_smem = uint32_t(kib) * 1024;
    REQUIRE(k.device->allow_dynamic_smem(s.kernel, int(s.dynamic_smem)).ok());
    k.device->cold_caches();
    const double modelled = k.run(s).time_us;
    CAPTURE(line);
    CHECK(modelled == doctest::Approx(us).epsilon(0.15));
    ++rows;
  }
  CHECK(rows == 32);
}

}  // namespace

TEST_CASE("loads wait at a busy DRAM as long as on an H100 or H200, beside stores too") {
  as_recorded("h100");
  as_recorded("h200");
}
