// Blocks that load all at once what they sum, by how they end: the model against what
// tests/microbench/tails.cu measured.
#include <cstdio>
#include <string>

#include "device_fixture.hpp"
#include "microbench.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::Kernels;

namespace {

void as_recorded(const std::string& gpu) {
  std::string source = dojo::test::microbench_header("tails.cuh");
  for (const char* loads : {"1", "2", "4"})
    for (const char* tail : {"kNone", "kStore", "kFence", "kCount"})
      source += std::string("__global__ void ") + tail + loads +
                "(const float4* in, float* out, unsigned* count) { tail_body<" + loads + ", " + tail +
                ">(in, out, count); }\n";
  Kernels k(source, "simt:" + gpu);
  const uint64_t in = k.buffer(128u << 20), out = k.buffer(1u << 20), count = k.buffer(4);
  for (uint64_t b : {out, count}) REQUIRE(k.device->fill(b, 0, b == count ? 4 : 1u << 20, 0, true).ok());
  REQUIRE(k.device->fill(in, 0, 128u << 20, 0, true).ok());
  int rows = 0;
  for (const std::string& line : dojo::test::recorded_lines(gpu + "-tails.txt")) {
    unsigned threads = 0, loads = 0, mib = 0;
    char tail[16] = {};
    double us = 0;
    if (std::sscanf(line.c_str(), "tails %u threads, %u loads, %15[a-z], %u MiB %lf us", &threads, &loads,
                    tail, &mib, &us) != 5)
      continue;
    const std::string name =
        "k" + std::string(1, char(tail[0] - 'a' + 'A')) + (tail + 1) + std::to_string(loads);
    k.device->cold_caches();
    const double modelled =
        k.run(k.spec(name, {mib * 65536u / (threads * loads), 1, 1}, {threads, 1, 1}, in, out, count))
            .time_us;
    CAPTURE(line);
    // Large blocks with little on its way take an H200 1 us longer, however many rounds of them there are.
    CHECK(modelled == doctest::Approx(us).epsilon(loads == 1 && threads > 256 && mib == 16 ? 0.2 : 0.15));
    ++rows;
  }
  CHECK(rows == 108);
}

}  // namespace

TEST_CASE("blocks take as long as on an H200, however they end") { as_recorded("h200"); }
