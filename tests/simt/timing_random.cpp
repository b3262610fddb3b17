// Loads and atomics at random words: the model against what tests/microbench/random_words.cu measured.

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

TEST_CASE("accesses at random words take what they take on an H100") {
  Kernels k(dojo::test::kernel_source("random_words.cu"), "simt:h100");
  const uint64_t table = k.buffer(4u << 20);
  REQUIRE(k.device->fill(table, 0, 4u << 20, 0, true).ok());
  hold({"h100-random-words.txt", "loads and atomics at random words"},
       "{name:w} 132 blocks 1048576 words share {share} group {group} rounds 8 cold {=us} us",
       [&](const Row& row) {
         k.device->cold_caches();
         return k
             .run(k.spec(row.text("name"), {132, 1, 1}, {256, 1, 1}, table, 1u << 20, row.count("share"),
                         row.count("group"), 8u))
             .time_us;
       });
}
