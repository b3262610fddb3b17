// Requests of SMs that meet on their way to the L2: the machine's lookups against those that Nsight Compute
// counted of tests/microbench/joined.cu on an H200.

#include "../near.hpp"
#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using dojo::test::Kernels;

TEST_CASE("blocks in step that read the same look it up in the L2 as often as on an H200") {
  Kernels k(dojo::test::kernel_source("shares.cu"), "simt:h200");
  const uint64_t in = k.buffer(16u << 20), out = k.buffer(4096);
  REQUIRE(k.device->fill(in, 0, 16u << 20, 0, true).ok());
  const test::Pattern crowd(
      "crowd {each} a thread, {blocks} blocks, {late} late, cold: came {came} read {read} hit {hit} miss "
      "{miss}");
  int rows = 0;
  for (const std::string& line : dojo::test::recorded_lines("h200-joined.txt")) {
    const auto row = crowd.read(line);
    if (!row) continue;
    const uint32_t blocks = row->count("blocks");
    if (row->integer("late") || blocks > 132) continue;  // those that come later, and several on an SM, drift
    k.device->cold_caches();
    auto counters =
        k.run(k.spec("crowd" + row->text("each"), {blocks, 1, 1}, {512, 1, 1}, in, out, 96, 16, 0)).counters;
    const double came = row->number("came"), hits = counters["lts__t_sectors_srcunit_tex_lookup_hit.sum"],
                 misses = counters["lts__t_sectors_srcunit_tex_lookup_miss.sum"];
    CAPTURE(line);
    CHECK(counters["l1tex__m_xbar2l1tex_read_sectors.sum"] == came);
    CHECK(hits + misses == dojo::tolerance::within(row->number("read"), 0.05));
    // On the GPU both halves of the L2 miss a line that both request at once, up to twice the lines. Here the
    // second request finds what the first one fetched.
    CHECK(misses >= came / blocks);
    CHECK(misses <= 1.5 * row->number("miss"));
    ++rows;
  }
  CHECK(rows == 16);
}

TEST_CASE(
    "a lone sector that misses the L2 is counted with its neighbour, an atomic's second sector is there") {
  Kernels k(R"(
__global__ void lone(const float* x, float* out) { out[threadIdx.x] = x[threadIdx.x * 16]; }
__global__ void whole(const float* x, float* out) { out[threadIdx.x] = x[threadIdx.x]; }
__global__ void add(float* x) { atomicAdd(x + threadIdx.x, 1.0f); }
)",
            "simt:h200");
  const uint64_t x = k.buffer_of(std::vector<float>(1024, 1.0f)), out = k.buffer(4096);
  const auto lookups = [&](const LaunchSpec& s) {
    k.device->cold_caches();
    auto c = k.run(s).counters;
    return std::pair(c["lts__t_sectors_srcunit_tex_lookup_hit.sum"],
                     c["lts__t_sectors_srcunit_tex_lookup_miss.sum"]);
  };
  // As control.cu and global_patterns.cu of tests/counters: stride_32 131072 misses of 65536 sectors,
  // atomic_apart as many hits as misses.
  CHECK(lookups(k.spec("lone", {1, 1, 1}, {32, 1, 1}, x, out)) == std::pair(4.0, 64.0));
  CHECK(lookups(k.spec("whole", {1, 1, 1}, {32, 1, 1}, x, out)) == std::pair(4.0, 4.0));
  CHECK(lookups(k.spec("add", {1, 1, 1}, {32, 1, 1}, x)) == std::pair(2.0, 2.0));
}
