// Blocks that read and add to a word: the model against what tests/microbench/sums.cu measured.

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

namespace {

void sums_as_recorded(const std::string& gpu) {
  Kernels k(dojo::test::kernel_source("sums.cu"), "simt:" + gpu);
  const uint64_t in = k.buffer(128u << 20), out = k.buffer(1u << 20);
  REQUIRE(k.device->fill(in, 0, 128u << 20, 0, true).ok());
  REQUIRE(k.device->fill(out, 0, 1u << 20, 0, true).ok());
  hold({gpu + "-sums.txt", "blocks that read and add to a word"},
       "sums {blocks} blocks, {words} words {=us} us", [&](const Row& row) {
         k.device->cold_caches();
         return k.run(k.spec("sum", {row.count("blocks"), 1, 1}, {256, 1, 1}, in, out, row.integer("words")))
             .time_us;
       });
}

}  // namespace

TEST_CASE("blocks that read and add to a word take what they take on an H100 or H200") {
  sums_as_recorded("h100");
  sums_as_recorded("h200");
}

TEST_CASE("additions to few words wait for each other on whichever SM their blocks are, as on an H100") {
  Kernels k(dojo::test::kernel_source("uneven.cu"), "simt:h100");
  const uint64_t sums = k.buffer(1u << 20);
  REQUIRE(k.device->fill(sums, 0, 1u << 20, 0, true).ok());
  hold({"h100-uneven.txt", "grids that give some SMs a block more"},
       "uneven {blocks} blocks, {words} words {=us} us", [&](const Row& row) {
         k.device->cold_caches();
         return k.run(k.spec("uneven", {row.count("blocks"), 1, 1}, {256, 1, 1}, sums, row.integer("words")))
             .time_us;
       });
}
