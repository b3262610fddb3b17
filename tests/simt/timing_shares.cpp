// What an SM gets of DRAM while others ask, and who waits for lines that others have asked for: the model
// against what tests/microbench/shares.cu and trips.cu measured on an H100.
#include <functional>

#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::per_round;
using dojo::test::Row;

TEST_CASE("blocks that share DRAM, and blocks that read the same, take what they take on an H100") {
  Kernels k(dojo::test::kernel_source("shares.cu"));
  const uint64_t in = k.buffer(128u << 20), out = k.buffer(4096);
  REQUIRE(k.device->fill(in, 0, 128u << 20, 0, true).ok());
  const auto round_us = [&](int rounds, int kib, const std::function<LaunchSpec(int)>& spec) {
    return per_round(rounds / 2, [&](int n) {
      LaunchSpec s = spec(n);
      s.dynamic_smem = uint32_t(kib) * 1024;
      REQUIRE(k.device->allow_dynamic_smem(s.kernel, int(s.dynamic_smem)).ok());
      k.device->cold_caches();
      return k.run(s).time_us;
    });
  };
  hold({"h100-shares.txt", "blocks that share DRAM"},
       "pulse {each} a thread, {sms} SMs, {per_sm} an SM, {turns} turns, {rounds} rounds, {kib} KiB {=us} us",
       [&](const Row& row) -> std::optional<double> {
         const int turns = row.integer("turns");
         if (row.integer("each") % 4 || row.integer("sms") < 132 || turns == 160)
           return {};  // the machine takes a second for each
         return round_us(row.integer("rounds"), row.integer("kib"), [&](int n) {
           return k.spec("pulse" + row.text("each"), {row.count("sms") * row.count("per_sm"), 1, 1},
                         {512, 1, 1}, in, out, n, turns);
         });
       });
  hold({"h100-shares.txt", "blocks that read the same"},
       "crowd {each} a thread, {sms} blocks, {turns} turns, {late} late, cold {=us} us",
       [&](const Row& row) -> std::optional<double> {
         const int sms = row.integer("sms"), late = row.integer("late");
         if (late == 8 || sms == 66 || sms == 2) return {};
         return round_us(96, 0, [&](int n) {
           return k.spec("crowd" + row.text("each"), {uint32_t(sms), 1, 1}, {512, 1, 1}, in, out, n,
                         row.integer("turns"), late);
         });
       });
}
