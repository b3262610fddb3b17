// Loops of 1 to 8 warps a scheduler: the model against what tests/microbench/issue.cu measured on an H100.
#include <functional>
#include <map>

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::per_round;
using dojo::test::Row;

TEST_CASE("warps that share a scheduler take the turns that an H100 takes for them") {
  Kernels k(dojo::test::microbench_header("issue.cuh").c_str());
  const uint64_t out = k.buffer(8192), x = k.buffer(8192), y = k.buffer(8192);
  for (uint64_t b : {out, x, y}) REQUIRE(k.device->fill(b, 0, 8192, 0, true).ok());
  const dojo::Dim3 one{1, 1, 1};
  using Launch = std::function<LaunchSpec(int, uint32_t)>;
  const auto launch = [&](const char* kernel, auto... args) -> Launch {
    return [&k, &one, out, kernel, args...](int n, uint32_t threads) {
      return k.spec(kernel, one, {threads, 1, 1}, out, n, args...);
    };
  };
  const std::map<std::string, Launch> kernels = {
      {"chain fma", launch("chain_fma", 0.5f, 0.25f)},
      {"chains fma", launch("chains_fma", 0.5f, 0.25f)},
      {"chain int", launch("chain_int", 5, 3)},
      {"chain both", launch("chain_both", 0.5f, 0.25f, 5)},
      {"region skipped", launch("region", 0.5f, 0.25f, 0)},
      {"region entered", launch("region", 0.5f, 0.25f, 32)},
      {"region halved", launch("region", 0.5f, 0.25f, 16)},
      {"regions skipped", launch("regions", 0.5f, 0.25f, 0)},
      {"regions entered", launch("regions", 0.5f, 0.25f, 32)},
      {"regions halved", launch("regions", 0.5f, 0.25f, 16)},
      {"reciprocal", launch("reciprocal", 0.5f, 0.25f)},
      {"chains high", launch("chains_high", 1234567u)},
      {"chains wide", launch("chains_wide", 1234567u)},
      {"chains mad", launch("chains_mad", 1234567u, 3u)},
      {"chains logic", launch("chains_logic", 5u, 3u)},
      {"chains add", launch("chains_add", 5u, 3u)},
      {"divide", launch("divide", 3.0f)},
      {"remainder", launch("remainder", 1234567u, 1013u)},
      {"product",
       [&](int n, uint32_t t) {
         return k.spec("product", one, {t, 1, 1}, x, y, out, n);
       }},
  };
  hold({"h100-issue.txt", "loops of 1 to 8 warps per scheduler"},
       "{name:24} {warps} warps a scheduler {=cycles}", [&](const Row& row) {
         return 1980 * per_round(256, [&](int turns) {
                  return k.run(kernels.at(row.text("name"))(turns, row.count("warps") * 128)).time_us;
                });
       });
}
