// Blocks that follow one another in their places: the model against what tests/microbench/slots.cu measured.

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

namespace {

void slots_as_recorded(const std::string& gpu) {
  const std::string ends[] = {"no store", "one stores", "warps store", "all store"};
  Kernels k(dojo::test::kernel_source("slots.cu"), "simt:" + gpu);
  const uint64_t out = k.buffer(256u << 20);
  hold({gpu + "-slots.txt", "a block's place"},
       "slots {end:11}, {per_sm} an SM, {warps} warps{*}, {turns} turns {=ns} ns", [&](const Row& row) {
         const auto end = std::find(std::begin(ends), std::end(ends), row.text("end"));
         REQUIRE(end != std::end(ends));
         const bool early = row.line.find("one stays") != row.line.npos;
         const uint32_t per_sm = row.count("per_sm");
         const auto us = [&](uint32_t blocks_per_place) {
           LaunchSpec s = k.spec("slot" + std::to_string(end - std::begin(ends)),
                                 {132 * per_sm * blocks_per_place, 1, 1}, {row.count("warps") * 32, 1, 1},
                                 out, row.integer("turns"), int(early));
           s.dynamic_smem = (228 / per_sm - 2) * 1024;
           REQUIRE(k.device->allow_dynamic_smem(s.kernel, int(s.dynamic_smem)).ok());
           return k.run(s).time_us;
         };
         const double few = us(8);
         return (us(24) - few) * 1e3 / 16;
       });
}

}  // namespace

TEST_CASE("a block's place is taken again as soon as on an H100 or H200") {
  slots_as_recorded("h100");
  slots_as_recorded("h200");
}
