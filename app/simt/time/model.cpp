#include "simt/time/model.hpp"

#include <algorithm>
#include <cmath>

#include "simt/launch_cluster.hpp"
#include "simt/time/launches.hpp"

namespace dojo::simt {

/// One work unit per warp instruction, one block at a time: load has no meaning.
void TimeModel::toy(uint32_t i, const Kinds& k) {
  ScheduledLaunch& s = scheduled[i];
  for (double w : k.weight) s.kinds.push_back({std::max(w, 1e-9) / device.cycles_per_us(), 0});
}

uint64_t TimeModel::cluster_blocks(uint32_t i) const {
  return launch_cluster(module.functions[nodes[i].function], nodes[i].spec).count();
}

uint64_t TimeModel::sms(uint32_t i) const {
  const int with_clusters = device.cluster.sms(int(cluster_blocks(i)));
  return uint64_t(with_clusters > 0 ? with_clusters : device.info.sms);
}

void TimeModel::launch(uint32_t i) {
  const LaunchNode& node = nodes[i];
  ScheduledLaunch& s = scheduled[i];
  s.blocks = node.spec.grid.count();
  s.slot = 1.0 / std::max(1, node.blocks_per_sm);
  s.sms = int(sms(i));
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
    const auto& m = device.memory;
    b["dram"] = (t.dram_read + m.row_open_bytes * t.scattered_rows()) / (m.read_gbps * 1e3) +
                t.written_back / (m.write_gbps * 1e3);
    const double loads = std::max(t.l2_bytes - t.stored, m.l2_load_least * t.load_lines);
    b["l2"] =
        (loads + t.dram_read + m.l2_add_bytes * t.atomic_packets) / (m.l2_gbps * 1e3) +
        (t.stored - 32 * t.atomics + t.stored_parts * (m.l2_store_part / 32 - 1)) / (m.l2_store_gbps * 1e3);
    // Atomics on one address take turns, however much bandwidth is left.
    if (const double turns = t.hot_atomics / 3 * m.atomic_ns / 1e3; turns > b["l2"]) b["atomics"] = turns;
  }
}

void TimeModel::utilisation(uint32_t i) {
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
void TimeModel::write_back_rest() {
  double bytes = 0;
  for (const MemoryTotals& t : memory) bytes += t.left;
  if (bytes <= 0 || device.toy || out.empty()) return;
  const double turn_bytes = device.memory.turn_kb * 1024;
  std::max_element(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.end_us < b.end_us; })
      ->end_us += bytes / (device.memory.write_gbps * 1e3) +
                  device.memory.turn_us * std::sqrt(std::min(1.0, bytes / turn_bytes));
}

std::vector<ModelledLaunch> model_time(const DeviceModel& device, const ptx::Module& module,
                                       std::span<const LaunchNode> nodes, std::span<const LaunchTrace> traces,
                                       std::span<const MemoryTotals> memory,
                                       std::span<const std::vector<BlockEnd>> ends) {
  TimeModel m{device, module, nodes, traces, memory, ends, {}, {}, {}};
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
