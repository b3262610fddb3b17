// Kernels in which a thread does one element: the model against what tests/microbench/scalars.cu and
// copies.cu measured on an H100 and an H200.

#include "../near.hpp"
#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

namespace {

struct Weights {
  float w[7] = {};
};

/// The kernels of scalars.cuh, in a module with a __constant__ variable or without.
struct Scalars : Kernels {
  explicit Scalars(const std::string& gpu, bool constants)
      : Kernels((constants ? "#define CONSTANTS\n" : "") + dojo::test::microbench_header("scalars.cuh"),
                "simt:" + gpu) {}
  LaunchSpec kernel(const std::string& name, uint64_t in, uint64_t out, int n) const {
    const Dim3 grid{uint32_t(n + 255) / 256, 1, 1}, block{256, 1, 1};
    return name == "parameters" ? spec(name, grid, block, in, out, n, Weights{})
                                : spec(name, grid, block, in, out, n);
  }
};

}  // namespace

TEST_CASE("kernels in which a thread does one element take what they take on an H100 or H200") {
  for (const std::string gpu : {"h100", "h200"})
    for (const bool constants : {false, true}) {
      Scalars k(gpu, constants);
      const uint64_t in = k.buffer(64u << 20), out = k.buffer(64u << 20);
      REQUIRE(k.device->fill(in, 0, 64u << 20, 0, true).ok());
      if (gpu == "h200" && !constants) continue;  // not recorded
      hold({gpu + "-scalars.txt",
            constants ? "one element per thread, with constants" : "one element per thread"},
           constants ? "module: {name:w} {n} elements {=us} us" : " {name:w} {n} elements {=us} us",
           [&](const Row& row) {
             k.device->cold_caches();
             return k.run(k.kernel(row.text("name"), in, out, row.integer("n"))).time_us;
           });
    }
}

TEST_CASE(
    "a small copy in front of a kernel, and weights in constant memory, take what they take on an H100") {
  Scalars k("h100", true);
  const uint64_t in = k.buffer(4096), out = k.buffer(4096), from = k.buffer(4096), to = k.buffer(4096);
  for (const uint64_t b : {in, from}) REQUIRE(k.device->fill(b, 0, 4096, 0, true).ok());
  const auto us = [&](bool copy, const char* name) {
    k.device->take_launches();
    if (copy) REQUIRE(k.device->copy(to, from, sizeof(Weights), 0, true).ok());
    REQUIRE(k.device->launch(k.kernel(name, in, out, 256)).ok());
    REQUIRE(k.device->synchronize().ok());
    return k.device->device_time().value;
  };
  const auto cold = [&](bool copy, const char* name) {
    k.device->cold_caches();
    return us(copy, name);
  };
  // h100-scalars.txt: 0.92 to 1.18 behind an emptied L2; h100-copies.txt: 0.90 to 0.97 of what the L2 has.
  CHECK(cold(true, "parameters") - cold(false, "parameters") == dojo::tolerance::within(1.07, 0.05));
  us(true, "parameters");
  CHECK(us(true, "parameters") - us(false, "parameters") == dojo::tolerance::within(0.93, 0.02));
  // h100-scalars.txt: 0.15 to 0.35.
  CHECK(cold(false, "constants") - cold(false, "parameters") == dojo::tolerance::within(0.27, 0.25));
  // What is read again and again: 0.08 to 0.13.
  us(false, "constants");
  const double again = us(false, "constants");
  us(false, "parameters");
  CHECK(again - us(false, "parameters") == dojo::tolerance::within(0.1, 0.3));
}
