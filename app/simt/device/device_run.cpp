// Runs what is queued: functionally on the machine, then through the time model, then into reports.
#include <algorithm>
#include <utility>

#include "core/host_work.hpp"
#include "core/step_trace.hpp"
#include "core/text/error_words.hpp"
#include "simt/device/device_report.hpp"
#include "simt/device/device_simt.hpp"
#include "simt/device/spilled.hpp"
#include "simt/gpu/occupancy.hpp"
#include "simt/time/progress.hpp"
#include "simt/time/sample.hpp"

namespace dojo::simt {

/// What the caches moved for each launch of a batch. A modelled time is what a GPU is timed by: what the work
/// adds to a chain of launches when none of its data is in the L2. So it pays for what it leaves there to be
/// written back: up to a half of the L2 after the last block, more than that while the blocks run (of what
/// kernels stored an H100 wrote to DRAM what was more than 25 MB, or 22 of copies, by dram__bytes_write;
/// tests/microbench/streams.cu).
std::vector<MemoryTotals> SimtDevice::memory_totals(const Batch& batch, uint64_t dirty_before) const {
  const size_t launches = batch.nodes.size();
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
                   32.0 * double(t.stored_parts),
                   double(t.hot_atomics),
                   0,
                   double(t.atomics)};
    const double share = stored > 0 ? double(t.stored) / stored : 0;
    m.written_back = m.dram_write + left * share;
    // The L2 keeps no more than its dirty share from being written back.
    const double most_dirty = double(model_.info.l2_bytes) * model_.memory.l2_dirty_share;
    m.before_writes = std::min(t.before_writes(), most_dirty / std::max(1.0, m.stored));
    m.missed = 32.0 * double(t.missed);
    m.load_lines = double(t.load_lines), m.atomic_packets = double(t.packets);
    m.rows_opened = double(t.rows_opened);
    m.l1_bytes = double(hierarchy_.l1_bytes(i));
    m.left = std::min(left, most_dirty) * share;
    const uint64_t resident = uint64_t(model_.info.sms) * uint64_t(batch.nodes[i].blocks_per_sm);
    const Spilled s = spilled(*module_, batch.nodes[i], batch.traces[i], resident);
    m.spilled = s.stored;
    m.stored += s.stored, m.l2_bytes += s.stored, m.written_back += s.dirty;
    m.left += std::min(s.dirty, most_dirty - m.left);
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
    return i.meaning.accesses() && i.meaning.space == ptx::Space::constant;
  });
  const auto& costs = model_.launch;
  double us = std::exchange(constants_.bank, true) ? 0 : costs.constant_bank_us;
  if (reads) us += std::exchange(constants_.read, true) ? costs.constants_again_us : costs.constants_us;
  return us;
}

void SimtDevice::flush() {
  wait_until_idle();
  if (!held_.empty()) return run_held();
  run_queue();
}

void SimtDevice::run_queue() {
  if (queue_.empty()) return;
  Batch batch = take_queue();
  const uint64_t dirty_before = hierarchy_.dirty_sectors();
  run_batch(batch);
  charge_instructions(batch);
  batch.memory = memory_totals(batch, dirty_before);
  batch.modelled.resize(batch.nodes.size());
  if (for_results_)
    estimate_times(batch);
  else if (control_.timing)
    batch.modelled = model_time(model_, *module_, batch.nodes, batch.traces, batch.memory);
  report_batch(batch);
  hand_to_engines(batch);
  run_asked();
}

/// The queued launches as a graph, with the L1 that each leaves for caching.
SimtDevice::Batch SimtDevice::take_queue() {
  Batch batch;
  batch.queued = std::exchange(queue_, {});
  for (auto& [id, s] : streams_)
    if (!s.tail.empty()) batch.tails[id] = std::exchange(s.tail, {});
  for (auto& [id, e] : events_)
    if (!e.after.empty()) {
      batch.events[id] = {e.record, std::exchange(e.after, {})};
      e.waits = true;
    }
  std::vector<uint64_t> l1_bytes;
  std::vector<uint32_t> together;
  for (const auto& q : batch.queued) {
    batch.nodes.push_back(q.node);
    batch.nodes.back().constants_us = wait_for_constants(module_->functions[q.node.function]);
    const KernelResources k = kernel_resources(q.node.spec.kernel);
    const KernelNeeds needs{uint32_t(q.node.spec.block.count()), k.registers, uint64_t(k.static_smem),
                            q.node.spec.dynamic_smem};
    const int smem = carveout_bytes(model_, needs, q.node.blocks_per_sm);
    l1_bytes.push_back(uint64_t(std::max(0, model_.l1_kb * 1024 - smem)));
    together.push_back(uint32_t(std::min<uint64_t>(
        q.node.spec.grid.count(), uint64_t(model_.info.sms) * uint64_t(q.node.blocks_per_sm))));
  }
  hierarchy_.begin(std::move(l1_bytes), std::move(together));
  return batch;
}

MachineConfig SimtDevice::machine_config(const Batch& batch) {
  MachineConfig config;
  config.sms = model_.info.sms;
  config.smem_per_block = uint32_t(model_.info.smem_per_block_optin);
  config.smem_granularity = uint32_t(model_.smem_granularity);
  config.warps_per_sm = model_.info.warps_per_sm;
  config.blocks_per_sm = model_.info.blocks_per_sm;
  config.clock_khz = uint64_t(model_.info.clock_mhz * 1000);
  config.arch = model_.arch();
  config.control = control_;
  const bool timed = control_.timing && !for_results_;
  if (timed) {
    TracedBlocks blocks = blocks_to_trace(model_, *module_, batch.nodes);
    config.trace_block = std::move(blocks.traced), config.spare_trace = std::move(blocks.spare);
    config.keep_whole = std::move(blocks.whole);
  }
  if (blocks_in_detail_ && !for_results_)
    config.blocks_in_detail = [this, &batch](uint32_t launch) {
      const LaunchNode& n = batch.nodes[launch];
      return n.spec.cooperative || may_spin(*module_, module_->functions[n.function]) ? 0 : blocks_in_detail_;
    };
  config.stop_when_hopeless = !to_the_end_, config.host = host_;
  config.hierarchy = caches_ && !for_results_ ? &hierarchy_ : nullptr;
  config.results_only = for_results_, config.repeated = sampler_ ? &repeated_ : nullptr;
  config.keep_blocks = timed || control_.max_warp_instructions;
  if (for_results_) config.control.checks = config.control.lines = false;
  config.shape = [this](uint32_t f) { return shape_of(f); }, config.print = print_;
  config.asked = [this](std::vector<DeviceWork> w) { asked_ = std::move(w); };
  config.finding = [this](Diagnostic d) { findings_.push_back(std::move(d)); };
  if (control_.steps && !control_.steps->reached) choose_recorded(batch, config);
  return config;
}

/// Which launch of the batch has the block to record: the program's launches are counted from its first.
void SimtDevice::choose_recorded(const Batch& batch, MachineConfig& config) const {
  const std::string& kernel = control_.steps->of_kernel;
  uint32_t seen = 0;
  for (const LaunchReport& l : launches_) seen += kernel.empty() || l.kernel == kernel;
  for (uint32_t i = 0; i < batch.nodes.size(); ++i) {
    if (!kernel.empty() && module_->functions[batch.nodes[i].function].demangled != kernel) continue;
    if (seen++ != control_.steps->launch) continue;
    config.steps = control_.steps.get();
    config.steps_launch = i;
  }
  config.control.threads = 1;
}

void SimtDevice::run_batch(Batch& batch) {
  MachineConfig config = machine_config(batch);
  const uint64_t dirty_before = hierarchy_.dirty_sectors();
  if (control_.timing && control_.blocks && !for_results_)
    config.stopped = [&](StoppedBatch left) { report_stopped(batch, std::move(left), dirty_before); };
  running_ = &batch;
  try {
    batch.traces = execute(*program_, batch.nodes, memory_, config);
  } catch (const RunStopped& stop) {
    running_ = nullptr;
    broken_ = true;
    stop_ = stop;
    if (stop.why.kind == FindingKind::deadlock && !queue_.empty())
      stop_.why.message += " Host code has launched " +
                           module_->functions[queue_[0].node.function].demangled +
                           " since then. It runs after this kernel here: launch it first, on its stream.";
    else if (stop.why.kind == FindingKind::deadlock && other_file_waits_)
      stop_.why.message +=
          " Host code has launched a kernel of another .cu file since then. Kernels of different files run "
          "one after the other here: launch that one first, or put both into one file.";
    for (auto& [id, e] : events_) e.after.clear();
    throw RunStopped(stop_);
  } catch (const std::exception& e) {
    // Such as no memory: a call on another thread that waits for this must not wait for ever.
    running_ = nullptr;
    broken_ = true;
    Diagnostic d;
    d.kind = FindingKind::host_error;
    d.message = error_words(e);
    stop_ = RunStopped(Status::crash, std::move(d));
    throw;
  }
  running_ = nullptr;
}

void SimtDevice::report_stopped(Batch& batch, StoppedBatch left, uint64_t dirty_before) {
  batch.traces = std::move(left.traces);
  batch.memory = memory_totals(batch, dirty_before);
  batch.modelled = model_time(model_, *module_, batch.nodes, batch.traces, batch.memory, left.ends);
  for (uint32_t i = 0; i < batch.nodes.size(); ++i) {
    const std::vector<BlockEnd>& ends = left.ends[i];
    const auto is = [](BlockEnd what) { return [what](BlockEnd e) { return e == what; }; };
    if (std::all_of(ends.begin(), ends.end(), is(BlockEnd::not_begun))) continue;
    LaunchReport r = report_of(batch, i);
    if (!std::all_of(ends.begin(), ends.end(), is(BlockEnd::ended))) {
      r.counters.clear(), r.lines.clear(), r.bounds.clear();
      r.tail_idle = r.time_us = 0;
      // A span whose number is not its place was never filled: no slot came free for its block.
      std::vector<BlockSpan> begun;
      for (size_t b = 0; b < r.blocks.size(); ++b)
        if (ends[b] != BlockEnd::not_begun && r.blocks[b].block == b) begun.push_back(std::move(r.blocks[b]));
      r.blocks = std::move(begun);
    }
    launches_.push_back(std::move(r));
  }
}

/// The limit of instructions is the whole program's, not each launch's.
void SimtDevice::charge_instructions(const Batch& batch) {
  uint64_t& most = control_.max_warp_instructions;
  if (!most) return;
  uint64_t executed = 0;
  for (const LaunchTrace& t : batch.traces)
    for (const BlockSummary& b : t.blocks) executed += b.warp_instructions;
  most -= std::min(most - 1, executed);
}

CacheCounters SimtDevice::cache_counters(const Batch& batch, uint32_t launch) const {
  const auto& t = hierarchy_.totals(launch);
  CacheCounters c;
  c.l2_bytes = batch.memory[launch].l2_bytes;
  c.dram_read_bytes = batch.memory[launch].dram_read;
  // A kernel that runs apart finds its code in no cache either.
  if (control_.apart) c.dram_read_bytes += code_bytes(batch.nodes[launch].function);
  c.dram_write_bytes = batch.memory[launch].dram_write;
  c.l1_hit_pct = t.l1_lookups ? 100.0 * double(t.l1_hits) / double(t.l1_lookups) : 0;
  c.l2_read = double(t.fetched);
  c.l2_hits = double(t.lookup_hits) + batch.memory[launch].spilled / 32;
  c.l2_misses = double(t.lookup_misses);
  return c;
}

LaunchReport SimtDevice::report_of(const Batch& batch, uint32_t launch) {
  const LaunchNode& node = batch.nodes[launch];
  Stream* s = find_stream(node.spec.stream);
  ReportInputs in{model_,
                  *module_,
                  node,
                  batch.traces[launch],
                  batch.modelled[launch],
                  cache_counters(batch, launch),
                  kernel_resources(node.spec.kernel),
                  {}};
  in.stream = s ? s->index : 0;
  in.base_us = clock_.device;
  in.lines = control_.lines;
  in.blocks = control_.blocks;
  in.shape = [this](uint32_t f) { return shape_of(f); };
  return make_report(in);
}

LaunchReport SimtDevice::report_of_results(const Batch& batch, uint32_t launch) {
  const LaunchNode& node = batch.nodes[launch];
  LaunchReport r;
  r.kernel = module_->functions[node.function].demangled;
  r.grid = node.spec.grid;
  r.block = node.spec.block;
  r.dynamic_smem = node.spec.dynamic_smem;
  if (const Stream* s = find_stream(node.spec.stream)) r.stream = s->index;
  r.estimated = true;
  r.blocks_per_sm = node.blocks_per_sm;
  r.counters[opcode_prefix] = double(batch.traces[launch].warp_instructions);
  const ModelledLaunch& m = batch.modelled[launch];
  r.start_us = clock_.device + m.start_us;
  r.time_us = m.end_us - m.start_us;
  return r;
}

/// One launch after the other: which of them overlap is the engines' to say.
void SimtDevice::estimate_times(Batch& batch) {
  double at = 0;
  for (uint32_t i = 0; i < batch.nodes.size(); ++i) {
    ModelledLaunch& m = batch.modelled[i];
    m.start_us = at;
    m.end_us = at += sampler_->estimate_us(report_of_results(batch, i));
  }
}

/// Reports every launch, and moves the device's clock to the end of the last.
void SimtDevice::report_batch(const Batch& batch) {
  const double base = clock_.device;
  double end = base;
  for (uint32_t i = 0; i < batch.nodes.size(); ++i) {
    const ModelledLaunch& m = batch.modelled[i];
    launches_.push_back(for_results_ ? report_of_results(batch, i) : report_of(batch, i));
    if (sampler_ && !for_results_) sampler_->learn(launches_.back());
    if (control_.lines && !for_results_) add_executed(batch.traces[i]);
    end = std::max(end, base + m.end_us);
    if (clock_.first < 0) clock_.first = base + m.start_us;
    clock_.first = std::min(clock_.first, base + m.start_us);
  }
  clock_.last = std::max(clock_.last, end);
  clock_.device = end;
}

const ExecutedInstructions* executed_instructions(const Device& device) {
  const auto* machine = dynamic_cast<const SimtDevice*>(&device);
  return machine ? &machine->executed() : nullptr;
}

void count_caches(Device& device, bool on) {
  if (auto* machine = dynamic_cast<SimtDevice*>(&device)) machine->count_caches(on);
}

void sample_launches(Device& device, LaunchSampler* sampler) {
  if (auto* machine = dynamic_cast<SimtDevice*>(&device)) machine->sample_launches(sampler);
}

void sample_blocks(Device& device, uint64_t n) {
  if (auto* machine = dynamic_cast<SimtDevice*>(&device)) machine->sample_blocks(n);
}

void run_to_the_end(Device& device) {
  if (auto* machine = dynamic_cast<SimtDevice*>(&device)) machine->run_to_the_end();
}

void SimtDevice::add_executed(const LaunchTrace& trace) {
  for (uint32_t f = 0; f < trace.counts.size(); ++f) {
    const auto& counts = trace.counts[f];
    if (counts.empty()) continue;
    auto& to = executed_[module_->functions[f].name];
    to.resize(counts.size());
    for (size_t k = 0; k < counts.size(); ++k) to[k] += counts[k].executed;
  }
}

namespace {

/// The resource of the GPU that a launch keeps busiest, as a share of its time.
double busiest(const ModelledLaunch& m) {
  double most = 0;
  for (const auto& [name, us] : m.bounds)
    if (name != "latency" && name != "launch") most = std::max(most, us);
  const double us = m.end_us - m.start_us;
  return us > 0 ? std::min(1.0, most / us) : 0;
}

}  // namespace

/// The same launches as the host sees them: none starts before it is issued, nor before what it comes after.
/// Their times hold what they cost each other; only launches of other batches share the SMs with them anew.
void SimtDevice::hand_to_engines(const Batch& batch) {
  const uint32_t first = engines_.count();
  const size_t first_launch = launches_.size() - batch.nodes.size();
  ++batches_;
  for (uint32_t i = 0; i < batch.nodes.size(); ++i) {
    const LaunchNode& node = batch.nodes[i];
    const ModelledLaunch& m = batch.modelled[i];
    Work w;
    w.issued_us = batch.queued[i].issued;
    w.us = m.end_us - m.start_us;
    w.priority = node.priority;
    w.batch = batches_;
    w.slots = std::min(
        1.0, double(node.spec.grid.count()) / (double(model_.info.sms) * std::max(1, node.blocks_per_sm)));
    w.busy = busiest(m);
    w.after = batch.queued[i].works;
    for (uint32_t a : node.after) w.after.push_back(first + a);
    WorkSpan span;
    span.label = module_->functions[node.function].demangled;
    if (const Stream* s = find_stream(node.spec.stream)) span.stream = s->index;
    span.graph = batch.queued[i].graph;
    span.launch = int(first_launch + i);
    hand_over(std::move(w), std::move(span));
  }
  const auto as_works = [&](const std::vector<uint32_t>& queued, std::vector<uint32_t>& works) {
    for (uint32_t a : queued) works.push_back(first + a);
  };
  for (const auto& [id, tail] : batch.tails)
    if (const auto s = streams_.find(id); s != streams_.end()) as_works(tail, s->second.works);
  for (const auto& [id, recorded] : batch.events)
    if (const auto e = events_.find(id); e != events_.end() && e->second.record == recorded.record) {
      as_works(recorded.after, e->second.works);
      e->second.waits = false;
    }
}

}  // namespace dojo::simt
