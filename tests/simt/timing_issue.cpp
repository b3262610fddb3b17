// Loops of 1 to 8 warps a scheduler: the model against what tests/microbench/issue.cu measured on an H100.
#include <cstdio>
#include <functional>
#include <map>

#include "device_fixture.hpp"
#include "microbench.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::Kernels;

TEST_CASE("warps that share a scheduler take the turns that an H100 takes for them") {
  Kernels k(dojo::test::microbench_header("issue.cuh").c_str());
  const uint64_t out = k.buffer(8192), x = k.buffer(8192), y = k.buffer(8192);
  for (uint64_t b : {out, x, y}) REQUIRE(k.device->fill(b, 0, 8192, 0, true).ok());
  const dojo::Dim3 one{1, 1, 1};
  using Launch = std::function<LaunchSpec(int, uint32_t)>;
  const std::map<std::string, Launch> kernels = {
      {"chain fma",
       [&](int n, uint32_t t) {
         return k.spec("chain_fma", one, {t, 1, 1}, out, n, 0.5f, 0.25f);
       }},
      {"chains fma",
       [&](int n, uint32_t t) {
         return k.spec("chains_fma", one, {t, 1, 1}, out, n, 0.5f, 0.25f);
       }},
      {"chain int",
       [&](int n, uint32_t t) {
         return k.spec("chain_int", one, {t, 1, 1}, out, n, 5, 3);
       }},
      {"chain both",
       [&](int n, uint32_t t) {
         return k.spec("chain_both", one, {t, 1, 1}, out, n, 0.5f, 0.25f, 5);
       }},
      {"region skipped",
       [&](int n, uint32_t t) {
         return k.spec("region", one, {t, 1, 1}, out, n, 0.5f, 0.25f, 0);
       }},
      {"region entered",
       [&](int n, uint32_t t) {
         return k.spec("region", one, {t, 1, 1}, out, n, 0.5f, 0.25f, 32);
       }},
      {"region halved",
       [&](int n, uint32_t t) {
         return k.spec("region", one, {t, 1, 1}, out, n, 0.5f, 0.25f, 16);
       }},
      {"regions skipped",
       [&](int n, uint32_t t) {
         return k.spec("regions", one, {t, 1, 1}, out, n, 0.5f, 0.25f, 0);
       }},
      {"regions entered",
       [&](int n, uint32_t t) {
         return k.spec("regions", one, {t, 1, 1}, out, n, 0.5f, 0.25f, 32);
       }},
      {"regions halved",
       [&](int n, uint32_t t) {
         return k.spec("regions", one, {t, 1, 1}, out, n, 0.5f, 0.25f, 16);
       }},
      {"reciprocal",
       [&](int n, uint32_t t) {
         return k.spec("reciprocal", one, {t, 1, 1}, out, n, 0.5f, 0.25f);
       }},
      {"chains high",
       [&](int n, uint32_t t) {
         return k.spec("chains_high", one, {t, 1, 1}, out, n, 1234567u);
       }},
      {"chains wide",
       [&](int n, uint32_t t) {
         return k.spec("chains_wide", one, {t, 1, 1}, out, n, 1234567u);
       }},
      {"chains mad",
       [&](int n, uint32_t t) {
         return k.spec("chains_mad", one, {t, 1, 1}, out, n, 1234567u, 3u);
       }},
      {"chains logic",
       [&](int n, uint32_t t) {
         return k.spec("chains_logic", one, {t, 1, 1}, out, n, 5u, 3u);
       }},
      {"chains add",
       [&](int n, uint32_t t) {
         return k.spec("chains_add", one, {t, 1, 1}, out, n, 5u, 3u);
       }},
      {"divide",
       [&](int n, uint32_t t) {
         return k.spec("divide", one, {t, 1, 1}, out, n, 3.0f);
       }},
      {"remainder",
       [&](int n, uint32_t t) {
         return k.spec("remainder", one, {t, 1, 1}, out, n, 1234567u, 1013u);
       }},
      {"product",
       [&](int n, uint32_t t) {
         return k.spec("product", one, {t, 1, 1}, x, y, out, n);
       }},
  };
  int rows = 0;
  for (const std::string& line : dojo::test::recorded_lines("h100-issue.txt")) {
    char name[25] = {};
    int warps = 0;
    double cycles = 0;
    if (std::sscanf(line.c_str(), "%24c %d warps a scheduler %lf", name, &warps, &cycles) != 3) continue;
    std::string row(name);
    row.erase(row.find_last_not_of(' ') + 1);
    double us[2];
    for (int i = 0; i < 2; ++i) us[i] = k.run(kernels.at(row)(256 << i, uint32_t(warps) * 128)).time_us;
    const double modelled = (us[1] - us[0]) * 1980 / 256;
    CAPTURE(row);
    CAPTURE(warps);
    // Not explained: products of integers beside other work take some 20 % longer than their pipe would (two
    // to three warps in a chain, and four to eight with remainders); 32 warps that load in step leave the
    // load/store unit idle for a while in each turn, and don't on a GPU.
    const bool loose = (row == "remainder" && warps >= 4) || (row == "product" && warps == 8) ||
                       ((row == "chains high" || row == "chains mad") && warps < 4);
    CHECK(modelled == doctest::Approx(cycles).epsilon(loose ? 0.25 : 0.15));
    ++rows;
  }
  CHECK(rows == 114);
}
