#include "simt/device_report.hpp"

#include <algorithm>
#include <cmath>

#include "simt/occupancy.hpp"

namespace dojo::simt {
namespace {

using ptx::Space;

/// What a memory instruction is, from its opcode.
struct MemoryOp {
  bool load = false, store = false, atomic = false, red = false;
  Space space = Space::none;  ///< none: generic
};

MemoryOp memory_op(const ptx::Instruction& i) {
  MemoryOp m;
  if (i.parts.empty()) return m;
  const std::string& op = i.parts[0];
  m.load = op == "ld" || op == "ldu" || op == "ldmatrix";
  m.store = op == "st" || op == "stmatrix";
  m.atomic = op == "atom";
  m.red = op == "red";
  for (const auto& p : i.parts) {
    if (p.rfind("shared", 0) == 0) m.space = Space::shared;
    else if (p == "global") m.space = Space::global;
    else if (p == "local") m.space = Space::local;
    else if (p == "const") m.space = Space::constant;
    else if (p.rfind("param", 0) == 0) m.space = Space::param;
  }
  return m;
}

/// Executed instructions, as machine code counts them.
struct Executed {
  double warps = 0, threads = 0, threads_on = 0;
  void add(double w, double t, double on) { warps += w, threads += t, threads_on += on; }
};

/// The block whose entry decides how often a block's instructions are executed: itself, or the one that it is
/// predicated into.
size_t executed_in(const ptx::CodeShape& s, size_t block) {
  while (s.blocks[block].predicated_into >= 0) block = size_t(s.blocks[block].predicated_into);
  return block;
}

void count_executed(const ptx::Function& f, const ptx::CodeShape& shape, const std::vector<InstructionCounts>& counts,
                    Executed& all, std::vector<Executed>* by_instruction) {
  for (size_t b = 0; b < f.blocks.size() && b < shape.blocks.size(); ++b) {
    const InstructionCounts& visits = counts[f.blocks[executed_in(shape, b)].first];
    if (!visits.executed) continue;
    const InstructionCounts& own = counts[f.blocks[b].first];
    for (const auto& op : shape.blocks[b].ops) {
      double on = double(executed_in(shape, b) == b ? visits.lanes : own.lanes);
      if (op.guard_block >= 0) on = double(counts[f.blocks[size_t(op.guard_block)].first].lanes);
      all.add(double(visits.executed), double(visits.lanes), on);
      if (by_instruction) {
        const size_t at = op.ptx >= 0 ? size_t(op.ptx) : f.blocks[b].first;
        (*by_instruction)[at].add(double(visits.executed), double(visits.lanes), on);
      }
    }
  }
}

/// Sums of memory instructions, by the counters they belong to.
void count_memory(const MemoryOp& op, const InstructionCounts& c, Counters& to) {
  Space space = op.space;
  if (space == Space::none) space = c.sectors ? Space::global : Space::shared;  // generic: where it went
  const char* dir = op.load ? "ld" : op.store ? "st" : op.atomic ? "atom" : "red";
  const std::string d = dir;
  if (space == Space::shared) {
    to["smsp__inst_executed_op_shared_" + d + ".sum"] += double(c.requests);
    if (op.load || op.store) {
      to["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_" + d + ".sum"] += double(c.wavefronts);
      to["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + d + ".sum"] += double(c.conflicts);
      to["dojo__lane_bytes_shared_op_" + d + ".sum"] += double(c.lane_bytes);
    }
  } else if (space == Space::global) {
    to["smsp__inst_executed_op_global_" + d + ".sum"] += double(c.requests);
    to["l1tex__t_requests_pipe_lsu_mem_global_op_" + d + ".sum"] += double(c.requests);
    to["l1tex__t_sectors_pipe_lsu_mem_global_op_" + d + ".sum"] += double(c.sectors);
    if (op.load || op.store) to["dojo__lane_bytes_global_op_" + d + ".sum"] += double(c.lane_bytes);
  } else if (space == Space::local) {
    to["smsp__inst_executed_op_local_" + d + ".sum"] += double(c.requests);
    to["l1tex__t_sectors_pipe_lsu_mem_local_op_" + d + ".sum"] += double(c.sectors);
  }
}

void set_ratios(const Executed& e, Counters& to) {
  to["smsp__inst_executed.sum"] = e.warps;
  to["smsp__thread_inst_executed.sum"] = e.threads;
  to["smsp__thread_inst_executed_per_inst_executed.ratio"] = e.warps > 0 ? e.threads / e.warps : 0;
  to["smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"] = e.warps > 0 ? e.threads_on / e.warps : 0;
}

void start_at_zero(Counters& to) {
  for (const char* dir : {"ld", "st"}) {
    const std::string d = dir;
    for (const char* name : {"smsp__inst_executed_op_shared_", "smsp__inst_executed_op_global_",
                             "l1tex__t_requests_pipe_lsu_mem_global_op_", "l1tex__t_sectors_pipe_lsu_mem_global_op_",
                             "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_",
                             "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_", "dojo__lane_bytes_global_op_",
                             "dojo__lane_bytes_shared_op_"})
      to[name + d + ".sum"] = 0;
  }
  to["smsp__sass_branch_targets_threads_divergent.sum"] = 0;
}

struct LineKey {
  std::string file;
  int line;
  auto operator<=>(const LineKey&) const = default;
};

void count_function(const ReportInputs& in, uint32_t index, Counters& all, Executed& executed,
                    std::map<LineKey, LineCounters>* lines) {
  const ptx::Function& f = in.module.functions[index];
  const auto& counts = in.trace.counts[index];
  if (counts.empty() || f.code.empty()) return;
  const auto shape = in.shape(index);
  std::vector<Executed> by_instruction(lines ? f.code.size() : 0);
  count_executed(f, *shape, counts, executed, lines ? &by_instruction : nullptr);
  for (size_t i = 0; i < f.code.size() && i < counts.size(); ++i) {
    const InstructionCounts& c = counts[i];
    const MemoryOp op = memory_op(f.code[i]);
    const bool memory = op.load || op.store || op.atomic || op.red;
    const double divergent =
        i < shape->divergent_counts.size() && shape->divergent_counts[i] ? double(c.divergent) : 0;
    if (memory) count_memory(op, c, all);
    all["smsp__sass_branch_targets_threads_divergent.sum"] += divergent;
    if (!lines) continue;
    if (c.executed == 0 && by_instruction[i].warps == 0) continue;
    const SourceLoc at = in.module.place(f.code[i]);
    if (at.line == 0) continue;
    LineCounters& line = (*lines)[{at.file, at.line}];
    line.file = at.file;
    line.line = at.line;
    if (memory) count_memory(op, c, line.counters);
    if (divergent > 0) line.counters["smsp__sass_branch_targets_threads_divergent.sum"] += divergent;
    line.counters["smsp__inst_executed.sum"] += by_instruction[i].warps;
    line.counters["smsp__thread_inst_executed.sum"] += by_instruction[i].threads;
    if (i < in.time.line_stalls.size() && index == in.node.function)
      for (const auto& [reason, warps] : in.time.line_stalls[i])
        line.counters["smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio"] += warps;
  }
}

void place_in_time(const ReportInputs& in, LaunchReport& r) {
  const ModelledLaunch& t = in.time;
  r.start_us = in.base_us + t.start_us;
  r.time_us = t.end_us - t.start_us;
  r.bounds = t.bounds;
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
  Executed executed;
  std::map<LineKey, LineCounters> lines;
  for (uint32_t f = 0; f < in.trace.counts.size(); ++f)
    count_function(in, f, r.counters, executed, in.lines ? &lines : nullptr);
  set_ratios(executed, r.counters);
  for (auto& [key, line] : lines) r.lines.push_back(std::move(line));

  Counters& c = r.counters;
  c["dram__bytes_read.sum"] = in.time.dram_read_bytes;
  c["dram__bytes_write.sum"] = in.time.dram_write_bytes;
  c["l1tex__t_sector_hit_rate.pct"] = in.time.l1_hit_pct;
  c["lts__t_sector_hit_rate.pct"] = in.time.l2_hit_pct;
  c["sm__warps_active.avg.pct_of_peak_sustained_active"] = in.time.warps_active_pct;
  c["smsp__issue_active.avg.pct_of_peak_sustained_active"] = in.time.issue_active_pct;
  c["launch__waves_per_multiprocessor"] = r.waves;
  c["launch__registers_per_thread"] = r.registers;
  c["gpu__time_duration.sum"] = r.time_us * 1e3;
  for (const auto& [reason, warps] : in.time.stalls)
    c["smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio"] = warps;
  return r;
}

}  // namespace dojo::simt
