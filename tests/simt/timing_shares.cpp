// What an SM gets of DRAM while others ask, and who waits for lines that others have asked for: the model
// against what tests/microbench/shares.cu and trips.cu measured on an H100.
#include <cstdio>
#include <functional>

#include "device_fixture.hpp"
#include "microbench.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::Kernels;

namespace {

std::string shares_source() {
  return dojo::test::microbench_header("shares.cuh") + R"(
#define KERNELS(l)                                                                                                             \
  __global__ void pulse##l(const float4* in, float* out, int rounds, int turns) { pulse_body<l>(in, out, rounds, turns); }      \
  __global__ void same##l(const float4* in, float* out, int rounds, int turns) { same_body<l>(in, out, rounds, turns); }        \
  __global__ void crowd##l(const float4* in, float* out, int rounds, int turns, int late) { crowd_body<l>(in, out, rounds, turns, late); }
KERNELS(1)
KERNELS(2)
KERNELS(4)
KERNELS(8)
)";
}

}  // namespace

TEST_CASE("blocks that share DRAM, and blocks that read the same, take what they take on an H100") {
  Kernels k(shares_source());
  const uint64_t in = k.buffer(128u << 20), out = k.buffer(4096);
  REQUIRE(k.device->fill(in, 0, 128u << 20, 0, true).ok());
  int pulses = 0, crowds = 0;
  for (const std::string& line : dojo::test::recorded_lines("h100-shares.txt")) {
    int each = 0, sms = 0, per_sm = 1, turns = 0, rounds = 0, late = 0, kib = 0;
    double us = 0;
    char cold[8] = {};
    std::function<LaunchSpec(int)> spec;
    if (std::sscanf(line.c_str(), "pulse %d a thread, %d SMs, %d an SM, %d turns, %d rounds, %d KiB %lf us",
                    &each, &sms, &per_sm, &turns, &rounds, &kib, &us) == 7) {
      if (each % 4 || sms < 132 || turns == 160) continue;  // the machine takes a second for each
      spec = [&](int n) {
        return k.spec("pulse" + std::to_string(each), {uint32_t(sms * per_sm), 1, 1}, {512, 1, 1}, in, out, n,
                      turns);
      };
      ++pulses;
    } else if (std::sscanf(line.c_str(), "crowd %d a thread, %d blocks, %d turns, %d late, %7s %lf us", &each,
                           &sms, &turns, &late, cold, &us) == 6) {
      if (late == 8 || sms == 66 || sms == 2 || std::string(cold) == "warm") continue;
      rounds = 96;
      spec = [&](int n) {
        return k.spec("crowd" + std::to_string(each), {uint32_t(sms), 1, 1}, {512, 1, 1}, in, out, n, turns,
                      late);
      };
      ++crowds;
    } else {
      continue;
    }
    const auto modelled = [&](int n) {
      LaunchSpec s = spec(n);
      s.dynamic_smem = uint32_t(kib) * 1024;
      REQUIRE(k.device->allow_dynamic_smem(s.kernel, int(s.dynamic_smem)).ok());
      k.device->cold_caches();
      return k.run(s).time_us;
    };
    const double round = (modelled(rounds) - modelled(rounds / 2)) / (rounds - rounds / 2);
    CAPTURE(line);
    CHECK(round == doctest::Approx(us).epsilon(0.15));
  }
  CHECK(pulses >= 12);
  CHECK(crowds >= 12);
}
