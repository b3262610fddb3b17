// Stores of parts of lines, and arrays in local memory: the model against what
// tests/microbench/partial_stores.cu and local_rows.cu, and a lab's starter, measured on an H100.
#include "../near.hpp"
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

TEST_CASE("stores to the same sectors with a load before each are not joined on their way to the L2") {
  Kernels k(dojo::test::kernel_source("gain.cu"), "simt:h100");
  const auto us = [&](const char* kernel, int n, auto... more) {
    const uint64_t in = k.buffer(uint64_t(n) * 4), out = k.buffer(uint64_t(n) * 4);
    REQUIRE(k.device->fill(in, 0, uint64_t(n) * 4, 0, true).ok());
    REQUIRE(k.device->synchronize().ok());
    k.device->take_launches();
    k.device->cold_caches();
    return k.run(k.spec(kernel, {uint32_t(n) / 2048, 1, 1}, {256, 1, 1}, in, out, n, more...)).time_us;
  };
  // h100-starters.txt, profiles/1-gain.
  CHECK(us("gain_kernel", 4194304) == dojo::tolerance::within(52.86, 0.1));
  CHECK(us("gain_kernel", 16777216) == dojo::tolerance::within(183.9, 0.1));
  // The same accesses in a loop of which the machine code has copies: a store happens in one of them.
  CHECK(us("copy_kernel", 2097152, 8) < 1.8 * us("gain_kernel", 2097152));
}

TEST_CASE("stores of parts of the same sectors take what they take on an H100") {
  Kernels k(dojo::test::kernel_source("joined_stores.cu"), "simt:h100");
  k.control.checks = false;  // later rounds store to the same places
  k.device->set_control(k.control);
  const int words = 4 << 20;
  const uint64_t in = k.buffer(uint64_t(words) * 4), out = k.buffer(uint64_t(words) * 8);
  REQUIRE(k.device->fill(in, 0, uint64_t(words) * 4, 0, true).ok());
  hold({"h100-joined-stores.txt", "stores of parts of the same sectors"},
       "{between:w} {blocks} blocks {warps} warps {sets} sets {amount} between {rounds} rounds {=us} us",
       [&](const Row& row) {
         const LaunchSpec s = k.spec("joined_" + row.text("between"), {row.count("blocks"), 1, 1},
                                     {32 * row.count("warps"), 1, 1}, in, out, row.integer("rounds"),
                                     row.integer("sets"), row.integer("amount"), words);
         k.run(s);
         return k.run(s).time_us;
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
