// Blocks that load all at once what they sum, by how they end: the model against what
// tests/microbench/tails.cu measured.
#include <string>

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

namespace {

void tails_as_recorded(const std::string& gpu) {
  Kernels k(dojo::test::kernel_source("tails.cu"), "simt:" + gpu);
  const uint64_t in = k.buffer(128u << 20), out = k.buffer(1u << 20), count = k.buffer(4);
  for (uint64_t b : {out, count}) REQUIRE(k.device->fill(b, 0, b == count ? 4 : 1u << 20, 0, true).ok());
  REQUIRE(k.device->fill(in, 0, 128u << 20, 0, true).ok());
  hold({gpu + "-tails.txt", "how blocks end"},
       "tails {threads} threads, {loads} loads, {tail:w}, {mib} MiB {=us} us", [&](const Row& row) {
         std::string name = "k" + row.text("tail") + row.text("loads");
         name[1] = char(name[1] - 'a' + 'A');
         const uint32_t threads = row.count("threads"),
                        blocks = row.count("mib") * 65536u / (threads * row.count("loads"));
         k.device->cold_caches();
         return k.run(k.spec(name, {blocks, 1, 1}, {threads, 1, 1}, in, out, count)).time_us;
       });
}

}  // namespace

TEST_CASE("blocks take as long as on an H200, however they end") { tails_as_recorded("h200"); }
