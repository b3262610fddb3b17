#include "simt/device/device_report.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/host_work.hpp"
#include "core/native/native_run.hpp"
#include "ptx/executed.hpp"
#include "ptx/opcode_class.hpp"
#include "ptx/registers.hpp"
#include "simt/decode/access_traits.hpp"
#include "simt/gpu/occupancy.hpp"
#include "simt/launch_cluster.hpp"

namespace dojo::simt {
namespace {

using ptx::Effect;
using ptx::Space;

/// What a memory instruction is to the counters.
struct MemoryOp {
  bool load = false, store = false, atomic = false, red = false;
  bool copy = false;          ///< cp.async: global memory to shared
  bool bulk = false;          ///< cp.async.bulk; `space`: of the destination
  bool matrix = false;        ///< by LDSM and its like, which Nsight Compute's LDS counters leave out
  bool fragment = false;      ///< wmma: counted by its pieces
  Space space = Space::none;  ///< none: generic
};

MemoryOp memory_op(const ptx::Instruction& i) {
  MemoryOp m;
  m.fragment = i.meaning.op == ptx::Op::wmma && i.meaning.accesses();
  m.load = i.meaning.effect == Effect::load;
  m.store = i.meaning.stores();
  m.matrix = ptx::moves_matrices(i);
  m.atomic = i.meaning.effect == Effect::atomic;
  m.red = i.meaning.effect == Effect::reduction;
  m.copy = i.meaning.effect == Effect::copy;
  m.bulk = i.meaning.effect == Effect::bulk;
  m.space = i.meaning.space;
  return m;
}

/// Atomic operations and block barriers, one for each warp that comes to them.
void count_marks(const ptx::Instruction& i, const InstructionCounts& c, Counters& to) {
  if (i.meaning.changes()) to["dojo__atomics.sum"] += double(c.executed);
  if (i.meaning.barrier()) to["dojo__barriers.sum"] += double(c.executed);
}

/// Sums of texture and surface instructions; false: it is something else.
bool count_texture(const ptx::Instruction& i, const InstructionCounts& c, Counters& to) {
  if (!i.meaning.textures()) return false;
  const ptx::Op op = i.meaning.op;
  const std::string what = op == ptx::Op::suld   ? "surface_op_ld"
                           : op == ptx::Op::sust ? "surface_op_st"
                                                 : "texture";
  to["l1tex__t_requests_pipe_tex_mem_" + what + ".sum"] += double(c.requests);
  to["l1tex__t_sectors_pipe_tex_mem_" + what + ".sum"] += double(c.sectors);
  if (c.outside_lanes) to["dojo__texture_lanes_outside.sum"] += double(c.outside_lanes);
  return true;
}

/// Sums of an access that went to one space. `generic`: by a generic address.
void count_in_space(const MemoryOp& op, Space space, bool generic, const InstructionCounts& c, Counters& to) {
  const char* dir = op.load ? "ld" : op.store ? "st" : op.atomic ? "atom" : "red";
  const std::string d = dir;
  if (space == Space::shared) {
    if ((generic || op.atomic || op.red) && !op.fragment)
      to["smsp__inst_executed_op_shared_" + d + ".sum"] += double(c.requests);
    if (op.atomic || op.red) {
      to["dojo__shared_atomics.sum"] += double(c.requests);
      to["dojo__shared_atomic_wavefronts.sum"] += double(c.wavefronts);
      to["dojo__shared_atomic_conflicts.sum"] += double(c.conflicts);
    }
    if (op.load || op.store) {
      if (!op.matrix)
        to["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_" + d + ".sum"] += double(c.wavefronts);
      to["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + d + ".sum"] += double(c.conflicts);
      if (!op.fragment) to["dojo__lane_bytes_shared_op_" + d + ".sum"] += double(c.lane_bytes);
    }
  } else if (space == Space::global) {
    // Of loads and stores the machine code's count (count_function): generic ones are in no space's counter,
    // as `vm_walk_formulas` of tests/zoo has them on an H100.
    if (op.atomic || op.red) to["smsp__inst_executed_op_global_" + d + ".sum"] += double(c.requests);
    to["l1tex__t_requests_pipe_lsu_mem_global_op_" + d + ".sum"] += double(c.requests);
    to["l1tex__t_sectors_pipe_lsu_mem_global_op_" + d + ".sum"] += double(c.sectors);
    if ((op.load || op.store) && !op.fragment)
      to["dojo__lane_bytes_global_op_" + d + ".sum"] += double(c.lane_bytes);
    if (op.atomic || op.red) to["dojo__lane_bytes_global_atomics.sum"] += double(c.lane_bytes);
  } else if (space == Space::local) {
    to["smsp__inst_executed_op_local_" + d + ".sum"] += double(c.requests);
    to["l1tex__t_sectors_pipe_lsu_mem_local_op_" + d + ".sum"] += double(c.sectors);
  }
}

/// Sums of memory instructions, by the counters they belong to.
void count_memory(const MemoryOp& op, const InstructionCounts& c, Counters& to) {
  if (op.copy) {
    // Nsight Compute counts its requests and sectors with the loads (recorded on an H100), the instruction
    // with neither.
    to["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] += double(c.requests);
    to["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] += double(c.sectors);
    to["dojo__lane_bytes_global_op_ld.sum"] += double(c.lane_bytes);
    return;
  }
  if (op.bulk) {
    // The copy engine passes the load/store unit by: Nsight Compute counts its bytes in the L2 alone.
    to[op.space == Space::global ? "dojo__lane_bytes_global_op_st.sum"
                                 : "dojo__lane_bytes_global_op_ld.sum"] += double(c.lane_bytes);
    return;
  }
  if (c.exchanged_bytes) to["dojo__shared_exchanged_bytes.sum"] += double(c.exchanged_bytes);
  if (c.remote_bytes) to["dojo__lane_bytes_cluster.sum"] += double(c.remote_bytes);
  if (op.space != Space::none) return count_in_space(op, op.space, false, c, to);
  InstructionCounts shared, global = c;  // a generic access counts where it went
  shared.requests = c.shared_requests, shared.lane_bytes = c.shared_lane_bytes;
  shared.wavefronts = c.wavefronts, shared.conflicts = c.conflicts;
  global.requests -= shared.requests;
  global.lane_bytes -= std::min(global.lane_bytes, shared.lane_bytes);
  if (!c.requests) return count_in_space(op, Space::shared, true, c, to);
  if (shared.requests) count_in_space(op, Space::shared, true, shared, to);
  if (global.requests) count_in_space(op, Space::global, true, global, to);
}

void set_ratios(const ptx::Executed& e, Counters& to) {
  const double warps = double(e.warp);
  to["smsp__inst_executed.sum"] = warps;
  to["smsp__thread_inst_executed.sum"] = double(e.thread);
  to["smsp__thread_inst_executed_per_inst_executed.ratio"] = e.warp ? double(e.thread) / warps : 0;
  to["smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"] = e.warp ? double(e.thread_on) / warps : 0;
}

double total_of(const Counters& c, const std::string& prefix) {
  double sum = 0;
  for (auto it = c.lower_bound(prefix); it != c.end() && it->first.starts_with(prefix); ++it)
    sum += it->second;
  return sum;
}

void start_at_zero(Counters& to) {
  for (const char* dir : {"ld", "st"}) {
    const std::string d = dir;
    for (const char* name :
         {"smsp__inst_executed_op_shared_", "smsp__inst_executed_op_global_",
          "l1tex__t_requests_pipe_lsu_mem_global_op_", "l1tex__t_sectors_pipe_lsu_mem_global_op_",
          "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_",
          "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_", "dojo__lane_bytes_global_op_",
          "dojo__lane_bytes_shared_op_", "l1tex__t_sectors_pipe_lsu_mem_local_op_"})
      to[name + d + ".sum"] = 0;
  }
  to["smsp__sass_branch_targets_threads_divergent.sum"] = 0;
  to["dojo__polls.sum"] = to["dojo__atomics.sum"] = to["dojo__barriers.sum"] =
      to["dojo__lane_bytes_global_atomics.sum"] = 0;
}

struct LineKey {
  std::string file;
  int line;
  auto operator<=>(const LineKey&) const = default;
};

/// The registers that some instruction of a function reads, operands and guards.
std::set<uint32_t> registers_read(const ptx::Function& f) {
  std::set<uint32_t> read;
  for (const ptx::Instruction& i : f.code) {
    ptx::each_operand_register(i, false, [&](uint32_t r) { read.insert(r); });
    if (i.guard >= 0) read.insert(uint32_t(i.guard));
  }
  return read;
}

/// How often a warp executed each opcode of a function, and read each special register but the indices of
/// threads and blocks: "ptx:ld.global.f32", "ptx:%clock64". A read whose value nothing uses is none: the
/// compiler has to keep a clock's, and it shows nothing.
void count_opcodes(const ReportInputs& in, uint32_t index, Counters& to) {
  const ptx::Function& f = in.module.functions[index];
  const auto& counts = in.trace.counts[index];
  const std::set<uint32_t> read = registers_read(f);
  const auto used = [&](const ptx::Instruction& i) {
    bool any = false;
    ptx::each_operand_register(i, true, [&](uint32_t r) { any |= read.contains(r); });
    return any;
  };
  for (size_t i = 0; i < f.code.size() && i < counts.size(); ++i) {
    if (!counts[i].executed) continue;
    to["ptx:" + f.code[i].opcode] += double(counts[i].executed);
    for (const ptx::Operand& o : f.code[i].operands)
      if (o.kind == ptx::OperandKind::special && o.name.find('.') == o.name.npos && used(f.code[i]))
        to["ptx:" + o.name] += double(counts[i].executed);
  }
}

const ptx::Operand* address_of(const ptx::Instruction& i) {
  const auto at = std::find_if(i.operands.begin(), i.operands.end(),
                               [](const ptx::Operand& o) { return o.kind == ptx::OperandKind::address; });
  return at == i.operands.end() ? nullptr : &*at;
}

/// The compiler may look once before a loop of looks. Where the word is there at once, that look is executed
/// alone: by the same opcode, at the same address.
bool looked_before(const ptx::Function& f, const std::vector<InstructionCounts>& counts, uint32_t in_loop) {
  const ptx::Operand* a = address_of(f.code[in_loop]);
  for (uint32_t i = 0; a && i < in_loop; ++i) {
    if (!counts[i].executed || f.code[i].opcode != f.code[in_loop].opcode) continue;
    const ptx::Operand* b = address_of(f.code[i]);
    if (b && a->base_is_reg == b->base_is_reg && a->value == b->value && a->offset == b->offset &&
        a->name == b->name)
      return true;
  }
  return false;
}

/// Counts looks at a word of global memory in a loop that goes on until another thread changes it: of a
/// flag, a counter or a lock. A compare-and-swap that only stores what the loop computes waits for nothing.
void count_polls(const ReportInputs& in, uint32_t index, Counters& to) {
  const ptx::Function& f = in.module.functions[index];
  const auto& counts = in.trace.counts[index];
  TraitsReader reader(in.module);
  for (uint32_t i = 0; i < f.code.size() && i < counts.size(); ++i) {
    const ptx::Meaning& m = f.code[i].meaning;
    const bool elsewhere = m.space == Space::shared || m.space == Space::local || m.space == Space::param;
    const bool may_poll = m.op == ptx::Op::atom || (m.op == ptx::Op::ld && m.order != ptx::Order::weak);
    if (!may_poll || elsewhere || !f.blocks[f.block_of[i]].in_loop) continue;
    if (!counts[i].executed && !looked_before(f, counts, i)) continue;
    if (!reader.read(index, i).waits) continue;
    to[waiting_counter] = 1;
    to["dojo__polls.sum"] += double(counts[i].executed);
  }
}

/// Adds what one function executed; whether that is estimated.
bool count_function(const ReportInputs& in, uint32_t index, Counters& all, ptx::Executed& executed,
                    std::map<LineKey, LineCounters>* lines) {
  const ptx::Function& f = in.module.functions[index];
  const auto& counts = in.trace.counts[index];
  if (counts.empty() || f.code.empty()) return false;
  const std::vector<ptx::Visited> visited = visits_of(counts, f.code.size());
  const auto shape = in.shape(index);
  const ptx::ExecutedCounts done = ptx::count_executed(*shape, f, visited);
  executed.warp += done.all.warp;
  executed.thread += done.all.thread;
  executed.thread_on += done.all.thread_on;
  all["smsp__sass_branch_targets_threads_divergent.sum"] += double(done.divergent_branches);
  all["smsp__inst_executed_op_shared_ld.sum"] += double(done.shared_loads);
  all["smsp__inst_executed_op_shared_st.sum"] += double(done.shared_stores);
  all["smsp__inst_executed_op_global_ld.sum"] += double(done.global_loads);
  all["smsp__inst_executed_op_global_st.sum"] += double(done.global_stores);
  all["smsp__inst_executed_op_local_ld.sum"] += double(done.spill_loads);
  all["smsp__inst_executed_op_local_st.sum"] += double(done.spill_stores);
  all["l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"] += double(done.spill_load_sectors);
  all["l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"] += double(done.spill_store_sectors);
  count_polls(in, index, all);
  for (size_t i = 0; i < f.code.size() && i < counts.size(); ++i) {
    const InstructionCounts& c = counts[i];
    const MemoryOp op = memory_op(f.code[i]);
    const bool memory = op.load || op.store || op.atomic || op.red || op.copy || op.bulk;
    if (!count_texture(f.code[i], c, all) && memory) count_memory(op, c, all);
    count_marks(f.code[i], c, all);
    const ptx::Executed& here = done.by_instruction[i];
    if (!lines || (c.executed == 0 && here.warp == 0)) continue;
    const SourceLoc at = in.module.place(f.code[i]);
    if (at.line == 0) continue;
    LineCounters& line = (*lines)[{at.file, at.line}];
    line.file = at.file;
    line.line = at.line;
    Counters& to = line.counters;
    if (!count_texture(f.code[i], c, to) && memory) count_memory(op, c, to);
    count_marks(f.code[i], c, to);
    if (i < shape->divergent_counts.size() && shape->divergent_counts[i] && c.divergent)
      to["smsp__sass_branch_targets_threads_divergent.sum"] += double(c.divergent);
    to["smsp__inst_executed.sum"] += double(here.warp);
    to["smsp__thread_inst_executed.sum"] += double(here.thread);
    if (i < in.time.line_stalls.size() && index == in.node.function)
      for (const auto& [reason, warps] : in.time.line_stalls[i])
        to["smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio"] += warps;
  }
  return done.estimated;
}

void place_in_time(const ReportInputs& in, LaunchReport& r) {
  const ModelledLaunch& t = in.time;
  r.start_us = in.base_us + t.start_us;
  r.time_us = t.end_us - t.start_us;
  // No resource was busy for longer than the launch took. Two bounds are rough and can come out above that:
  // "l2" counts whole sectors where stores fill them in part, "latency" whole waves of one block's time
  // alone.
  for (const auto& [resource, us] : t.bounds) r.bounds[resource] = std::min(us, r.time_us);
  if (t.blocks.empty()) return;
  // Idle: the share of slot time with no block, over SMs, from the first block's start to the last one's end.
  double first = t.blocks[0].start_us, last = t.blocks[0].end_us, busy = 0;
  std::vector<std::vector<std::array<double, 2>>> by_sm(size_t(in.model.info.sms));
  for (const auto& b : t.blocks) {
    first = std::min(first, b.start_us);
    last = std::max(last, b.end_us);
    by_sm[size_t(b.sm) % by_sm.size()].push_back({b.start_us, b.end_us});
  }
  for (auto& spans : by_sm) {
    std::sort(spans.begin(), spans.end());
    double until = first;
    for (const auto& s : spans) {
      if (s[1] <= until) continue;
      busy += s[1] - std::max(s[0], until);
      until = s[1];
    }
  }
  const double room = (last - first) * in.model.info.sms;
  r.tail_idle = room > 0 ? std::clamp(1 - busy / room, 0.0, 1.0) : 0;
  if (!in.blocks) return;
  r.blocks = t.blocks;
  for (auto& b : r.blocks) {
    b.start_us += in.base_us;
    b.end_us += in.base_us;
    for (auto& w : b.waiting) w = {w[0] + in.base_us, w[1] + in.base_us};
  }
}

}  // namespace

std::vector<ptx::Visited> visits_of(const std::vector<InstructionCounts>& counts, size_t instructions) {
  std::vector<ptx::Visited> visited(instructions);
  for (size_t i = 0; i < visited.size() && i < counts.size(); ++i) {
    const InstructionCounts& c = counts[i];
    visited[i] = {c.executed, c.lanes, c.divergent, -1, c.rare, c.rare_lanes, c.idle_eights};
  }
  return visited;
}

LaunchReport make_report(const ReportInputs& in) {
  const LaunchSpec& spec = in.node.spec;
  const ptx::Function& kernel = in.module.functions[in.node.function];
  LaunchReport r;
  r.kernel = kernel.demangled;
  r.grid = spec.grid;
  r.block = spec.block;
  r.dynamic_smem = spec.dynamic_smem;
  r.static_smem = uint32_t(in.resources.static_smem);
  r.registers = uint32_t(in.resources.registers);
  r.stream = in.stream;
  r.source = Source::modelled;
  r.estimated = in.resources.estimated || (in.trace.shape && in.trace.shape->estimated);
  const Occupancy o = occupancy(
      in.model, {uint32_t(spec.block.count()), in.resources.registers, r.static_smem, spec.dynamic_smem});
  r.blocks_per_sm = in.node.blocks_per_sm;
  r.occupancy_limiter = o.limiter;
  r.occupancy = o.share;
  const double capacity = double(in.model.info.sms) * std::max(1, r.blocks_per_sm);
  r.waves = double(spec.grid.count()) / capacity;
  r.wave_utilization = double(spec.grid.count()) / (std::ceil(r.waves) * capacity);
  place_in_time(in, r);

  start_at_zero(r.counters);
  ptx::Executed executed;
  std::map<LineKey, LineCounters> lines;
  for (uint32_t f = 0; f < in.trace.counts.size(); ++f) count_opcodes(in, f, r.counters);
  for (uint32_t f = 0; f < in.trace.counts.size(); ++f)
    r.estimated |= count_function(in, f, r.counters, executed, in.lines ? &lines : nullptr);
  set_ratios(executed, r.counters);
  for (auto& [key, line] : lines) r.lines.push_back(std::move(line));

  Counters& c = r.counters;
  c["dram__bytes_read.sum"] = in.caches.dram_read_bytes;
  c["dram__bytes_write.sum"] = in.caches.dram_write_bytes;
  c["l1tex__t_bytes.sum"] = 32 * (c["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] +
                                  c["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"] +
                                  total_of(c, "l1tex__t_sectors_pipe_lsu_mem_local_op_") +
                                  total_of(c, "l1tex__t_sectors_pipe_tex_mem_"));
  c["lts__t_bytes.sum"] = in.caches.l2_bytes;
  c["dojo__tail_rule.pct"] =
      r.waves > 1 && r.waves > std::floor(r.waves) ? 100 / (1 + std::floor(r.waves)) : 0;
  c["l1tex__t_sector_hit_rate.pct"] = in.caches.l1_hit_pct;
  c["l1tex__m_xbar2l1tex_read_sectors.sum"] = in.caches.l2_read;
  c["lts__t_sectors_srcunit_tex_lookup_hit.sum"] = in.caches.l2_hits;
  c["lts__t_sectors_srcunit_tex_lookup_miss.sum"] = in.caches.l2_misses;
  const double lookups = in.caches.l2_hits + in.caches.l2_misses;
  c["lts__t_sector_hit_rate.pct"] = lookups > 0 ? 100 * in.caches.l2_hits / lookups : 0;
  c["sm__warps_active.avg.pct_of_peak_sustained_active"] = in.time.warps_active_pct;
  c["smsp__issue_active.avg.pct_of_peak_sustained_active"] = in.time.issue_active_pct;
  c["launch__waves_per_multiprocessor"] = r.waves;
  c["launch__registers_per_thread"] = r.registers;
  const Dim3 cluster = launch_cluster(kernel, spec);
  if (cluster.count() > 1) c["launch__cluster_size"] = double(cluster.count());
  if (in.node.priority) c[priority_counter] = in.node.priority;
  if (in.trace.in_detail) c[blocks_in_detail_counter] = double(in.trace.in_detail);
  c["gpu__time_duration.sum"] = r.time_us * 1e3;
  for (const auto& [reason, warps] : in.time.stalls)
    c["smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio"] = warps;
  return r;
}

}  // namespace dojo::simt
