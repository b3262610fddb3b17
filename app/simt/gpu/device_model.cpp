#include "simt/gpu/device_model.hpp"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "core/paths.hpp"
#include "core/text/error_words.hpp"
#include "simt/gpu/rules.hpp"
#include "simt/time/version.hpp"

namespace dojo::simt {
namespace fs = std::filesystem;
namespace {

/// Reads keys of one table, and at the end refuses those that nobody asked for.
class Table {
 public:
  Table(const toml::table& t, std::string file, std::string name)
      : table_(t), file_(std::move(file)), name_(std::move(name)) {}

  double number(const char* key, double least, double most) {
    used_.insert(key);
    const toml::node* node = table_.get(key);
    if (!node) fail(table_.source().begin.line, fmt::format("{} is missing", full(key)));
    const auto value = node->value<double>();
    if (!value) fail(node->source().begin.line, fmt::format("{} must be a number", full(key)));
    if (!(*value >= least && *value <= most))
      fail(node->source().begin.line,
           fmt::format("{} = {} is out of range ({} to {})", full(key), *value, least, most));
    return *value;
  }
  int integer(const char* key, int least, int most) {
    const double v = number(key, least, most);
    if (v != double(int(v)))
      fail(table_.get(key)->source().begin.line, fmt::format("{} must be whole", full(key)));
    return int(v);
  }
  double number_or(const char* key, double fallback, double least, double most) {
    used_.insert(key);
    return table_.contains(key) ? number(key, least, most) : fallback;
  }
  std::string text(const char* key) {
    used_.insert(key);
    const auto value = table_[key].value<std::string>();
    if (!value) fail(table_.source().begin.line, fmt::format("{} must be a text", full(key)));
    return *value;
  }
  bool flag(const char* key) {
    used_.insert(key);
    return table_[key].value_or(false);
  }
  std::vector<int> integers(const char* key) {
    used_.insert(key);
    std::vector<int> out;
    const toml::array* a = table_[key].as_array();
    if (!a || a->empty())
      fail(table_.source().begin.line, fmt::format("{} must be a list of numbers", full(key)));
    for (const auto& v : *a) {
      const auto i = v.value<int64_t>();
      if (!i || *i < 0 || *i > 1 << 20)
        fail(v.source().begin.line, fmt::format("{} must hold whole numbers", full(key)));
      out.push_back(int(*i));
    }
    return out;
  }
  void use(const char* key) { used_.insert(key); }
  void finish() {
    for (const auto& [key, node] : table_)
      if (!used_.count(std::string(key.str())))
        fail(node.source().begin.line, fmt::format("unknown key {}", full(std::string(key.str()).c_str())));
  }
  [[noreturn]] void fail(uint32_t line, const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", file_, line, what));
  }

 private:
  std::string full(const char* key) const { return name_.empty() ? key : name_ + "." + key; }
  const toml::table& table_;
  std::string file_, name_;
  std::set<std::string> used_;
};

Table section(const toml::table& root, const std::string& file, const char* name) {
  const toml::table* t = root[name].as_table();
  if (!t) throw Error(fmt::format("{}: section [{}] is missing", file, name));
  return Table(*t, file, name);
}

void read_device(DeviceModel& m, Table t) {
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

void read_sm(DeviceModel& m, Table t) {
  DeviceInfo& d = m.info;
  d.warps_per_sm = t.integer("warps", 4, 128);
  d.blocks_per_sm = t.integer("blocks", 1, 64);
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

void read_pipes(DeviceModel& m, Table t) {
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

void read_latency(DeviceModel& m, Table t) {
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

constexpr const char* without_mark = "-without-";

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

DeviceModel load_device_model(const fs::path& path, const TimeRule* without) {
  DeviceModel m;
  m.file = path.string();
  toml::table root;
  try {
    root = toml::parse_file(m.file);
  } catch (const toml::parse_error& e) {
    throw Error(fmt::format("{}:{}: {}", m.file, e.source().begin.line, toml_words));
  }
  if (without) switch_off(*without, root, m.file);
  Table top(root, m.file, "");
  m.order = top.integer("order", 0, 100000);
  m.toy = top.flag("toy");
  for (const char* s : {"device", "sm", "pipes", "latency", "memory", "cluster", "launch", "copies", "host"})
    top.use(s);
  top.finish();
  m.info.name = "simt:" + path.stem().string() + (without ? std::string(without_mark) + without->name : "");
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
  {
    Table t = section(root, m.file, "memory");
    m.memory.read_gbps = t.number("read_gbps", 1, m.info.peak_gbps);
    m.memory.write_gbps = t.number("write_gbps", 1, m.info.peak_gbps);
    m.memory.l2_gbps = t.number("l2_gbps", 1, 1e6);
    m.memory.l2_store_gbps = t.number("l2_store_gbps", 1, 1e6);
    m.memory.turn_us = t.number("turn_us", 0, 1000);
    m.memory.turn_kb = t.number("turn_kb", 1, 1e6);
    m.memory.l2_dirty_share = t.number("l2_dirty_share", 0, 1);
    m.memory.l2_store_least = t.number("l2_store_least", 1, 128);
    m.memory.l2_combined = t.integer("l2_combined", 1, 1024);
    m.memory.dram_crowd_blocks = t.integer("dram_crowd_blocks", 1, 255);
    m.memory.mshrs = t.integer("mshrs", 1, 1 << 16);
    m.memory.inflight_least_kb = t.number("inflight_least_kb", 1, 1024);
    m.memory.inflight_most_kb = t.number("inflight_most_kb", m.memory.inflight_least_kb, 1024);
    m.memory.store_queue_cycles = t.integer("store_queue_cycles", 1, 1 << 20);
    m.memory.share_busiest = t.number("share_busiest", 0.01, 1);
    m.memory.share_burst = t.number("share_burst", 0, 1000);
    m.memory.atomic_ns = t.number("atomic_ns", 0, 1000);
    m.memory.atomic_float_turns = t.integer("atomic_float_turns", 24, 1000);
    m.joined = int(t.number_or("joined", 1, 1, 64));
    m.memory.row_ns = t.number("row_ns", 0, 1000);
    m.memory.write_turn_ns = t.number("write_turn_ns", 0, 10000);
    m.memory.refresh_ns = t.number("refresh_ns", 0, 10000);
    m.memory.refresh_share = t.number("refresh_share", 0, 0.5);
    m.memory.l2_sm_bytes = t.number("l2_sm_bytes", 1, 1024);
    m.memory.l1_bytes = t.number("l1_bytes", 1, 1024);
    t.finish();
  }
  if (root.contains("cluster")) {
    Table t = section(root, m.file, "cluster");
    m.cluster.barrier = t.number("barrier", 0, 100000);
    m.cluster.barrier_block = t.number("barrier_block", 0, 10000);
    m.cluster.load = t.number("load", 1, 10000);
    m.cluster.sector_cycles = t.number("sector_cycles", 0.01, 1000);
    m.cluster.wavefront_cycles = t.number("wavefront_cycles", 0, 1000);
    m.cluster.store_share = t.number("store_share", 0.01, 100);
    m.cluster.atomic_share = t.number("atomic_share", 0.01, 100);
    t.finish();
  } else if (m.info.cc_major >= 9) {
    throw Error(m.file + ": a GPU of compute capability 9.0 needs a [cluster] section");
  }
  {
    Table t = section(root, m.file, "launch");
    m.launch.empty_us = t.number("empty_us", 0, 1000);
    m.launch.before_share = t.number("before_share", 0, 1);
    m.launch.small_fill_us = t.number("small_fill_us", 0, 1000);
    m.launch.small_copy_us = t.number("small_copy_us", 0, 1000);
    m.launch.constants_us = t.number("constants_us", 0, 1000);
    m.launch.constant_bank_us = t.number("constant_bank_us", 0, 1000);
    m.launch.constants_again_us = t.number("constants_again_us", 0, 1000);
    m.launch.block_ns = t.number("block_ns", 0, 1e6);
    m.launch.turnaround_ns = t.number("turnaround_ns", 0, 1e6);
    t.finish();
  }
  {
    Table t = section(root, m.file, "copies");
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
  Table t = section(root, m.file, "host");
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
  return m;
}

const std::vector<DeviceModel>& device_models(std::vector<std::string>* problems) {
  struct Read {
    std::vector<DeviceModel> models;
    std::vector<std::string> problems;
  };
  static const Read read = [] {
    Read r;
    const fs::path folder = source_root() / "assets" / "devices";
    std::error_code ec;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
      if (it->path().extension() != ".toml") continue;
      try {
        r.models.push_back(load_device_model(it->path()));
      } catch (const std::exception& e) {
        r.problems.push_back(error_words(e));
      }
    }
    if (ec) r.problems.push_back("can't read " + folder.string() + ": " + ec.message());
    std::sort(r.models.begin(), r.models.end(), [](const DeviceModel& a, const DeviceModel& b) {
      return std::pair(a.order, a.info.name) < std::pair(b.order, b.info.name);
    });
    std::sort(r.problems.begin(), r.problems.end());
    return r;
  }();
  if (problems) problems->insert(problems->end(), read.problems.begin(), read.problems.end());
  return read.models;
}

namespace {

/// A device less a rule, read once; null when the name asks for none.
const DeviceModel* without_rule(const std::string& name) {
  const size_t at = name.find(without_mark);
  if (at == name.npos) return nullptr;
  static std::mutex mutex;
  static std::map<std::string, DeviceModel> made;
  const DeviceModel& whole = device_model(name.substr(0, at));
  const TimeRule* rule = find_rule(name.substr(at + std::string(without_mark).size()));
  if (!rule) {
    std::string there;
    for (const TimeRule& r : time_rules()) there += (there.empty() ? "" : ", ") + std::string(r.name);
    throw Error("no rule '" + name.substr(at + std::string(without_mark).size()) + "'; there are " + there);
  }
  const std::lock_guard lock(mutex);
  const auto it = made.find(whole.info.name + rule->name);
  if (it != made.end()) return &it->second;
  return &made.emplace(whole.info.name + rule->name, load_device_model(whole.file, rule)).first->second;
}

}  // namespace

const DeviceModel& device_model(const std::string& name) {
  if (const DeviceModel* less = without_rule(name)) return *less;
  std::vector<std::string> problems;
  std::string there;
  for (const auto& m : device_models(&problems)) {
    if (m.info.name == name || m.info.name == "simt:" + name) return m;
    there += (there.empty() ? "" : ", ") + m.info.name;
  }
  std::string what = "no device '" + name + "'; there are " + there + " (warpdojo devices)";
  for (const auto& p : problems) what += "; " + p;
  throw Error(what);
}

}  // namespace dojo::simt
