#include "simt/gpu/rules.hpp"

namespace dojo::simt {

const std::vector<TimeRule>& time_rules() {
  static const std::vector<TimeRule> all = {
      {"l2-halves",
       "the L2 has two halves, the far one later",
       "l2_halves.cu",
       {{"latency.l2_near", 0, "latency.l2"}}},
      {"dram-crowd",
       "a DRAM line arrives sooner where many SMs ask",
       "trips.cu",
       {{"latency.dram_crowd", 0, "latency.dram"}}},
      {"dram-rows",
       "a request at a busy DRAM waits a row cycle per request ahead",
       "streams.cu",
       {{"memory.row_ns"}}},
      {"write-turn", "loads wait while their part of DRAM writes", "busy.cu", {{"memory.write_turn_ns"}}},
      {"refresh", "a part of DRAM refreshes a fifth of the time", "spread.cu", {{"memory.refresh_ns"}}},
      {"write-back", "writing back what stays dirty costs a fixed time", "streams.cu", {{"memory.turn_us"}}},
      {"dirty-share", "half of the L2 may stay dirty", "streams.cu", {{"memory.l2_dirty_share"}}},
      {"store-least",
       "a store sends at least 64 bytes per line",
       "streams.cu",
       {{"memory.l2_store_least", 1}}},
      {"store-rate",
       "the L2 takes stores at a lower rate than it serves loads",
       "streams.cu",
       {{"memory.l2_store_gbps", 0, "memory.l2_gbps"}}},
      {"l2-port",
       "an SM takes 64 bytes per cycle from the L2",
       "A100 whitepaper",
       {{"memory.l2_sm_bytes", 1024}}},
      {"outstanding-bytes",
       "an SM has at most 48 KiB of loads outstanding",
       "shares.cu",
       {{"memory.inflight_least_kb", 1024}, {"memory.inflight_most_kb", 1024}}},
      {"outstanding-misses", "an SM has at most 512 loads outstanding", "taps.cu", {{"memory.mshrs", 65536}}},
      {"fair-shares",
       "an SM below half of its share of DRAM is served faster",
       "streams.cu, shares.cu",
       {{"memory.share_burst", 0}, {"memory.share_busiest", 1}}},
      {"joined-loads",
       "loads of a GPC's SMs for one line reach the L2 once",
       "joined.cu",
       {{"memory.joined", 1}}},
      {"float-atomics",
       "atomic additions of floats take longer",
       "contention.cu",
       {{"memory.atomic_float_turns", 24}}},
      {"branches",
       "taken branches and meeting lanes cost cycles",
       "issue.cu, loops.cu",
       {{"latency.branch"}, {"latency.meet"}, {"latency.part"}}},
      {"register-banks",
       "operands of one register bank stall",
       "registers.cu",
       {{"latency.register_lag", 1000}}},
      {"wide-products", "64-bit products delay what follows", "issue.cu", {{"latency.wide_product"}}},
      {"barrier-warps", "a barrier costs cycles per warp", "latency.cu", {{"latency.barrier_warp"}}},
      {"fence-beside",
       "a fence beside another takes longer",
       "fences.cu",
       {{"latency.fence_beside", 0, "latency.fence"}}},
      {"constant-words",
       "a load of constants takes longer per word",
       "constants.cu",
       {{"latency.constant_word"}}},
      {"first-constants",
       "a module's constants delay its first kernel",
       "scalars.cu",
       {{"launch.constants_us"}, {"launch.constant_bank_us"}, {"launch.constants_again_us"}}},
      {"block-launch", "blocks start one after another", "throughput.cu", {{"launch.block_ns"}}},
      {"block-rest", "a slot rests between two blocks", "slots.cu", {{"launch.turnaround_ns"}}},
  };
  return all;
}

const TimeRule* find_rule(const std::string& name) {
  for (const TimeRule& r : time_rules())
    if (name == r.name) return &r;
  return nullptr;
}

}  // namespace dojo::simt
