// Loads at a busy DRAM: the model against what tests/microbench/busy.cu measured.

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

namespace {

void busy_as_recorded(const std::string& gpu) {
  Kernels k(dojo::test::kernel_source("busy.cu"), "simt:" + gpu);
  constexpr unsigned words = 1u << 24;
  const uint64_t in = k.buffer(uint64_t(words) * 8), out = k.buffer(uint64_t(words) * 4);
  REQUIRE(k.device->fill(in, 0, uint64_t(words) * 8, 0, true).ok());
  hold({gpu + "-busy.txt", "loads at a busy DRAM"},
       "busy {reads} read, {writes} written, {threads} threads, {per_sm} an SM, {kib} KiB {=us} us",
       [&](const Row& row) {
         const uint32_t threads = row.count("threads");
         LaunchSpec s = k.spec("busy" + row.text("reads") + (row.integer("writes") ? "_stores" : ""),
                               {words / threads, 1, 1}, {threads, 1, 1}, in, out, words);
         s.dynamic_smem = row.count("kib") * 1024;
         REQUIRE(k.device->allow_dynamic_smem(s.kernel, int(s.dynamic_smem)).ok());
         k.device->cold_caches();
         return k.run(s).time_us;
       });
}

}  // namespace

TEST_CASE("loads wait at a busy DRAM as long as on an H100 or H200, beside stores too") {
  busy_as_recorded("h100");
  busy_as_recorded("h200");
}
