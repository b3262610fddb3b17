// What warps and blocks wait for: a grid's barrier, others that try the same words, groups of their own
// lanes.
#include <doctest/doctest.h>

#include <algorithm>

#include "../near.hpp"
#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::per_round;
using dojo::test::Row;

TEST_CASE("barriers of a grid take what they take on an H100") {
  Kernels k(dojo::test::kernel_source("grid_barriers.cu"), "simt:h100");
  hold({"h100-microbench.txt", "barriers of a grid"}, "grid barrier, {an_sm} blocks an SM {=cycles} cycles",
       [&](const Row& row) {
         const uint32_t blocks = 132 * row.count("an_sm");
         const double us = per_round(4, [&](int barriers) {
           LaunchSpec s =
               k.spec("grid_barriers", {blocks, 1, 1}, {256, 1, 1}, uint64_t(0), unsigned(barriers));
           s.cooperative = true;
           return k.run(s).time_us;
         });
         return us * 1980;  // the H100's clock, MHz
       });
}

TEST_CASE("warps that try a compare-and-swap elsewhere take turns") {
  Kernels k(dojo::test::kernel_source("tries.cu"), "simt:h100");
  const uint32_t slots = 8192, n = 6144;
  const uint64_t table = k.buffer_of(std::vector<unsigned>(slots, 0u));
  const uint64_t probes = k.buffer_of(std::vector<unsigned>(n, 0u));
  k.run(k.spec("insert", {n / 128, 1, 1}, {128, 1, 1}, table, slots, probes));
  const auto tries = k.read<unsigned>(probes, n);
  // Side by side, early and late keys probe equally far. One after another, the first half of the keys finds
  // the table nearly empty.
  const auto sum = [&](size_t from, size_t to) {
    double all = 0;
    for (size_t i = from; i < to; ++i) all += tries[i];
    return all;
  };
  CHECK(sum(0, n / 2) == dojo::tolerance::within(sum(n / 2, n), 0.25));
}

TEST_CASE("groups of a warp's lanes add up one after another") {
  Kernels k(dojo::test::kernel_source("groups.cu"), "simt:h100");
  const uint64_t out = k.buffer(128);
  const auto instructions = [&](unsigned groups, int rounds) {
    const auto counters =
        k.run(k.spec("sums_of_groups", {1, 1, 1}, {32, 1, 1}, out, groups, rounds)).counters;
    return counters.at("smsp__inst_executed.sum");
  };
  const auto each = [&](unsigned groups) {
    return (instructions(groups, 20) - instructions(groups, 10)) / 10;
  };
  // Five instructions per group and one, as `qe_group_by_match` of tests/zoo takes on an H100.
  for (unsigned groups : {2u, 8u, 32u}) CHECK(each(groups) - each(1) == 5 * groups + 1);
}

TEST_CASE("operations of a warp's groups take what they take on an H100") {
  Kernels k(dojo::test::kernel_source("groups.cu"), "simt:h100");
  const uint64_t out = k.buffer(4096);
  hold({"h100-groups.txt", "operations of a warp's groups"},
       "{name:w} {place:w} {warps} warps {groups} groups {=cycles} cycles", [&](const Row& row) {
         const double us = per_round(128, [&](int rounds) {
           const std::string name = row.text("name") + "_of_groups";
           return k
               .run(k.spec(name.c_str(), {1, 1, 1}, {32 * row.count("warps"), 1, 1}, out,
                           row.integer("groups"), int(row.text("place") == "apart"), 0, rounds))
               .time_us;
         });
         return us * 1980;  // the H100's clock, MHz
       });
}

TEST_CASE("waits at an mbarrier take what they take on an H100") {
  Kernels k(dojo::test::kernel_source("mbarriers.cu"), "simt:h100");
  const uint64_t out = k.buffer(4096);
  hold({"h100-mbarriers.txt", "waits at an mbarrier"},
       "{kind:w} {blocks} blocks {warps} warps work {work} {lanes} lanes {rounds} rounds {=us} us",
       [&](const Row& row) -> std::optional<double> {
         if (row.integer("work") > 1000) return std::nullopt;  // what the work takes
         const std::string name = "mbarriers_" + row.text("kind");
         return k
             .run(k.spec(name.c_str(), {row.count("blocks"), 1, 1}, {32 * row.count("warps"), 1, 1}, out,
                         row.integer("rounds"), row.integer("work"), row.count("lanes")))
             .time_us;
       });
}
