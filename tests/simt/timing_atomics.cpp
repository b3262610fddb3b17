// Atomics that meet: the model against what tests/microbench/contention.cu measured on an H100.
#include "../near.hpp"
#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"
#include "simt/caches/atomic_queues.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

namespace {

constexpr uint32_t kBlocks = 4096;  // of one warp

double ns_a_warp(Kernels& k, const LaunchSpec& s) { return k.run(s).time_us * 1e3 / kBlocks; }

}  // namespace

TEST_CASE("atomics that meet take the time that an H100 takes for them") {
  Kernels k(dojo::test::kernel_source("meet.cu"));
  const uint64_t sums = k.buffer(1 << 20);
  for (const std::string type : {"int", "float"})
    hold({"h100-microbench.txt", "lanes that meet on words, red " + type},
         type == "int" ? "32 lanes on {words} words, {apart} apart red int {=ns} red float {float}"
                       : "32 lanes on {words} words, {apart} apart red int {int} red float {=ns}",
         [&](const Row& row) {
           return ns_a_warp(k, k.spec("meet_" + type, {kBlocks, 1, 1}, {32, 1, 1}, sums, row.integer("words"),
                                      row.integer("apart")));
         });
}

TEST_CASE("a text's blanks hold up its letters only in their own queue") {
  Kernels k(dojo::test::kernel_source("meet.cu"));
  const uint64_t sums = k.buffer(1 << 20);
  // 16 lanes on a word and 16 alone, 1, 8 and 64 words apart: 12.8, 17.6 and 11.7 ns a warp on an H100.
  const double near = ns_a_warp(k, k.spec("half_meet_int", {kBlocks, 1, 1}, {32, 1, 1}, sums, 1));
  const double far = ns_a_warp(k, k.spec("half_meet_int", {kBlocks, 1, 1}, {32, 1, 1}, sums, 8));
  const double apart = ns_a_warp(k, k.spec("half_meet_int", {kBlocks, 1, 1}, {32, 1, 1}, sums, 64));
  CHECK(near == dojo::tolerance::within(12.78, 0.15));
  CHECK(far == dojo::tolerance::within(17.6, 0.15));
  CHECK(apart == dojo::tolerance::within(11.7, 0.15));
}

TEST_CASE("what the compiler joins is one addition a warp") {
  Kernels k(dojo::test::kernel_source("meet.cu"));
  const uint64_t sums = k.buffer(4096);
  REQUIRE(k.device->fill(sums, 0, 4096, 0, true).ok());
  CHECK(ns_a_warp(k, k.spec("one_word", {kBlocks, 1, 1}, {32, 1, 1}, sums)) < 1.6);
  CHECK(k.read<int>(sums, 1)[0] == int(kBlocks) * 32);
}

TEST_CASE("lines 0, 1, 4 and 5 of a kilobyte wait in one queue") {
  const auto busiest = [](std::vector<uint64_t> lines, LineAccess::Kind kind) {
    AtomicQueues q;
    for (uint64_t l : lines) q.take({l, 1, kind, 0, packet_turns(1, 0), 0});
    return q.busiest();
  };
  CHECK(busiest({8, 9, 12, 13}, LineAccess::atomic) == 12);
  CHECK(busiest({8, 10, 12, 14}, LineAccess::atomic) == 6);
  CHECK(busiest({8, 16, 24, 32}, LineAccess::atomic) == 3);
  CHECK(busiest({8, 8}, LineAccess::atomic_float) == 14);  // one sector: each addition keeps it
  // Of two sectors in one queue every other addition comes behind one for its own: 1.24 ns each, 5.1 thirds
  // (contention.cu).
  CHECK(busiest({8, 9}, LineAccess::atomic_float) == 10);
  CHECK(busiest({8, 9, 8, 9, 8, 9, 8, 9}, LineAccess::atomic_float) == 41);
  CHECK(busiest({8, 16}, LineAccess::atomic_float) == 7);  // in queues of their own
}
