// Blocks that read and add to a word: the model against what tests/microbench/sums.cu measured.
#include <cstdio>

#include "device_fixture.hpp"
#include "microbench.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::Kernels;

namespace {

void as_recorded(const std::string& gpu) {
  const std::string source =
      dojo::test::microbench_header("sums.cuh") +
      "__global__ void sum(const float4* in, float* out, int words) { sum_body(in, out, words); }\n";
  Kernels k(source, "simt:" + gpu);
  const uint64_t in = k.buffer(128u << 20), out = k.buffer(1u << 20);
  REQUIRE(k.device->fill(in, 0, 128u << 20, 0, true).ok());
  REQUIRE(k.device->fill(out, 0, 1u << 20, 0, true).ok());
  int rows = 0;
  for (const std::string& line : dojo::test::recorded_lines(gpu + "-sums.txt")) {
    unsigned blocks = 0;
    int words = 0;
    double us = 0;
    if (std::sscanf(line.c_str(), "sums %u blocks, %d words %lf us", &blocks, &words, &us) != 3) continue;
    k.device->cold_caches();
    const double modelled = k.run(k.spec("sum", {blocks, 1, 1}, {256, 1, 1}, in, out, words)).time_us;
    CAPTURE(line);
    // Two words of neighbouring lines wait in one queue, where the model lets them go on side by side.
    CHECK(modelled == doctest::Approx(us).epsilon(words == 2 ? 0.25 : 0.15));
    ++rows;
  }
  CHECK(rows == 54);
}

}  // namespace

TEST_CASE("blocks that read and add to a word take what they take on an H100 or H200") {
  as_recorded("h100");
  as_recorded("h200");
}
