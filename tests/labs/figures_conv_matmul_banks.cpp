// The figures that labs 02, 03 and 04 are about, on their references: load requests and sectors of the
// convolution tiers, sectors a request and lane loads of the matmul tiers, wavefronts of every stride.
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "../near.hpp"
#include "core/counters.hpp"
#include "core/gates/gate.hpp"
#include "lab_runs.hpp"

namespace {

using namespace dojo;

/// The reference's run of a step, and what gate expressions make of it.
struct Figures {
  RunReport run;
  std::map<std::string, double> quantities;
  double operator()(const std::string& expr) const {
    GateContext context;
    context.run = &run;
    context.quantities = quantities;
    return evaluate_expr(expr, context);
  }
};

Figures figures(const std::string& step, Size size) {
  run::RunRequest request;
  request.step = step;
  request.who = run::Who::reference;
  request.device = "simt:h100";
  request.size = size;
  request.gates = false;
  Figures f;
  f.run = run::run_step(test::catalog(), request).runs.at(0);
  INFO(step);
  REQUIRE(f.run.status == Status::pass);
  for (const auto& [name, value] : size) f.quantities[name] = double(value);
  return f;
}

}  // namespace

TEST_CASE("conv1d: a block of 128 makes 12 load requests for 56 sectors, with a shared tile 5 for 17") {
  const Size size = {{"n", 128 * 300}};
  const Figures naive = figures("conv1d/naive", size), shared = figures("conv1d/shared", size);
  CHECK(naive("global_load_requests / blocks") == 12);
  CHECK(naive("global_load_sectors / blocks") == 56);
  CHECK(shared("global_load_requests / blocks") == 5);
  CHECK(shared("global_load_sectors / blocks") == 17);
  CHECK(shared("shared_conflicts") == 0);
  // What the tile saves had been answered by the L1: DRAM delivers the same.
  CHECK(shared("dram_read_bytes") == dojo::tolerance::within(naive("dram_read_bytes"), 0.01));
}

TEST_CASE("conv1d: four outputs a thread take two requests and 33 sectors a warp") {
  const Figures f = figures("conv1d/coarsened", {{"n", 512 * 100}});
  CHECK(f("128 * global_load_requests / n") == 2);
  CHECK(f("128 * global_load_sectors / n") == 33);
}

TEST_CASE("conv2d: the edge threads' tile takes nine rounds a channel, the even one two") {
  const Size size = {{"n", 1}, {"c", 3}, {"k", 1}, {"h", 18}, {"w", 34}, {"r", 3}, {"s", 3}};
  // Two more requests per channel are for the nine weights of each of two filters.
  CHECK(figures("conv1d/conv2d-tiled", size)("global_load_requests / blocks / c") == 11);
  CHECK(figures("conv1d/conv2d-even", size)("global_load_requests / blocks / c") == 4);
}

TEST_CASE("matmul: sectors a load request") {
  const Size size = {{"n", 256}, {"m", 256}, {"k", 256}};
  CHECK(figures("matmul/naive-rows", size)("global_load_sectors / global_load_requests") == 16.5);
  CHECK(figures("matmul/naive-columns", size)("global_load_sectors / global_load_requests") == 2.5);
  CHECK(figures("matmul/block-tile", size)("global_load_sectors / global_load_requests") == 4);
}

TEST_CASE("matmul: lane loads follow each step's formula") {
  const Size size = {{"n", 256}, {"m", 256}, {"k", 256}};
  struct Row {
    const char* step;
    double global, shared;  // 2 N^3 over this; 0: none
  };
  const double work = 2 * std::pow(256.0, 3);
  for (const Row& row :
       {Row{"naive-rows", 1, 0}, Row{"naive-columns", 1, 0}, Row{"thread-tile", 4, 0},
        Row{"block-tile", 32, 1}, Row{"cooperative-fetch", 64, 4}, Row{"vec4", 128, 8},
        Row{"vec4-layout", 128, 8}, Row{"double-buffered", 128, 8}, Row{"warp-tiled", 128, 8}}) {
    const Figures f = figures(std::string("matmul/") + row.step, size);
    INFO(row.step);
    CHECK(f("global_load_lane_bytes / 4") == dojo::tolerance::within(work / row.global, 0.02));
    CHECK(f("shared_load_lane_bytes / 4") ==
          dojo::tolerance::within(row.shared ? work / row.shared : 0, 0.02));
  }
}

TEST_CASE("matmul: five wavefronts a shared load with float4, and none in excess after the layout") {
  // An H100 makes 2097152 shared loads and 10485760 wavefronts at 1024; both go with the third power.
  const Size size = {{"n", 256}, {"m", 256}, {"k", 256}};
  const Figures vec4 = figures("matmul/vec4", size);
  CHECK(vec4("shared_loads") == 2097152 / 64);
  CHECK(vec4("shared_load_wavefronts") == 10485760 / 64);
  const Figures layout = figures("matmul/vec4-layout", size);
  CHECK(layout("shared_loads") == 2097152 / 64);
  CHECK(layout("shared_conflicts") == 0);
}

TEST_CASE("banks: every stride takes as many wavefronts as it has in common with 32") {
  for (int64_t stride = 1; stride <= 32; ++stride) {
    const Figures f = figures("banks/stride", {{"stride", stride}});
    INFO(stride);
    CHECK(f("kernel(chase).shared_load_wavefronts / kernel(chase).shared_loads") ==
          double(std::gcd(stride, int64_t(32))));
  }
}

TEST_CASE("banks: a column of a plain tile conflicts 32 ways, padded and swizzled not at all") {
  const Size size = {{"rows", 256}, {"cols", 192}};
  CHECK(figures("banks/transpose-naive", size)("global_store_sectors / global_store_requests") == 32);
  const Figures plain = figures("banks/transpose-shared", size);
  CHECK(plain("shared_load_wavefronts / shared_loads") == 32);
  CHECK(plain("global_store_sectors / global_store_requests") == 4);
  CHECK(figures("banks/transpose-padded", size)("shared_conflicts") == 0);
  CHECK(figures("banks/transpose-swizzled", size)("shared_conflicts") == 0);
}

TEST_CASE("banks: unit stride takes 2 passes with 8 bytes a lane and 4 with 16") {
  const Size size = {{"n", 1 << 14}};
  const Figures two = figures("banks/vector-pairs", size), four = figures("banks/vector", size);
  CHECK(two("shared_load_wavefronts / shared_loads") == 2);
  CHECK(two("shared_conflicts") == 0);
  CHECK(four("shared_load_wavefronts / shared_loads") == 4);
  CHECK(four("shared_conflicts") == 0);
}

TEST_CASE("banks: packs are free as consecutive scalars, and as one 16-byte store") {
  const Size size = {{"rows", 8}, {"cols", 2048}};
  const Figures scalar = figures("banks/packs", size), joined = figures("banks/packs-vectorised", size);
  CHECK(scalar("shared_conflicts") == 0);
  CHECK(joined("shared_conflicts") == 0);
  // 512 packs a row: 16 warps of packs, four stores each or one, and one store a warp for the maximum.
  CHECK(scalar("shared_stores / blocks") == 16 * 4 + 8);
  CHECK(joined("shared_stores / blocks") == 16 + 8);
}

TEST_CASE("matmul/open: the kernel for whole tiles is right with one and with two tiles on their way") {
  // 128 and 512 tiles of 64 x 128: enough of them for the two kinds on 132 SMs. k: an odd number of pairs of
  // tiles.
  CHECK(figures("matmul/open", {{"n", 1024}, {"m", 1024}, {"k", 48}})("threads / blocks") == 128);
  CHECK(figures("matmul/open", {{"n", 1600}, {"m", 2048}, {"k", 96}})("threads / blocks") == 256);
}

TEST_CASE("transpose/open: wide and narrow rows, whole tiles and edges") {
  for (const auto& [rows, cols] : {std::pair{64, 64}, {68, 132}, {66, 70}, {1, 1}, {4, 4}, {200, 4}})
    CHECK(figures("banks/transpose-open", {{"rows", rows}, {"cols", cols}}).run.check.wrong == 0);
}

TEST_CASE("sgemv/open: every number of lanes a row, and rows that don't start on 16 bytes") {
  for (int k : {1, 4, 13, 16, 20, 32, 64, 100, 128, 260, 1001})
    CHECK(figures("matmul/sgemv-open", {{"n", 37}, {"k", k}}).run.check.wrong == 0);
}
