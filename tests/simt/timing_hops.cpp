// Sums handed from block to block: the model against what tests/microbench/hops.cu measured on an H100.
#include <map>

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::per_round;
using dojo::test::Row;

TEST_CASE("a hop takes what it takes on an H100") {
  Kernels k(dojo::test::microbench_header("hops.cuh").c_str());
  const uint64_t flags = k.buffer(1024 * 128), partial = k.buffer(1024 * 64), out = k.buffer(4096);
  const std::map<std::string, const char*> kernels = {{"look", "look"},
                                                      {"look, clear", "look_clear"},
                                                      {"look, sum", "look_sum"},
                                                      {"look, fence", "look_fence"},
                                                      {"look, fence, sum", "look_fence_sum"},
                                                      {"look, fence, clear, sum", "look_fence_clear_sum"}};
  hold({"h100-hops.txt", "hops"}, "{name:24} {apart} apart {=cycles} cycles", [&](const Row& row) {
    const int apart = row.integer("apart");
    // Words 1 apart have one home; by what clearing them took it was the near half for the SM that looked.
    const uint64_t at = flags + (apart == 1 ? 8192 : 0);
    return 1980 * per_round(256, [&](int turns) {
             k.run(k.spec("post", {1024, 1, 1}, {16, 1, 1}, at, partial, apart));
             return k
                 .run(k.spec(kernels.at(row.text("name")), {1, 1, 1}, {16, 1, 1}, at, partial, out, turns,
                             apart))
                 .time_us;
           });
  });
}

TEST_CASE(
    "a barrier before which lanes wait for one of them is counted once a turn, and what follows it too") {
  // ptxas puts a WARPSYNC of the barrier's own before it; taken for a second copy of the barrier, the loop
  // seemed unrolled by two.
  Kernels k(dojo::test::microbench_header("hops.cuh").c_str());
  const uint64_t flags = k.buffer(4096), partial = k.buffer(65536), out = k.buffer(4096);
  k.run(k.spec("post", {256, 1, 1}, {16, 1, 1}, flags, partial, 1));
  auto r = k.run(k.spec("look_sum", {1, 1, 1}, {16, 1, 1}, flags, partial, out, 256, 1));
  CHECK(r.counters["smsp__inst_executed_op_global_ld.sum"] == 512);  // a look and a sum each
  CHECK(r.counters["smsp__inst_executed.sum"] > 256 * 20);           // 24 in the loop by `cuobjdump -sass`
  CHECK(k.read<float>(out, 16)[15] == 256);
}
