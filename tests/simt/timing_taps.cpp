// Loads that meet lines on their way: the model against what tests/microbench/taps.cu measured on an H100 and
// an H200.
#include <cstdio>

#include "device_fixture.hpp"
#include "microbench.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::Kernels;

namespace {

std::string taps_source() {
  std::string s = dojo::test::microbench_header("taps.cuh");
  for (const int step : {1, 32})
    for (const int taps : {1, 2, 4, 7, 16})
      for (const bool meet : {false, true})
        s += "__global__ void __launch_bounds__(" + std::string(meet ? "1024" : "256, 8") + ") " +
             (meet ? "meet" : "window") + std::to_string(taps) + "_" + std::to_string(step) +
             "(const float* in, float* out, int words, int rounds) { window_body<" + std::to_string(taps) +
             ", " + std::to_string(step) + ", " + (meet ? "true" : "false") +
             ">(in, out, words, rounds); }\n";
  return s;
}

}  // namespace

TEST_CASE("loads that meet lines on their way take what they take on an H100 or H200") {
  for (const std::string gpu : {"h100", "h200"}) {
    Kernels k(taps_source(), "simt:" + gpu);
    const uint64_t in = k.buffer(200u << 20), out = k.buffer(4u << 20);
    REQUIRE(k.device->fill(in, 0, 200u << 20, 0, true).ok());
    int rows = 0;
    for (const std::string& line : dojo::test::recorded_lines(gpu + "-taps.txt")) {
      char what[8] = {}, from[8] = {};
      int taps = 0, step = 0, sms = 0, per_sm = 0;
      double ns = 0;
      if (std::sscanf(line.c_str(), "%7s %d taps %d apart, %d SMs, %d an SM, from %4[^:]: %lf ns", what,
                      &taps, &step, &sms, &per_sm, from, &ns) != 7)
        continue;
      const int block = what[0] == 'm' ? 1024 : 256, turn = sms * per_sm * block;
      const int words = from[0] == 'D' ? 1 << 30 : from[1] == '2' ? 12 * turn + 37 * block : turn;
      const auto modelled = [&](int rounds) {
        LaunchSpec s =
            k.spec(std::string(what) + std::to_string(taps) + "_" + std::to_string(step),
                   {uint32_t(sms * per_sm), 1, 1}, {uint32_t(block), 1, 1}, in, out, words, rounds);
        k.device->cold_caches();
        return k.run(s).time_us;
      };
      // The machine takes up to two seconds for each.
      if (gpu == "h200" ? taps < 16 : from[0] == 'L' && taps > 1 && taps < 16) continue;
      const int more = from[0] == 'L' ? 72 : 36,
                less = from[0] == 'L' ? 24 : 18;  // from the L2: in the third way round lines are near
      const double round = (modelled(more) - modelled(less)) / (more - less) * 1000;
      // Seven taps across two lines, 64 warps: an H100 splits three of ten such loads that wait, here none.
      // Whole lines that the L1 has take 1.2 cycles here if they are their neighbours' too; 16 warps that ask
      // for 16 lines of DRAM each take an H200 less.
      const bool split = taps == 7 && step == 1 && per_sm == 8 && from[0] == 'D',
                 neighbours = taps == 16 && step == 32;
      CAPTURE(line);
      CAPTURE(round);
      CHECK(round == doctest::Approx(ns).epsilon(split || neighbours ? 0.22 : 0.17));
      ++rows;
    }
    CHECK(rows == (gpu == "h100" ? 58 : 22));
  }
}
