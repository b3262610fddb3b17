// Loads that meet lines on their way: the model against what tests/microbench/taps.cu measured on an H100 and
// an H200.

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

TEST_CASE("loads that meet lines on their way take what they take on an H100 or H200") {
  for (const std::string gpu : {"h100", "h200"}) {
    Kernels k(dojo::test::kernel_source("taps.cu"), "simt:" + gpu);
    const uint64_t in = k.buffer(200u << 20), out = k.buffer(4u << 20);
    REQUIRE(k.device->fill(in, 0, 200u << 20, 0, true).ok());
    hold({gpu + "-taps.txt", "loads that meet lines in flight"},
         "{what:w} {taps} taps {step} apart, {sms} SMs, {per_sm} an SM, from {from:w} : {=ns} ns",
         [&](const Row& row) -> std::optional<double> {
           const std::string &what = row.text("what"), &from = row.text("from");
           const int taps = row.integer("taps"), block = what == "meet" ? 1024 : 256;
           const uint32_t blocks = row.count("sms") * row.count("per_sm");
           // The machine takes up to two seconds for each.
           if (gpu == "h200" ? taps < 16 : from != "DRAM" && taps > 1 && taps < 16) return {};
           const int turn = int(blocks) * block;
           const int words = from == "DRAM" ? 1 << 30 : from == "L2" ? 12 * turn + 37 * block : turn;
           const auto modelled = [&](int rounds) {
             const LaunchSpec s = k.spec(what + row.text("taps") + "_" + row.text("step"), {blocks, 1, 1},
                                         {uint32_t(block), 1, 1}, in, out, words, rounds);
             k.device->cold_caches();
             return k.run(s).time_us;
           };
           // From the L2: by the third round lines are near.
           const int more = from == "DRAM" ? 36 : 72, less = from == "DRAM" ? 18 : 24;
           return (modelled(more) - modelled(less)) / (more - less) * 1000;
         });
  }
}
