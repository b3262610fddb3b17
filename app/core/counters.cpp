#include "core/counters.hpp"

#include <algorithm>
#include <array>

namespace dojo {
namespace {

constexpr bool SUM = true, MEAN = false, LINE = true, RUN = false;

/// Aliases that stand for the sum of several counters.
struct Composite {
  std::string_view alias;
  std::array<std::string_view, 3> parts;  ///< unused ones are empty
};
constexpr Composite composites[] = {
    // Nsight Compute's counters of loads and stores leave atomics out; these sums don't.
    {"shared_conflicts", {"shared_load_conflicts", "shared_store_conflicts", "shared_atomic_conflicts"}},
    {"shared_wavefronts", {"shared_load_wavefronts", "shared_store_wavefronts", "shared_atomic_wavefronts"}},
    {"shared_accesses", {"shared_loads", "shared_stores", "shared_atomics"}},
    {"global_sectors", {"global_load_sectors", "global_store_sectors"}},
    {"local_sectors", {"local_load_sectors", "local_store_sectors"}},
    {"global_requests", {"global_load_requests", "global_store_requests"}},
    {"global_lane_bytes", {"global_load_lane_bytes", "global_store_lane_bytes"}},
    {"shared_lane_bytes", {"shared_load_lane_bytes", "shared_store_lane_bytes"}},
    {"dram_bytes", {"dram_read_bytes", "dram_write_bytes"}},
};

/// Ratios of two summing counters are formed from the sums, never averaged.
struct Quotient {
  std::string_view name, over, under;
};
constexpr Quotient quotients[] = {
    {"smsp__thread_inst_executed_per_inst_executed.ratio", "smsp__thread_inst_executed.sum",
     "smsp__inst_executed.sum"},
};

double weighted_mean(const RunReport& run, const std::string& name) {
  double sum = 0, weight = 0;
  for (const auto& l : run.launches) {
    auto it = l.counters.find(name);
    if (it == l.counters.end()) continue;
    // A launch without a time (functional run) still has a say.
    const double w = l.time_us > 0 ? l.time_us : 1e-9;
    sum += w * it->second;
    weight += w;
  }
  return weight > 0 ? sum / weight : 0;
}

double plain_sum(const RunReport& run, const std::string& name) {
  double sum = 0;
  for (const auto& l : run.launches)
    if (auto it = l.counters.find(name); it != l.counters.end()) sum += it->second;
  return sum;
}

}  // namespace

const std::vector<CounterInfo>& counter_table() {
#define STALL(reason, help)                                                                                  \
  {                                                                                                          \
    "smsp__average_warps_issue_stalled_" #reason "_per_issue_active.ratio", "stall_" #reason, "warps", MEAN, \
        LINE, help                                                                                           \
  }
  static const std::vector<CounterInfo> table = {
      {"smsp__inst_executed.sum", "instructions", "instructions", SUM, LINE,
       "Warp instructions executed: one per warp."},
      {"smsp__thread_inst_executed.sum", "thread_instructions", "instructions", SUM, LINE,
       "Thread instructions executed: one per active lane."},
      {"smsp__thread_inst_executed_per_inst_executed.ratio", "lanes_per_instruction", "lanes", MEAN, LINE,
       "Active lanes per executed instruction, of 32."},
      {"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio", "lanes_on_per_instruction", "lanes",
       MEAN, LINE,
       "Active lanes with a true predicate per executed instruction, of 32. Short branches become "
       "predicates, so "
       "this is below the active lanes."},
      {"smsp__inst_executed_op_shared_ld.sum", "shared_loads", "instructions", SUM, LINE,
       "Load instructions on shared memory: one per warp."},
      {"smsp__inst_executed_op_shared_st.sum", "shared_stores", "instructions", SUM, LINE,
       "Store instructions on shared memory: one per warp."},
      {"smsp__inst_executed_op_global_ld.sum", "global_loads", "instructions", SUM, LINE,
       "Load instructions on global memory: one per warp."},
      {"smsp__inst_executed_op_global_st.sum", "global_stores", "instructions", SUM, LINE,
       "Store instructions on global memory: one per warp."},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global_load_requests", "requests", SUM, LINE,
       "Requests from global loads to L1."},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global_load_sectors", "sectors", SUM, LINE,
       "32-byte sectors that global loads touch. A full warp that loads consecutive floats touches 4 per "
       "request, the minimum."},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global_store_requests", "requests", SUM, LINE,
       "Requests from global stores to L1."},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global_store_sectors", "sectors", SUM, LINE,
       "32-byte sectors that global stores touch."},
      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared_load_wavefronts",
       "wavefronts", SUM, LINE,
       "Wavefronts of shared loads; a wavefront is one pass through the 32 banks. Without bank conflicts a "
       "4-byte load needs one."},
      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared_store_wavefronts",
       "wavefronts", SUM, LINE, "Wavefronts of shared stores; a wavefront is one pass through the 32 banks."},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "shared_load_conflicts", "wavefronts", SUM,
       LINE, "Bank conflicts of shared loads: wavefronts beyond the minimum."},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "shared_store_conflicts", "wavefronts",
       SUM, LINE, "Bank conflicts of shared stores: wavefronts beyond the minimum."},
      {"smsp__sass_branch_targets_threads_divergent.sum", "divergent_branches", "branches", SUM, LINE,
       "Branches at which lanes of one warp take different targets."},
      {"dram__bytes_read.sum", "dram_read_bytes", "bytes", SUM, RUN, "Bytes read from DRAM."},
      {"dram__bytes_write.sum", "dram_write_bytes", "bytes", SUM, RUN, "Bytes written to DRAM."},
      {"l1tex__t_bytes.sum", "l1_bytes", "bytes", SUM, RUN,
       "Bytes that global and local accesses request from L1, in whole sectors."},
      {"lts__t_bytes.sum", "l2_bytes", "bytes", SUM, RUN, "Bytes requested from L2."},
      {"dojo__tail_rule.pct", "tail_rule", "%", MEAN, RUN,
       "Nsight Compute's estimate of the time lost in the tail: 1 / (1 + whole waves), where a partial wave "
       "follows at least one whole wave. It depends on the grid only. tail_idle is the idle SM time."},
      {"sm__warps_active.avg.pct_of_peak_sustained_active", "warps_active", "%", MEAN, RUN,
       "Achieved occupancy: resident warps per SM, as a share of its warp slots."},
      {"launch__waves_per_multiprocessor", "waves", "waves", MEAN, RUN,
       "Waves of blocks: blocks / (SMs x resident blocks per SM)."},
      {"launch__registers_per_thread", "registers", "registers", MEAN, RUN, "Registers per thread."},
      {"gpu__time_duration.sum", "duration_ns", "ns", SUM, RUN, "Duration of the kernel in nanoseconds."},
      {"l1tex__t_sector_hit_rate.pct", "l1_hit_rate", "%", MEAN, RUN,
       "Sectors found in L1, as a share of the sectors requested."},
      {"lts__t_sector_hit_rate.pct", "l2_hit_rate", "%", MEAN, RUN,
       "Sectors found in L2, as a share of the sectors requested."},
      {"l1tex__m_xbar2l1tex_read_sectors.sum", "l2_sectors_read", "sectors", SUM, RUN,
       "Sectors that L1 reads from L2."},
      {"lts__t_sectors_srcunit_tex_lookup_hit.sum", "l2_hits", "sectors", SUM, RUN,
       "Sectors that the SMs' requests find in L2. Requests from SMs of one GPC for one line at one time "
       "count "
       "once."},
      {"lts__t_sectors_srcunit_tex_lookup_miss.sum", "l2_misses", "sectors", SUM, RUN,
       "Sectors that the SMs' requests do not find in L2, or in the half of L2 that serves the SM."},
      {"dojo__lane_bytes_global_op_ld.sum", "global_load_lane_bytes", "bytes", SUM, LINE,
       "Active lanes x bytes per global load: the bytes that the threads load."},
      {"dojo__lane_bytes_global_op_st.sum", "global_store_lane_bytes", "bytes", SUM, LINE,
       "Active lanes x bytes per global store."},
      {"dojo__lane_bytes_global_atomics.sum", "global_atomic_lane_bytes", "bytes", SUM, LINE,
       "Active lanes x bytes per atomic operation or reduction on global memory."},
      {"dojo__lane_bytes_shared_op_ld.sum", "shared_load_lane_bytes", "bytes", SUM, LINE,
       "Active lanes x bytes per shared load."},
      {"dojo__lane_bytes_shared_op_st.sum", "shared_store_lane_bytes", "bytes", SUM, LINE,
       "Active lanes x bytes per shared store."},
      {"dojo__shared_exchanged_bytes.sum", "shared_exchanged_bytes", "bytes", SUM, LINE,
       "Bytes that a thread loads from shared memory and another thread of the block stored last. Counted in "
       "labs with a gate on it."},
      {"dojo__lane_bytes_cluster.sum", "cluster_lane_bytes", "bytes", SUM, LINE,
       "Active lanes x bytes per load, store or atomic operation on the shared memory of another block of "
       "the "
       "cluster."},
      {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "local_load_sectors", "sectors", SUM, RUN,
       "32-byte sectors that loads from local memory touch. Local memory holds spilled registers and arrays "
       "with computed indices."},
      {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "local_store_sectors", "sectors", SUM, RUN,
       "32-byte sectors that stores to local memory touch."},
      {"l1tex__t_requests_pipe_tex_mem_texture.sum", "texture_requests", "requests", SUM, LINE,
       "Requests from texture fetches to L1: one per warp."},
      {"l1tex__t_sectors_pipe_tex_mem_texture.sum", "texture_sectors", "sectors", SUM, LINE,
       "32-byte sectors that texture fetches touch. The layout of CUDA arrays is not public: the model "
       "assumes "
       "tiles in which a sector holds 16 bytes of each of two rows."},
      {"dojo__texture_lanes_outside.sum", "texture_outside_lanes", "lanes", SUM, LINE,
       "Lanes of texture fetches with a coordinate outside the image. The address mode decides what they "
       "read."},
      {"l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum", "surface_load_requests", "requests", SUM, LINE,
       "Requests from surface reads to L1."},
      {"l1tex__t_sectors_pipe_tex_mem_surface_op_ld.sum", "surface_load_sectors", "sectors", SUM, LINE,
       "32-byte sectors that surface reads touch, in the assumed tiles."},
      {"l1tex__t_requests_pipe_tex_mem_surface_op_st.sum", "surface_store_requests", "requests", SUM, LINE,
       "Requests from surface writes to L1."},
      {"l1tex__t_sectors_pipe_tex_mem_surface_op_st.sum", "surface_store_sectors", "sectors", SUM, LINE,
       "32-byte sectors that surface writes touch, in the assumed tiles."},
      {"dojo__atomics.sum", "atomics", "instructions", SUM, LINE,
       "Atomic operations and reductions on any memory: one per warp."},
      {"dojo__shared_atomics.sum", "shared_atomics", "instructions", SUM, LINE,
       "Atomic operations on shared memory: one per warp."},
      {"dojo__shared_atomic_wavefronts.sum", "shared_atomic_wavefronts", "wavefronts", SUM, LINE,
       "Wavefronts of atomic operations on shared memory. Lanes on one word share a wavefront."},
      {"dojo__shared_atomic_conflicts.sum", "shared_atomic_conflicts", "wavefronts", SUM, LINE,
       "Bank conflicts of atomic operations on shared memory: wavefronts beyond the minimum."},
      {"dojo__polls.sum", "polls", "instructions", SUM, RUN,
       "Loads and atomics of global memory in a loop that waits until another thread changes their word, one "
       "per warp."},
      {"dojo__barriers.sum", "barriers", "instructions", SUM, LINE, "Block barriers executed: one per warp."},
      STALL(long_scoreboard, "Warps waiting for global, local or texture memory, per issued instruction."),
      STALL(short_scoreboard, "Warps waiting for shared memory or a special function."),
      STALL(barrier, "Warps waiting at a block barrier."),
      STALL(wait, "Warps waiting for the fixed latency of their last instruction."),
      STALL(not_selected, "Warps that were ready while the scheduler issued another warp."),
      STALL(selected, "Warps that issued an instruction."),
      STALL(math_pipe_throttle, "Warps waiting for a busy arithmetic pipe."),
      STALL(mio_throttle, "Warps waiting for the shared-memory instruction queue."),
      STALL(lg_throttle, "Warps waiting for the global-memory instruction queue."),
      STALL(tex_throttle, "Warps waiting for the texture queue."),
      STALL(dispatch_stall, "Warps waiting for the dispatcher, which waits for a register bank."),
      STALL(branch_resolving, "Warps waiting for the target of a branch."),
      STALL(membar, "Warps waiting for a memory fence."),
      STALL(drain, "Warps that have ended, with stores still in flight."),
      STALL(imc_miss, "Warps waiting for constant memory."),
      STALL(no_instruction, "Warps waiting for their next instruction to be fetched."),
      STALL(sleeping, "Warps in nanosleep."),
      STALL(misc, "Warps waiting for another reason."),
  };
#undef STALL
  return table;
}

const CounterInfo* find_counter(std::string_view name) {
  const auto& t = counter_table();
  auto it = std::find_if(t.begin(), t.end(),
                         [&](const CounterInfo& c) { return c.name == name || c.alias == name; });
  return it == t.end() ? nullptr : &*it;
}

std::vector<std::string_view> composite_aliases() {
  std::vector<std::string_view> out;
  for (const auto& c : composites) out.push_back(c.alias);
  return out;
}

double total(const RunReport& run, std::string_view name) {
  for (const auto& c : composites)
    if (c.alias == name) {
      double sum = 0;
      for (std::string_view part : c.parts)
        if (!part.empty()) sum += total(run, part);
      return sum;
    }
  const CounterInfo* info = find_counter(name);
  if (!info) return plain_sum(run, std::string(name));
  for (const auto& q : quotients)
    if (q.name == info->name) {
      const double under = plain_sum(run, std::string(q.under));
      if (under > 0) return plain_sum(run, std::string(q.over)) / under;
    }
  return info->sums ? plain_sum(run, std::string(info->name)) : weighted_mean(run, std::string(info->name));
}

}  // namespace dojo
