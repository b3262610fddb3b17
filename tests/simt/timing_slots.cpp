// Blocks that follow one another in their places: the model against what tests/microbench/slots.cu measured.
#include <cstdio>

#include "device_fixture.hpp"
#include "microbench.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::Kernels;

namespace {

void as_recorded(const std::string& gpu) {
  std::string source = dojo::test::microbench_header("slots.cuh");
  const char* ends[] = {"no store   ", "one stores ", "warps store", "all store  "};
  for (int k = 0; k < 4; ++k)
    source += "__global__ void slot" + std::to_string(k) + "(float* out, int turns, int early) { slot_body<" +
              std::to_string(k) + ">(out, turns, early); }\n";
  Kernels k(source, "simt:" + gpu);
  const uint64_t out = k.buffer(256u << 20);
  int rows = 0;
  for (const std::string& line : dojo::test::recorded_lines(gpu + "-slots.txt")) {
    if (!line.starts_with("slots ")) continue;
    const std::string end = line.substr(6, 11);
    const bool early = line.find("one stays") != line.npos;
    int per_sm = 0, warps = 0, turns = 0;
    double ns = 0;
    REQUIRE(std::sscanf(line.c_str() + 17, ", %d an SM, %d warps", &per_sm, &warps) == 2);
    REQUIRE(std::sscanf(line.c_str() + line.rfind(',') + 1, "%d turns %lf ns", &turns, &ns) == 2);
    int which = 0;
    while (ends[which] != end) ++which;
    double us[2];
    for (int i = 0; i < 2; ++i) {
      LaunchSpec s = k.spec("slot" + std::to_string(which), {uint32_t(132 * per_sm * (i ? 24 : 8)), 1, 1},
                            {uint32_t(warps) * 32, 1, 1}, out, turns, int(early));
      s.dynamic_smem = uint32_t((228 / per_sm - 2) * 1024);
      REQUIRE(k.device->allow_dynamic_smem(s.kernel, int(s.dynamic_smem)).ok());
      us[i] = k.run(s).time_us;
    }
    const double modelled = (us[1] - us[0]) * 1e3 / 16;
    CAPTURE(line);
    CHECK(modelled == doctest::Approx(ns).epsilon(0.15));
    ++rows;
  }
  CHECK(rows == 144);
}

}  // namespace

TEST_CASE("a block's place is taken again as soon as on an H100 or H200") {
  as_recorded("h100");
  as_recorded("h200");
}
