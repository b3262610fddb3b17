// Stores of parts of lines, and arrays in local memory: the model against what
// tests/microbench/partial_stores.cu and local_rows.cu measured on an H100.
#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

TEST_CASE("stores of parts of lines take what they take on an H100") {
  Kernels k(dojo::test::kernel_source("partial_stores.cu"), "simt:h100");
  k.control.checks = false;  // blocks store to the same places
  k.device->set_control(k.control);
  const uint64_t out = k.buffer(16u << 20);
  const auto spec = [&](const Row& row) {
    return k.spec("partial_stores" + row.text("bytes"), {row.count("blocks"), 1, 1}, {256, 1, 1}, out,
                  row.integer("apart"), row.integer("rounds"), 16 << 20);
  };
  hold({"h100-partial-stores.txt", "stores of parts of lines"},
       "store {bytes} bytes, {apart} apart {blocks} blocks rounds {rounds} cold {=us} us",
       [&](const Row& row) {
         k.device->cold_caches();
         return k.run(spec(row)).time_us;
       });
  hold({"h100-partial-stores.txt", "stores of parts of lines that the L2 holds"},
       "store {bytes} bytes, {apart} apart {blocks} blocks rounds {rounds} cold {cold} us  warm {=us} us",
       [&](const Row& row) {
         k.device->cold_caches();
         k.run(spec(row));
         return k.run(spec(row)).time_us;
       });
}

TEST_CASE("arrays in local memory take what they take on an H100") {
  Kernels k(dojo::test::kernel_source("local_rows.cu"), "simt:h100");
  k.control.checks = false;  // blocks store to the same places
  k.device->set_control(k.control);
  const uint64_t out = k.buffer(132 * 1024 * 4);
  REQUIRE(k.device->fill(out, 0, 132 * 1024 * 4, 0, true).ok());
  hold({"h100-local-rows.txt", "arrays in local memory"},
       "{use:w} {bytes} bytes {threads} threads spread {spread} rounds {rounds} {=us} us",
       [&](const Row& row) {
         k.device->cold_caches();
         const std::string name = row.text("use") + row.text("bytes");
         return k
             .run(k.spec(name.c_str(), {132, 1, 1}, {row.count("threads"), 1, 1}, out, row.integer("rounds"),
                         row.integer("spread")))
             .time_us;
       });
}
