// Reads a device file (assets/devices), section by section. A toy device (`toy = true`) needs [device] and
// [sm] only: everything else takes no time.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "core/text/error_words.hpp"
#include "simt/gpu/device_model.hpp"
#include "simt/gpu/device_table.hpp"
#include "simt/gpu/rules.hpp"
#include "simt/time/version.hpp"

namespace dojo::simt {
namespace {

DeviceTable section(const toml::table& root, const std::string& file, const char* name) {
  const toml::table* t = root[name].as_table();
  if (!t) throw Error(fmt::format("{}: section [{}] is missing", file, name));
  return DeviceTable(*t, file, name);
}

void read_device(DeviceModel& m, DeviceTable t) {
  DeviceInfo& d = m.info;
  d.title = t.text("title");
  const auto cc = t.integers("cc");
  if (cc.size() != 2) throw Error(m.file + ": device.cc must be [major, minor]");
  d.cc_major = cc[0];
  d.cc_minor = cc[1];
  d.sms = t.integer("sms", 1, 1024);
  m.gpcs = int(t.number_or("gpcs", 1, 1, 64));
  m.first_gpc_blocks = int(t.number_or("first_gpc_blocks", 0, 0, 1024));
  d.clock_mhz = t.number("clock_mhz", 1, 10000);
  m.run_mhz = t.number_or("run_mhz", d.clock_mhz, 1, 10000);
  d.memory_clock_mhz = t.number("memory_clock_mhz", 1, 100000);
  d.memory_bus_bits = t.integer("memory_bus_bits", 1, 100000);
  d.peak_gbps = t.number("peak_gbps", 0.001, 1e6);
  d.peak_gflops = t.number("peak_gflops", 0.0001, 1e9);
  d.global_bytes = uint64_t(t.number("global_gb", 0.1, 4096) * double(1 << 30));
  d.l2_bytes = uint64_t(t.number("l2_mb", 0.1, 4096) * double(1 << 20));
  t.finish();
}

void read_sm(DeviceModel& m, DeviceTable t) {
  DeviceInfo& d = m.info;
  d.warps_per_sm = t.integer("warps", 4, 128);
  d.blocks_per_sm = t.integer("blocks", 1, 64);
  d.threads_per_block = int(t.number_or("block_threads", d.threads_per_block, 32, 1024));
  d.registers_per_sm = d.registers_per_block = t.integer("registers", 1024, 1 << 20);
  d.smem_per_sm = t.integer("smem", 1024, 1 << 20);
  d.smem_per_block_optin = t.integer("smem_optin", 1024, 1 << 20);
  d.smem_per_block = std::min(49152, d.smem_per_block_optin);  // without opt-in: 48 KiB on every GPU
  d.smem_reserved = t.integer("smem_reserved", 0, 65536);
  m.smem_granularity = t.integer("smem_granularity", 1, 65536);
  m.l1_kb = t.integer("l1_kb", 1, 4096);
  m.carveouts_kb = t.integers("carveouts_kb");
  if (!std::is_sorted(m.carveouts_kb.begin(), m.carveouts_kb.end()))
    throw Error(m.file + ": sm.carveouts_kb must rise");
  t.finish();
}

void read_pipes(DeviceModel& m, DeviceTable t) {
  auto& p = m.pipes;
  for (auto [key, to] : {std::pair{"alu", &p.alu},
                         {"fma", &p.fma},
                         {"fmaheavy", &p.fmaheavy},
                         {"fp64", &p.fp64},
                         {"xu", &p.xu},
                         {"lsu", &p.lsu},
                         {"uniform", &p.uniform}})
    *to = t.number(key, 1, 1024);
  for (auto [key, to] : {std::pair{"tensor_cycles", &p.tensor_cycles},
                         {"lsu_issue_cycles", &p.lsu_issue_cycles},
                         {"constant_cycles", &p.constant_cycles},
                         {"lsu_queue_cycles", &p.lsu_queue_cycles}})
    *to = t.integer(key, 1, 1024);
  p.tex = t.number_or("tex", p.tex, 1, 1024);
  t.finish();
}

void read_latency(DeviceModel& m, DeviceTable t) {
  auto& l = m.latency;
  for (auto [key, to] : {std::pair{"alu", &l.alu},
                         {"fma", &l.fma},
                         {"fp64", &l.fp64},
                         {"xu", &l.xu},
                         {"shared_load", &l.shared_load},
                         {"shared_store", &l.shared_store},
                         {"l1", &l.l1},
                         {"l2", &l.l2},
                         {"dram", &l.dram},
                         {"shuffle", &l.shuffle},
                         {"barrier", &l.barrier},
                         {"barrier_warp", &l.barrier_warp},
                         {"fence", &l.fence},
                         {"fence_beside", &l.fence_beside},
                         {"acquire", &l.acquire},
                         {"branch", &l.branch},
                         {"meet", &l.meet},
                         {"part", &l.part},
                         {"wide_product", &l.wide_product},
                         {"register_lag", &l.register_lag},
                         {"read_operands", &l.read_operands},
                         {"uniform", &l.uniform},
                         {"sleep", &l.sleep},
                         {"tensor", &l.tensor}})
    *to = t.integer(key, 0, 100000);
  l.tex = int(t.number_or("tex", l.tex, 0, 10000));
  l.constant = int(t.number_or("constant", l.constant, 1, 1000));
  l.constant_word = int(t.number_or("constant_word", l.constant_word, 0, 1000));
  l.l2_near = int(t.number_or("l2_near", l.l2, 1, l.l2));
  l.dram_crowd = int(t.number_or("dram_crowd", l.dram - (l.l2 - l.l2_near), 1, l.dram));
  t.finish();
}

void read_memory(DeviceModel& m, DeviceTable t) {
  DeviceModel::Memory& memory = m.memory;
  memory.read_gbps = t.number("read_gbps", 1, m.info.peak_gbps);
  memory.write_gbps = t.number("write_gbps", 1, m.info.peak_gbps);
  memory.l2_gbps = t.number("l2_gbps", 1, 1e6);
  memory.l2_store_gbps = t.number("l2_store_gbps", 1, 1e6);
  memory.turn_us = t.number("turn_us", 0, 1000);
  memory.turn_kb = t.number("turn_kb", 1, 1e6);
  memory.l2_dirty_share = t.number("l2_dirty_share", 0, 1);
  memory.l2_store_least = t.number("l2_store_least", 1, 128);
  memory.l2_store_part = t.number_or("l2_store_part", memory.l2_store_part, 32, 128);
  memory.l2_load_least = t.number_or("l2_load_least", memory.l2_load_least, 1, 128);
  memory.l2_atomic_bytes = t.number_or("l2_atomic_bytes", memory.l2_atomic_bytes, 1, 10000);
  memory.l2_add_bytes = t.number_or("l2_add_bytes", memory.l2_add_bytes, 1, 10000);
  memory.row_open_bytes = t.number_or("row_open_bytes", memory.row_open_bytes, 0, 10000);
  memory.l2_combined = t.integer("l2_combined", 1, 1024);
  memory.dram_crowd_blocks = t.integer("dram_crowd_blocks", 1, 255);
  memory.mshrs = t.integer("mshrs", 1, 1 << 16);
  memory.inflight_least_kb = t.number("inflight_least_kb", 1, 1024);
  memory.inflight_most_kb = t.number("inflight_most_kb", memory.inflight_least_kb, 1024);
  memory.store_queue_cycles = t.integer("store_queue_cycles", 1, 1 << 20);
  memory.share_busiest = t.number("share_busiest", 0.01, 1);
  memory.share_burst = t.number("share_burst", 0, 1000);
  memory.atomic_ns = t.number("atomic_ns", 0, 1000);
  memory.atomic_float_turns = t.integer("atomic_float_turns", 24, 1000);
  m.joined = int(t.number_or("joined", 1, 1, 64));
  memory.row_ns = t.number("row_ns", 0, 1000);
  memory.write_turn_ns = t.number("write_turn_ns", 0, 10000);
  memory.refresh_ns = t.number("refresh_ns", 0, 10000);
  memory.refresh_share = t.number("refresh_share", 0, 0.5);
  memory.l2_sm_bytes = t.number("l2_sm_bytes", 1, 1024);
  memory.l1_bytes = t.number("l1_bytes", 1, 1024);
  t.finish();
}

void read_cluster(DeviceModel& m, DeviceTable t) {
  DeviceModel::Cluster& cluster = m.cluster;
  cluster.barrier = t.number("barrier", 0, 100000);
  cluster.barrier_block = t.number("barrier_block", 0, 10000);
  cluster.load = t.number("load", 1, 10000);
  cluster.sector_cycles = t.number("sector_cycles", 0.01, 1000);
  cluster.wavefront_cycles = t.number("wavefront_cycles", 0, 1000);
  cluster.store_share = t.number("store_share", 0.01, 100);
  cluster.atomic_share = t.number("atomic_share", 0.01, 100);
  cluster.sms_of_gpcs = t.integers("sms_of_gpcs");
  const int all = std::accumulate(cluster.sms_of_gpcs.begin(), cluster.sms_of_gpcs.end(), 0);
  if (all != m.info.sms || int(cluster.sms_of_gpcs.size()) != m.gpcs)
    throw Error(fmt::format("{}: cluster.sms_of_gpcs has {} SMs in {} GPCs; the device has {} in {}", m.file,
                            all, cluster.sms_of_gpcs.size(), m.info.sms, m.gpcs));
  t.finish();
}

void read_launch(DeviceModel& m, DeviceTable t) {
  DeviceModel::Launch& launch = m.launch;
  launch.empty_us = t.number("empty_us", 0, 1000);
  launch.before_share = t.number("before_share", 0, 1);
  launch.small_fill_us = t.number("small_fill_us", 0, 1000);
  launch.small_copy_us = t.number("small_copy_us", 0, 1000);
  launch.constants_us = t.number("constants_us", 0, 1000);
  launch.constant_bank_us = t.number("constant_bank_us", 0, 1000);
  launch.constants_again_us = t.number("constants_again_us", 0, 1000);
  launch.block_ns = t.number("block_ns", 0, 1e6);
  launch.turnaround_ns = t.number("turnaround_ns", 0, 1e6);
  t.finish();
}

void read_copies(DeviceModel& m, DeviceTable t) {
  auto& c = m.copies;
  for (auto [key, to] : {std::pair{"rows_us", &c.rows_us},
                         {"into_array_us", &c.into_array_us},
                         {"out_of_array_us", &c.out_of_array_us},
                         {"row_ns", &c.row_ns},
                         {"fill_row_ns", &c.fill_row_ns},
                         {"link_row_ns", &c.link_row_ns}})
    *to = t.number(key, 0, 1e6);
  for (auto [key, to] : {std::pair{"rows_share", &c.rows_share},
                         {"into_array_share", &c.into_array_share},
                         {"out_of_array_share", &c.out_of_array_share}})
    *to = t.number(key, 0.01, 1);
  t.finish();
}

void read_host(DeviceModel& m, DeviceTable t) {
  auto& h = m.host;
  for (auto [key, to] : {std::pair{"pinned_gbps", &h.pinned_gbps}, {"pageable_gbps", &h.pageable_gbps}})
    *to = t.number(key, 0.01, 10000);
  for (auto [key, to] : {std::pair{"copy_us", &h.copy_us},
                         {"launch_us", &h.launch_us},
                         {"sync_us", &h.sync_us},
                         {"sync_idle_us", &h.sync_idle_us},
                         {"malloc_us", &h.malloc_us},
                         {"malloc_mb_us", &h.malloc_mb_us},
                         {"free_us", &h.free_us},
                         {"free_mb_us", &h.free_mb_us},
                         {"register_us", &h.register_us},
                         {"register_mb_us", &h.register_mb_us},
                         {"unregister_us", &h.unregister_us},
                         {"unregister_mb_us", &h.unregister_mb_us},
                         {"pinned_malloc_us", &h.pinned_malloc_us},
                         {"pinned_malloc_mb_us", &h.pinned_malloc_mb_us},
                         {"pinned_free_us", &h.pinned_free_us},
                         {"pinned_free_mb_us", &h.pinned_free_mb_us},
                         {"copy_call_us", &h.copy_call_us},
                         {"handover_us", &h.handover_us},
                         {"up_us", &h.up_us},
                         {"down_us", &h.down_us},
                         {"graph_us", &h.graph_us},
                         {"graph_node_us", &h.graph_node_us},
                         {"graph_first_us", &h.graph_first_us},
                         {"graph_launch_us", &h.graph_launch_us}})
    *to = t.number(key, 0, 1e6);
  h.copy_engines = int(t.integer("copy_engines", 1, 16));
  h.both_share = t.number("both_share", 0.1, 1);
  t.finish();
}

/// Gives a rule's keys the values at which it says nothing.
void switch_off(const TimeRule& rule, toml::table& root, const std::string& file) {
  const auto split = [](const std::string& key) {
    const size_t dot = key.find('.');
    return std::pair(key.substr(0, dot), key.substr(dot + 1));
  };
  for (const TimeRule::Off& off : rule.off) {
    const auto [section, key] = split(off.key);
    toml::table* t = root[section].as_table();
    if (!t) throw Error(fmt::format("{} has no rule '{}'", file, rule.name));
    double value = off.value;
    if (off.as) {
      const auto [from, other] = split(off.as);
      value = root[from][other].value_or(value);
    }
    t->insert_or_assign(key, value);
  }
}

}  // namespace

DeviceModel load_device_model(const std::filesystem::path& path, const TimeRule* without) {
  DeviceModel m;
  m.file = path.string();
  toml::table root;
  try {
    root = toml::parse_file(m.file);
  } catch (const toml::parse_error& e) {
    throw Error(fmt::format("{}:{}: {}", m.file, e.source().begin.line, toml_words));
  }
  if (without) switch_off(*without, root, m.file);
  DeviceTable top(root, m.file, "");
  m.order = top.integer("order", 0, 100000);
  m.toy = top.flag("toy");
  for (const char* s : {"device", "sm", "pipes", "latency", "memory", "cluster", "launch", "copies", "host"})
    top.use(s);
  top.finish();
  m.info.name = "simt:" + path.stem().string() + (without ? without_mark + std::string(without->name) : "");
  m.info.kind = DeviceKind::simt;
  m.info.model_version = model_version();
  read_device(m, section(root, m.file, "device"));
  read_sm(m, section(root, m.file, "sm"));
  if (m.toy) {
    m.launch = {0, 0, 0, 0};
    m.host = {1e9, 1e9, 0, 0, 0, 0, 0};
    m.memory.read_gbps = m.memory.write_gbps = m.memory.l2_gbps = m.memory.l2_store_gbps = m.info.peak_gbps;
    return m;
  }
  read_pipes(m, section(root, m.file, "pipes"));
  read_latency(m, section(root, m.file, "latency"));
  read_memory(m, section(root, m.file, "memory"));
  if (root.contains("cluster")) {
    read_cluster(m, section(root, m.file, "cluster"));
  } else if (m.info.cc_major >= 9) {
    throw Error(m.file + ": a GPU of compute capability 9.0 needs a [cluster] section");
  }
  read_launch(m, section(root, m.file, "launch"));
  read_copies(m, section(root, m.file, "copies"));
  read_host(m, section(root, m.file, "host"));
  return m;
}

}  // namespace dojo::simt
