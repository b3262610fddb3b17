// What a block of a launch costs: its work alone on an SM, and the load by which blocks that share an SM slow
// each other down. Both come from one SM simulated in detail (sm.hpp).
#include <algorithm>
#include <array>
#include <cmath>

#include "simt/time/launches.hpp"

namespace dojo::simt {

/// Blocks enough for four waves, or for a steady state of short blocks.
uint64_t TimeModel::blocks_to_simulate(uint32_t i, uint64_t per_sm, int resident) const {
  const uint64_t blocks = nodes[i].spec.grid.count();
  const uint64_t ops = traces[i].warp_instructions / std::max<uint64_t>(1, blocks) + 1;
  return std::min(per_sm,
                  std::max<uint64_t>({4 * uint64_t(resident), 8, std::min<uint64_t>(120000 / ops, 512)}));
}

SmInputs TimeModel::sm_inputs(uint32_t i, std::vector<const BlockTrace*> order, int resident) {
  const LaunchTrace& t = traces[i];
  const uint64_t blocks = nodes[i].spec.grid.count();
  const int active = int(std::min(sms(i), blocks));
  const MemoryTotals moved = totals(i);
  singles[i].shapes = std::make_unique<ShapeTable>(module, nodes[i].function, t);
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
  if (moved.dram_read > 0) in.scattered_rows = 32 * moved.scattered_rows() / moved.dram_read;
  if (moved.atomics > 0) in.hot_turns = moved.hot_atomics / moved.atomics;
  in.max_ops = std::max<uint64_t>(200000, t.warp_instructions / 40);
  in.line_stalls = true;
  in.until_arrived = t.spin_coupled;
  const auto& cluster = device.cluster;
  const double others = double(cluster_blocks(i) - 1);
  in.cluster_barrier_cycles = std::llround(cluster.barrier + cluster.barrier_block * others);
  return in;
}

/// An SM full of blocks. While the L2 has room for what is stored, DRAM is only read (`copy` of
/// tests/microbench/streams.cu: 0.52 us per MiB up to 16 MiB, 0.70 beyond 32). The time is then the mean of a
/// run without write-back and one with all of it, by their shares of the traffic.
TimeModel::FullSm TimeModel::simulate_full(SmInputs& in, const MemoryTotals& moved) {
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
std::array<double, 2> TimeModel::slowdown_beside_waits(SmInputs single, const SmResult& alone) {
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
double TimeModel::fit_load(const Kinds& kinds, const std::vector<const BlockTrace*>& order,
                           const SmInputs& in, const FullSm& full, std::vector<double>& work) {
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
double TimeModel::shared_load(const SmResult& full) {
  const double own = std::max({double(full.issued) / 4, double(full.lsu_busy), double(full.tex_busy),
                               double(full.l1_busy), double(full.shared_busy),
                               double(*std::max_element(full.pipe_busy.begin(), full.pipe_busy.end())) / 4});
  const double shared = std::max(double(std::max(full.l2_busy, full.dram_busy)) / 16, full.atomics_busy);
  return shared > 0 ? std::pow(shared, 4) / (std::pow(shared, 4) + std::pow(own, 4)) : 0;
}

/// What the launch's blocks cost: one block alone gives its work, an SM full of blocks how they slow each
/// other down.
void TimeModel::detailed(uint32_t i, const Kinds& kinds) {
  const LaunchNode& node = nodes[i];
  const LaunchTrace& t = traces[i];
  ScheduledLaunch& s = scheduled[i];
  const uint64_t blocks = node.spec.grid.count();
  const double mhz = device.cycles_per_us();
  const uint64_t per_sm = (blocks + sms(i) - 1) / sms(i);
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
  std::vector<double> work = times_alone(device, module, t, kinds, single, kinds.of[single.blocks[0]->block],
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
      std::ceil(double(blocks) / (double(resident) * double(sms(i)))) * double(alone.end) / mhz;
}

/// Stalls, issues and bounds of the launch, from the simulated part of its blocks.
void TimeModel::figures(uint32_t i, const Kinds& kinds, const std::vector<const BlockTrace*>& order,
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

void TimeModel::bounds(uint32_t i, const SmResult& r, double scale) {
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

}  // namespace dojo::simt
