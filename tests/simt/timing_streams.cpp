// Kernels that only move data, and blocks that read in bursts: the model against what
// tests/microbench/streams.cu measured on an H100.

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

TEST_CASE("kernels that move data and blocks that read in bursts take what they take on an H100") {
  Kernels k(dojo::test::kernel_source("streams.cu"));
  const uint64_t in = k.buffer(128u << 20), out = k.buffer(64u << 20);
  REQUIRE(k.device->fill(in, 0, 128u << 20, 0, true).ok());
  const auto cold_us = [&](const LaunchSpec& s) {
    REQUIRE(k.device->allow_dynamic_smem(s.kernel, int(s.dynamic_smem)).ok());
    k.device->cold_caches();
    return k.run(s).time_us;
  };
  hold({"h100-streams.txt", "kernels that move data"}, "{name:w} {each} a thread, {kib} KiB {=us} us",
       [&](const Row& row) {
         const uint32_t each = row.count("each");
         return cold_us(k.spec(row.text("name") + row.text("each"), {row.count("kib") / 4 / each, 1, 1},
                               {256, 1, 1}, in, out));
       });
  hold({"h100-streams.txt", "blocks that read in bursts"},
       "burst {each} a thread, {per_sm} an SM, {turns} turns, {fences} fences {=us} us",
       [&](const Row& row) -> std::optional<double> {
         if (row.integer("turns") > 16) return {};  // the machine takes a second for each
         LaunchSpec s =
             k.spec("burst" + row.text("each"), {(128u << 20) / 16 / 512 / row.count("each"), 1, 1},
                    {512, 1, 1}, in, out, row.integer("turns"), row.integer("fences"));
         s.dynamic_smem = (228 / row.count("per_sm") - 3) * 1024;
         return cold_us(s);
       });
}

TEST_CASE("kernels that move data which the L2 holds take what they take on an H100 or H200") {
  for (const std::string gpu : {"h100", "h200"}) {
    Kernels k(dojo::test::kernel_source("streams.cu"), "simt:" + gpu);
    const uint64_t in = k.buffer(64u << 20), out = k.buffer(64u << 20);
    REQUIRE(k.device->fill(in, 0, 64u << 20, 0, true).ok());
    hold({gpu + "-streams.txt", "kernels that move data which the L2 holds"},
         "{name:w} {each} a thread, {kib} KiB {} us, alone {=us}",
         [&](const Row& row) -> std::optional<double> {
           if (row.integer("kib") > 32768) return {};
           const LaunchSpec s =
               k.spec(row.text("name") + row.text("each"), {row.count("kib") / 4 / row.count("each"), 1, 1},
                      {256, 1, 1}, in, out);
           k.device->cold_caches();
           k.run(s);
           return k.run(s).time_us;
         });
  }
}
