#include "simt/time/model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "simt/time/kinds.hpp"
#include "simt/time/progress.hpp"
#include "simt/time/schedule.hpp"
#include "simt/time/sm.hpp"

namespace dojo::simt {
namespace {

struct Model {
  const DeviceModel& device;
  const ptx::Module& module;
  std::span<const LaunchNode> nodes;
  std::span<const LaunchTrace> traces;
  std::span<const MemoryTotals> memory;
  std::span<const std::vector<BlockEnd>> ends;

  std::vector<ScheduledLaunch> scheduled;
  /// What a block of a launch does alone on an SM.
  struct Alone {
    std::unique_ptr<ShapeTable> shapes;
    SmInputs inputs;
    std::map<std::pair<uint64_t, uint32_t>, std::vector<double>> ways;  // by signature, of a warp
  };
  std::vector<Alone> singles;  // by launch
  std::vector<ModelledLaunch> out;

  void launch(uint32_t i);
  void toy(uint32_t i, const Kinds&);
  /// What the caches moved for the launch.
  MemoryTotals totals(uint32_t i) const { return memory.size() > i ? memory[i] : MemoryTotals{}; }
  void detailed(uint32_t i, const Kinds&);
  struct FullSm {
    SmResult sm;
    double drained = 0;  ///< cycles, over both phases of the L2
  };
  uint64_t blocks_to_simulate(uint32_t i, uint64_t per_sm, int resident) const;
  SmInputs sm_inputs(uint32_t i, std::vector<const BlockTrace*> order, int resident);
  static FullSm simulate_full(SmInputs&, const MemoryTotals&);
  std::array<double, 2> slowdown_beside_waits(SmInputs single, const SmResult& alone);
  double fit_load(const Kinds&, const std::vector<const BlockTrace*>& order, const SmInputs&, const FullSm&,
                  std::vector<double>& work);
  static double shared_load(const SmResult&);
  void figures(uint32_t i, const Kinds&, const std::vector<const BlockTrace*>& order, const SmResult&);
  void dependences(uint32_t i);
  void keep_standing(uint32_t i);
  double passed_at(uint32_t i, const BlockTrace&, uint32_t warp, uint32_t step, bool inclusive);
  const std::vector<double>& way_of(uint32_t i, const BlockTrace&, uint32_t warp);
  void bounds(uint32_t i, const SmResult&, double share);
  void utilisation(uint32_t i);
  void write_back_rest();
};

/// One work unit per warp instruction, one block at a time: load has no meaning.
void Model::toy(uint32_t i, const Kinds& k) {
  ScheduledLaunch& s = scheduled[i];
  for (double w : k.weight) s.kinds.push_back({std::max(w, 1e-9) / device.cycles_per_us(), 0});
}

/// Blocks enough for four waves, or for a steady state of short blocks.
uint64_t Model::blocks_to_simulate(uint32_t i, uint64_t per_sm, int resident) const {
  const uint64_t blocks = nodes[i].spec.grid.count();
  const uint64_t ops = traces[i].warp_instructions / std::max<uint64_t>(1, blocks) + 1;
  return std::min(per_sm,
                  std::max<uint64_t>({4 * uint64_t(resident), 8, std::min<uint64_t>(120000 / ops, 512)}));
}

SmInputs Model::sm_inputs(uint32_t i, std::vector<const BlockTrace*> order, int resident) {
  const LaunchTrace& t = traces[i];
  const uint64_t blocks = nodes[i].spec.grid.count();
  const int active = int(std::min<uint64_t>(uint64_t(device.info.sms), blocks));
  const MemoryTotals moved = totals(i);
  singles[i].shapes = std::make_unique<ShapeTable>(module, nodes[i].function, t.shape);
  SmInputs in;
  in.model = &device;
  in.shapes = singles[i].shapes.get();
  in.blocks = std::move(order);
  in.resident = resident;
  in.active_sms = active;
  if (moved.stored + moved.dram_read > 0)
    in.write_share = (moved.written_back - moved.left) / (moved.stored + moved.dram_read);
  in.l1_bytes = moved.l1_bytes;
  in.dram_bytes = moved.dram_read / active;
  if (moved.missed > 0) in.fetched = moved.dram_read / moved.missed;
  if (moved.atomics > 0) in.hot_turns = moved.hot_atomics / moved.atomics;
  in.max_ops = std::max<uint64_t>(200000, t.warp_instructions / 40);
  in.line_stalls = true;
  in.until_arrived = t.spin_coupled;
  const auto& cluster = device.cluster;
  const double others = double(std::max<uint64_t>(1, nodes[i].spec.cluster.count())) - 1;
  in.cluster_barrier_cycles = std::llround(cluster.barrier + cluster.barrier_block * others);
  return in;
}

/// An SM full of blocks. While the L2 has room for what is stored, DRAM is only read (`copy` of
/// tests/microbench/streams.cu: 0.52 us per MiB up to 16 MiB, 0.70 beyond 32). The time is then the mean of a
/// run without write-back and one with all of it, by their shares of the traffic.
Model::FullSm Model::simulate_full(SmInputs& in, const MemoryTotals& moved) {
  const double read_only = in.write_share > 0 ? moved.before_writes : 0;
  const bool two_phases = read_only > 0.05 && read_only < 0.95;
  if (two_phases) in.write_share /= 1 - read_only;
  FullSm full{simulate_sm(in), 0};
  full.drained = double(full.sm.drained);
  if (two_phases) {
    SmInputs first = in;
    first.write_share = 0;
    first.line_stalls = false;
    full.drained += read_only * (double(simulate_sm(first).drained) - full.drained);
  }
  return full;
}

/// How many times as long a block takes beside blocks that wait by loads that acquire: beside one, and beside
/// BlockKind::many.
std::array<double, 2> Model::slowdown_beside_waits(SmInputs single, const SmResult& alone) {
  std::array<double, 2> longer{1, 1};
  if (std::none_of(traces.begin(), traces.end(), [](const LaunchTrace& l) { return l.spin_coupled; }))
    return longer;
  for (size_t k = 0; k < 2; ++k) {
    single.l1_emptied_every = double(device.latency.l2 + device.latency.acquire) / (k ? BlockKind::many : 1);
    longer[k] = std::max(1.0, double(simulate_sm(single).end) / double(std::max<int64_t>(1, alone.end)));
  }
  return longer;
}

/// The load that each block puts on its SM such that the schedule of the simulated blocks, on one SM, takes
/// as long as their simulation did. Where even blocks that don't slow each other down take longer, `work`
/// shrinks.
double Model::fit_load(const Kinds& kinds, const std::vector<const BlockTrace*>& order, const SmInputs& in,
                       const FullSm& full, std::vector<double>& work) {
  const ScheduleRules rules{1, std::max(1, device.info.blocks_per_sm),
                            device.launch.block_ns * in.active_sms / 1e3, device.launch.turnaround_ns / 1e3};
  ScheduledLaunch one;
  one.blocks = full.sm.blocks.size();
  one.slot = 1.0 / in.resident;
  for (const auto* b : order) {
    if (one.kind.size() == one.blocks) break;
    one.kind.push_back(uint16_t(one.kinds.size()));
    one.kinds.push_back({work[kinds.of[b->block]], 0});
  }
  const double target = full.drained / device.cycles_per_us();
  const auto makespan = [&](double load) {
    for (auto& k : one.kinds) k.load = load;
    return schedule(rules, {&one, 1})[0].end_us;
  };
  const double least = makespan(0);
  if (least >= target) {
    for (double& w : work) w *= target / least;
    return 0;
  }
  double load = 0, low = 0, high = load_for(1e3, 1);
  for (int k = 0; k < 20; ++k) {
    load = (low + high) / 2;
    (makespan(load) < target ? low : high) = load;
  }
  return load;
}

/// The share of the load that is of resources of the whole GPU: by how long they kept the SM busy, against
/// its own busiest unit (fourth powers: the busier one decides).
double Model::shared_load(const SmResult& full) {
  const double own = std::max({double(full.issued) / 4, double(full.lsu_busy), double(full.tex_busy),
                               double(full.l1_busy), double(full.shared_busy),
                               double(*std::max_element(full.pipe_busy.begin(), full.pipe_busy.end())) / 4});
  const double shared = double(std::max(full.l2_busy, full.dram_busy)) / 16;
  return shared > 0 ? std::pow(shared, 4) / (std::pow(shared, 4) + std::pow(own, 4)) : 0;
}

/// What the launch's blocks cost: one block alone gives its work, an SM full of blocks how they slow each
/// other down.
void Model::detailed(uint32_t i, const Kinds& kinds) {
  const LaunchNode& node = nodes[i];
  const LaunchTrace& t = traces[i];
  ScheduledLaunch& s = scheduled[i];
  const uint64_t blocks = node.spec.grid.count();
  const double mhz = device.cycles_per_us();
  const uint64_t per_sm = (blocks + uint64_t(device.info.sms) - 1) / uint64_t(device.info.sms);
  const int resident = int(std::min<uint64_t>(uint64_t(std::max(1, node.blocks_per_sm)), per_sm));
  const auto order = blocks_in_order(device, t, kinds, blocks, blocks_to_simulate(i, per_sm, resident));
  if (order.empty()) {
    // Nothing traced: weights are cycles of an SM that overlaps nothing.
    for (double w : kinds.weight) s.kinds.push_back({w / mhz, 1});
    return;
  }
  SmInputs in = sm_inputs(i, order, resident);
  const MemoryTotals moved = totals(i);
  const FullSm full = simulate_full(in, moved);

  // One block alone, of the kind with most of the work.
  SmInputs single = in;
  single.line_stalls = false;
  single.blocks = {
      *std::max_element(order.begin(), order.end(), [&](const BlockTrace* a, const BlockTrace* b) {
        return kinds.all(kinds.of[a->block]) < kinds.all(kinds.of[b->block]);
      })};
  single.resident = 1;
  singles[i].inputs = single;
  const SmResult alone = simulate_sm(single);
  const std::array<double, 2> longer = slowdown_beside_waits(single, alone);
  // The last stores arrive while the kernel ends: on an H100 a store adds 0.01 to 0.03 us to an empty kernel,
  // and nothing to one that loads (tests/microbench/tiny.cu).
  s.tail_us -= std::min(s.tail_us, double(alone.end - alone.issued_end) / mhz);
  std::vector<double> work = times_alone(device, t, kinds, single, kinds.of[single.blocks[0]->block],
                                         std::max(1.0, double(alone.end)) / mhz);
  // Atomics on one line take turns from the first to the last (`sums` of tests/microbench/sums.cu: 2.0 us and
  // 1.757 ns for each block's addition).
  if (in.hot_turns > 0)
    s.at_least_us = full.sm.atomics_idle / mhz + moved.hot_atomics / 3 * device.memory.atomic_ns / 1e3;
  const double load = fit_load(kinds, order, in, full, work);
  const double of_all = shared_load(full.sm);
  for (double w : work) s.kinds.push_back({w, load, of_all, longer[0], longer[1]});

  figures(i, kinds, order, full.sm);
  out[i].bounds["latency"] =
      std::ceil(double(blocks) / (double(resident) * device.info.sms)) * double(alone.end) / mhz;
}

/// Stalls, issues and bounds of the launch, from the simulated part of its blocks.
void Model::figures(uint32_t i, const Kinds& kinds, const std::vector<const BlockTrace*>& order,
                    const SmResult& full) {
  ModelledLaunch& m = out[i];
  double simulated = 0, all = 0;
  for (size_t k = 0; k < std::min(order.size(), full.blocks.size()); ++k)
    simulated += kinds.weight[kinds.of[order[k]->block]];
  for (size_t k = 0; k < kinds.weight.size(); ++k) all += kinds.weight[k] * double(kinds.count[k]);
  const double scale = simulated > 0 ? all / simulated : 0;
  for (size_t r = 0; r < full.stalls.size(); ++r)
    if (full.stalls[r] && full.issued)
      m.stalls[to_string(Stall(r))] = double(full.stalls[r]) / double(full.issued);
  m.issue_active_pct = double(full.issued) * scale;  // issues; utilisation() turns them into a share
  if (auto l = full.lines.find(nodes[i].function); l != full.lines.end() && full.issued) {
    m.line_stalls.resize(l->second.size());
    for (size_t k = 0; k < l->second.size(); ++k)
      for (size_t r = 0; r < size_t(Stall::count); ++r)
        if (l->second[k][r])
          m.line_stalls[k][to_string(Stall(r))] = double(l->second[k][r]) / double(full.issued);
  }
  bounds(i, full, scale);
}

void Model::bounds(uint32_t i, const SmResult& r, double scale) {
  using ptx::Pipe;
  Bounds& b = out[i].bounds;
  const double us =
      scale / device.info.sms / device.cycles_per_us();  // from an SM's cycles to the launch's time
  b["issue"] = double(r.issued) / 4 * us;
  const std::pair<const char*, Pipe> pipes[] = {{"alu", Pipe::alu},
                                                {"fma", Pipe::fma},
                                                {"xu", Pipe::xu},
                                                {"fp64", Pipe::fp64},
                                                {"tensor", Pipe::tensor}};
  for (auto [name, pipe] : pipes)
    if (r.pipe_busy[size_t(pipe)]) b[name] = double(r.pipe_busy[size_t(pipe)]) / 4 * us;
  b["fma"] = std::max(b["fma"], double(r.pipe_busy[size_t(Pipe::fmaheavy)]) / 4 * us);
  if (const int64_t reads = std::max(r.register_reads[0], r.register_reads[1]))
    b["registers"] = double(reads) / 4 * us;
  if (r.tex_busy) b["tex"] = double(r.tex_busy) * us;
  b["lsu"] = double(r.lsu_busy) * us;
  b["shared"] = double(r.shared_busy) * us;
  b["l1"] = double(r.l1_busy) * us;
}

/// How far along its block's way a warp is at each of its steps: by the block alone on an SM, or where that
/// is not known (toy devices, launches that come later, too many that differ) by what its instructions hold
/// it up.
const std::vector<double>& Model::way_of(uint32_t i, const BlockTrace& b, uint32_t warp) {
  constexpr size_t most = 64;
  Alone& a = singles[i];
  const auto& blocks = traces[i].blocks;
  const auto [found, fresh] =
      a.ways.try_emplace({b.block < blocks.size() ? blocks[b.block].signature : ~b.block, warp});
  if (!fresh) return found->second;
  if (!a.inputs.model || a.ways.size() > most) return found->second = way(device, module, b.warps[warp]);
  a.inputs.blocks = {&b};
  a.inputs.reached = int(warp);
  const SmResult r = simulate_sm(a.inputs);
  for (int64_t at : r.reached) found->second.push_back(double(at) / double(std::max<int64_t>(1, r.end)));
  found->second.resize(std::max(found->second.size(), b.warps[warp].steps.size() + 1), 1.0);
  return found->second;
}

/// The share of its block's way that a warp has behind it before a step, or with it.
double Model::passed_at(uint32_t i, const BlockTrace& b, uint32_t warp, uint32_t step, bool inclusive) {
  if (!b.shortened) return share_before(way_of(i, b, warp), step, inclusive);
  return std::min(1.0, (double(step) + (inclusive ? 1 : 0)) / std::max(1.0, double(b.warps[warp].passed())));
}

void Model::dependences(uint32_t i) {
  const LaunchTrace& t = traces[i];
  ScheduledLaunch& s = scheduled[i];
  const auto detailed_block = [](const LaunchTrace& of, uint64_t block) -> const BlockTrace* {
    const auto it = std::lower_bound(of.detailed.begin(), of.detailed.end(), block,
                                     [](const BlockTrace& b, uint64_t v) { return b.block < v; });
    return it != of.detailed.end() && it->block == block ? &*it : nullptr;
  };
  if (t.spin_coupled) s.waits.resize(s.blocks);
  for (const BlockTrace& b : t.detailed) {
    if (b.block >= s.blocks) continue;
    for (const Wake& w : b.wakes) {
      if (w.by_launch >= traces.size() || w.warp >= b.warps.size()) continue;
      if (s.waits.empty()) s.waits.resize(s.blocks);
      WaitPoint p;
      const WarpTrace& asks = b.warps[w.warp];
      p.at = passed_at(i, b, w.warp, w.step, false);
      p.empties_l1 = w.around.empty() ? waits_by_acquire(module, asks, w.step)
                                      : waits_by_acquire(module, {w.around, {}}, 1);
      p.by_launch = w.by_launch;
      p.by_block = w.by_block;
      p.by_at = 1;
      if (const BlockTrace* by = detailed_block(traces[w.by_launch], w.by_block);
          by && w.by_warp < by->warps.size())
        p.by_at = passed_at(w.by_launch, *by, w.by_warp, w.by_step, true);
      s.waits[b.block].push_back(p);
    }
  }
  keep_standing(i);
  // Programmatic dependence: where blocks let the next launch start, and where that one waits for all of
  // them.
  if (!t.detailed.empty() && !t.detailed[0].warps.empty()) {
    const auto share_at = [&](const char* instruction) {
      const int step = step_of(module, t.detailed[0].warps[0], "griddepcontrol", instruction);
      return step < 0 ? -1.0 : share_before(way_of(i, t.detailed[0], 0), uint32_t(step), false);
    };
    if (const double trigger = share_at("launch_dependents"); trigger >= 0) s.trigger = trigger;
    const double wait = share_at("wait");
    if (wait >= 0 && !s.after_start.empty()) {
      if (s.waits.empty()) s.waits.resize(s.blocks);
      for (auto& block : s.waits)
        for (uint32_t a : s.after_start) block.push_back({wait, a, WaitPoint::whole_launch, 1});
    }
  }
  for (auto& block : s.waits)
    std::sort(block.begin(), block.end(), [](const WaitPoint& a, const WaitPoint& b) {
      return std::tie(a.at, a.by_launch, a.by_block, a.by_at) <
             std::tie(b.at, b.by_launch, b.by_block, b.by_at);
    });
}

/// Blocks that a stop found before their end wait there for their own launch, which never ends.
void Model::keep_standing(uint32_t i) {
  if (ends.size() <= i) return;
  ScheduledLaunch& s = scheduled[i];
  for (uint64_t b = 0; b < s.blocks && b < ends[i].size(); ++b) {
    if (ends[i][b] != BlockEnd::running && ends[i][b] != BlockEnd::waiting) continue;
    if (s.waits.empty()) s.waits.resize(s.blocks);
    s.waits[b].push_back({1, i, WaitPoint::whole_launch, 1});
  }
}

void Model::launch(uint32_t i) {
  const LaunchNode& node = nodes[i];
  ScheduledLaunch& s = scheduled[i];
  s.blocks = node.spec.grid.count();
  s.slot = 1.0 / std::max(1, node.blocks_per_sm);
  s.priority = node.priority;
  s.after = node.after;
  s.after_start = node.after_start;
  // An empty kernel's time: most of it passes before the first block, the rest is the flush at the end.
  s.before_us = device.launch.before_share * device.launch.empty_us + node.constants_us;
  s.tail_us = (1 - device.launch.before_share) * device.launch.empty_us;
  const Kinds kinds = classify(device, traces[i], s.blocks);
  Bounds& b = out[i].bounds;
  if (device.toy)
    toy(i, kinds);
  else
    detailed(i, kinds);
  s.kind = kinds.of;
  dependences(i);
  if (device.toy) return;
  b["launch"] = device.launch.empty_us + node.constants_us + double(s.blocks) * device.launch.block_ns / 1e3;
  if (memory.size() > i) {
    const MemoryTotals& t = memory[i];
    b["dram"] =
        t.dram_read / (device.memory.read_gbps * 1e3) + t.written_back / (device.memory.write_gbps * 1e3);
    b["l2"] = std::max((t.l2_bytes - t.stored + t.dram_read) / (device.memory.l2_gbps * 1e3) +
                           t.stored / (device.memory.l2_store_gbps * 1e3),
                       t.hot_atomics / 3 * device.memory.atomic_ns / 1e3);
  }
}

void Model::utilisation(uint32_t i) {
  ModelledLaunch& m = out[i];
  double first = m.end_us, last = m.start_us, busy = 0;
  for (const auto& b : m.blocks) {
    first = std::min(first, b.start_us);
    last = std::max(last, b.end_us);
    busy += b.end_us - b.start_us;
  }
  const double warps = double((nodes[i].spec.block.count() + 31) / 32);
  const double room = (last - first) * device.info.sms;
  m.warps_active_pct = room > 0 ? 100 * busy * warps / (room * device.info.warps_per_sm) : 0;
  m.issue_active_pct = room > 0 ? 100 * m.issue_active_pct / (room * device.cycles_per_us() * 4) : 0;
}

/// What the launches leave in the L2 is written back at their end, among the reads of others: on an H100
/// kernels that store 1 to 16 MiB take the time of these bytes at DRAM and 0.43 us more in a chain that
/// empties the L2 by reading than in one that stores to the same place; two thirds of the 0.43 us for 256 KiB
/// and a third for 64 KiB (tests/microbench/streams.cu).
void Model::write_back_rest() {
  double bytes = 0;
  for (const MemoryTotals& t : memory) bytes += t.left;
  if (bytes <= 0 || device.toy || out.empty()) return;
  const double turn_bytes = device.memory.turn_kb * 1024;
  std::max_element(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.end_us < b.end_us; })
      ->end_us += bytes / (device.memory.write_gbps * 1e3) +
                  device.memory.turn_us * std::sqrt(std::min(1.0, bytes / turn_bytes));
}

}  // namespace

std::vector<ModelledLaunch> model_time(const DeviceModel& device, const ptx::Module& module,
                                       std::span<const LaunchNode> nodes, std::span<const LaunchTrace> traces,
                                       std::span<const MemoryTotals> memory,
                                       std::span<const std::vector<BlockEnd>> ends) {
  Model m{device, module, nodes, traces, memory, ends, {}, {}, {}};
  m.singles.resize(nodes.size());
  m.scheduled.resize(nodes.size());
  m.out.resize(nodes.size());
  for (uint32_t i = 0; i < nodes.size(); ++i) m.launch(i);
  ScheduleRules rules{device.info.sms, std::max(1, device.info.blocks_per_sm), device.launch.block_ns / 1e3,
                      device.launch.turnaround_ns / 1e3};
  auto times = schedule(rules, m.scheduled);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    m.out[i].start_us = times[i].start_us;
    m.out[i].end_us = times[i].end_us;
    m.out[i].blocks = std::move(times[i].blocks);
    for (uint64_t b = 0; i < ends.size() && b < ends[i].size() && b < m.out[i].blocks.size(); ++b)
      if (auto& span = m.out[i].blocks[b]; ends[i][b] == BlockEnd::running && !span.waiting.empty())
        span.waiting.back()[0] = span.waiting.back()[1];
    m.utilisation(i);
  }
  m.write_back_rest();
  return std::move(m.out);
}

}  // namespace dojo::simt
