// Runs what is queued: functionally on the machine, then through the time model, then into reports.
#include <algorithm>
#include <utility>

#include "core/step_trace.hpp"
#include "ptx/opcode_class.hpp"
#include "simt/device/device_report.hpp"
#include "simt/device/device_simt.hpp"
#include "simt/device/occupancy.hpp"

namespace dojo::simt {

/// What the caches moved for each launch of a batch. A modelled time is what a GPU is timed by: what the work
/// adds to a chain of launches when none of its data is in the L2. So it pays for what it leaves there to be
/// written back: up to a half of the L2 after the last block, more than that while the blocks run (of what
/// kernels stored an H100 wrote to DRAM what was more than 25 MB, or 22 of copies, by dram__bytes_write;
/// tests/microbench/streams.cu).
std::vector<MemoryTotals> SimtDevice::memory_totals(size_t launches, uint64_t dirty_before) const {
  const uint64_t dirty = hierarchy_.dirty_sectors();
  const double left = 32.0 * double(dirty > dirty_before ? dirty - dirty_before : 0);
  double stored = 0;
  for (uint32_t i = 0; i < launches; ++i) stored += double(hierarchy_.totals(i).stored);
  std::vector<MemoryTotals> memory;
  for (uint32_t i = 0; i < launches; ++i) {
    const auto& t = hierarchy_.totals(i);
    MemoryTotals m{32.0 * double(t.l2_lookups),
                   32.0 * double(t.dram_read),
                   32.0 * double(t.dram_write),
                   32.0 * double(t.stored),
                   double(t.hot_atomics),
                   0,
                   double(t.atomics)};
    const double share = stored > 0 ? double(t.stored) / stored : 0;
    m.written_back = m.dram_write + left * share;
    // No more than half of the L2 is kept from being written.
    m.before_writes = std::min(t.before_writes(), double(model_.info.l2_bytes) / 2 / std::max(1.0, m.stored));
    m.missed = 32.0 * double(t.missed);
    m.l1_bytes = double(hierarchy_.l1_bytes(i));
    m.left = std::min(left, double(model_.info.l2_bytes) / 2) * share;
    memory.push_back(m);
  }
  return memory;
}

/// What a kernel waits for constant memory: for the bank of a module that has __constant__ variables, and for
/// what it reads of them. (Its parameters are there for every kernel before it starts.)
double SimtDevice::wait_for_constants(const ptx::Function& f) {
  const auto& variables = module_->variables;
  if (std::none_of(variables.begin(), variables.end(),
                   [](const ptx::Variable& v) { return v.space == ptx::Space::constant; }))
    return 0;
  const bool reads = std::any_of(f.code.begin(), f.code.end(), [](const ptx::Instruction& i) {
    return ptx::memory_class(i).space == ptx::Space::constant;
  });
  double us = std::exchange(constants_.bank, true) ? 0 : model_.launch.constant_bank_us;
  if (reads)
    us +=
        std::exchange(constants_.read, true) ? model_.launch.constants_again_us : model_.launch.constants_us;
  return us;
}

void SimtDevice::flush() {
  if (queue_.empty()) return;
  std::vector<Queued> queued = std::exchange(queue_, {});
  for (auto& [id, s] : streams_) s.tail.clear();
  std::vector<LaunchNode> nodes;
  std::vector<uint64_t> l1;
  std::vector<uint32_t> together;
  for (const auto& q : queued) {
    nodes.push_back(q.node);
    nodes.back().constants_us = wait_for_constants(module_->functions[q.node.function]);
    const KernelResources k = kernel_resources(q.node.spec.kernel);
    const KernelNeeds needs{uint32_t(q.node.spec.block.count()), k.registers, uint64_t(k.static_smem),
                            q.node.spec.dynamic_smem};
    const int smem = carveout_bytes(model_, needs, q.node.blocks_per_sm);
    l1.push_back(uint64_t(std::max(0, model_.l1_kb * 1024 - smem)));
    together.push_back(uint32_t(std::min<uint64_t>(
        q.node.spec.grid.count(), uint64_t(model_.info.sms) * uint64_t(q.node.blocks_per_sm))));
  }
  hierarchy_.begin(std::move(l1), std::move(together));

  MachineConfig config;
  config.sms = model_.info.sms;
  config.smem_per_block = uint32_t(model_.info.smem_per_block_optin);
  config.warps_per_sm = model_.info.warps_per_sm;
  config.blocks_per_sm = model_.info.blocks_per_sm;
  config.clock_khz = uint64_t(model_.info.clock_mhz * 1000);
  config.arch = model_.arch();
  config.control = control_;
  if (control_.timing) {
    TracedBlocks blocks = blocks_to_trace(model_, *module_, nodes);
    config.trace_block = std::move(blocks.traced), config.keep_whole = std::move(blocks.whole);
  }
  config.hierarchy = &hierarchy_;
  if (control_.steps && !control_.steps->reached) {
    const std::string& kernel = control_.steps->of_kernel;
    uint32_t seen = 0;
    for (const LaunchReport& l : launches_) seen += kernel.empty() || l.kernel == kernel;
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      if (!kernel.empty() && module_->functions[nodes[i].function].demangled != kernel) continue;
      if (seen++ != control_.steps->launch) continue;
      config.steps = control_.steps.get();
      config.steps_launch = i;
    }
    config.control.threads = 1;
  }
  config.shape = [this](uint32_t f) { return shape_of(f); };
  config.print = print_;
  config.finding = [this](Diagnostic d) { findings_.push_back(std::move(d)); };

  const uint64_t dirty_before = hierarchy_.dirty_sectors();
  std::vector<LaunchTrace> traces;
  try {
    traces = execute(*program_, nodes, memory_, config);
  } catch (const RunStopped&) {
    broken_ = true;
    for (auto& [id, e] : events_) e.after.clear();
    throw;
  }
  if (uint64_t& most = control_.max_warp_instructions) {  // of the whole program, not of each launch
    uint64_t executed = 0;
    for (const LaunchTrace& t : traces)
      for (const BlockSummary& b : t.blocks) executed += b.warp_instructions;
    most -= std::min(most - 1, executed);
  }

  std::vector<ModelledLaunch> modelled(nodes.size());
  const std::vector<MemoryTotals> memory = memory_totals(nodes.size(), dirty_before);
  if (control_.timing) modelled = model_time(model_, *module_, nodes, traces, memory);

  const double base = clock_.device;
  double end = base;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const auto& t = hierarchy_.totals(i);
    ModelledLaunch& m = modelled[i];
    m.l2_bytes = memory[i].l2_bytes;
    m.dram_read_bytes = memory[i].dram_read;
    if (control_.apart) m.dram_read_bytes += code_bytes(nodes[i].function);  // in no cache either
    m.dram_write_bytes = memory[i].dram_write;
    m.l1_hit_pct = t.l1_lookups ? 100.0 * double(t.l1_hits) / double(t.l1_lookups) : 0;
    m.l2_read = double(t.fetched);
    m.l2_hits = double(t.lookup_hits);
    m.l2_misses = double(t.lookup_misses);
    Stream* s = find_stream(nodes[i].spec.stream);
    ReportInputs in{model_, *module_, nodes[i], traces[i], m, kernel_resources(nodes[i].spec.kernel), {}};
    in.stream = s ? s->index : 0;
    in.base_us = base;
    in.lines = control_.lines;
    in.blocks = control_.blocks;
    in.shape = [this](uint32_t f) { return shape_of(f); };
    launches_.push_back(make_report(in));
    for (uint32_t f = 0; control_.lines && f < traces[i].counts.size(); ++f) {
      const auto& counts = traces[i].counts[f];
      if (counts.empty()) continue;
      auto& to = executed_[module_->functions[f].name];
      to.resize(counts.size());
      for (size_t k = 0; k < counts.size(); ++k) to[k] += counts[k].executed;
    }
    end = std::max(end, base + m.end_us);
    if (clock_.first < 0) clock_.first = base + m.start_us;
    clock_.first = std::min(clock_.first, base + m.start_us);
  }
  clock_.last = std::max(clock_.last, end);
  clock_.device = end;

  // The same launches as the host sees them: none starts before it is issued, nor before what it comes after.
  std::vector<double> ends(nodes.size());
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    double start =
        std::max(queued[i].issued, streams_.count(nodes[i].spec.stream) ? ready_at(nodes[i].spec.stream) : 0);
    for (uint32_t a : nodes[i].after) start = std::max(start, ends[a]);
    ends[i] = start + (modelled[i].end_us - modelled[i].start_us);
  }
  for (uint32_t i = 0; i < nodes.size(); ++i)
    if (Stream* s = find_stream(nodes[i].spec.stream)) s->free_at = std::max(s->free_at, ends[i]);
  for (auto& [id, e] : events_) {
    for (uint32_t a : e.after) e.time = std::max(e.time, ends[a]);
    e.after.clear();
  }
}

}  // namespace dojo::simt
