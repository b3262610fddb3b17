#include "run/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counters.hpp"
#include "core/text/numbers.hpp"
#include "run/verdict/shown.hpp"

namespace dojo::run {
namespace {

struct Words {
  const char *key, *title, *name, *cure, *lab;
};
/// The name of each resource, and what reduces the need for it.
constexpr Words resources[] = {
    {"dram", "DRAM", "DRAM bandwidth", "move fewer bytes, or fuse the kernel with the one before or after it",
     "roofline"},
    {"l2", "L2", "L2 bandwidth",
     "reuse data in shared memory or registers, so that fewer sectors are fetched twice", "matmul"},
    {"atomics", "Atomics", "atomics on one address",
     "add up each block's part first, in registers and shared memory, and send one atomic per block; or "
     "spread the atomics over several addresses. Atomics on one address run one after the other",
     "privatisation"},
    {"l1", "L1", "L1 throughput", "use wider loads and let consecutive lanes read consecutive addresses",
     "coalescing"},
    {"tex", "Texture units", "the texture units",
     "read plain data by loads, reuse what was read, or let one filtered sample stand for several texels. A "
     "texture unit returns one filtered texel of 32 bits per cycle",
     "textures"},
    {"lsu", "Load/store unit", "the load/store unit",
     "use wider accesses, shuffles or fewer warps. Each access of a warp occupies the unit, even with all "
     "lanes off",
     "reduce"},
    {"shared", "Shared memory", "shared-memory bandwidth", "remove bank conflicts, or keep more in registers",
     "banks"},
    {"issue", "Issue slots", "instruction issue",
     "do the work with fewer instructions: wider accesses, unrolling, less index arithmetic", "reduce"},
    {"registers", "Register banks", "register reads",
     "let consecutive instructions share an operand, as an outer product does. Each of the two banks, even "
     "and odd, reads one register per cycle",
     "matmul"},
    {"fma", "FMA pipe", "the floating-point pipe",
     "do fewer operations, or use a type with a higher rate. This pipe does the useful work", "matmul"},
    {"alu", "ALU pipe", "integer and logic instructions",
     "take address arithmetic, division and modulo out of the inner loop", "reduce"},
    {"xu", "Special functions", "the special-function unit",
     "use fewer of exp, log, rsqrt and conversions: their rate is a fraction of that of additions",
     "softmax"},
    {"fp64", "FP64 pipe", "double-precision arithmetic", "check whether float is enough", "reduce"},
    {"tensor", "Tensor cores", "the tensor cores",
     "do fewer operations, or use a type with a higher rate. This pipe does the useful work", "matmul"},
    {"latency", "Latency", "latency",
     "use more warps, or more independent loads per thread. Too few loads are in flight", "occupancy"},
    {"launch", "Launch", "starting blocks",
     "let fewer blocks do more work each. A GPU starts a limited number of blocks per second", "coarsening"},
};
const Words* resource(const std::string& key) {
  for (const auto& w : resources)
    if (key == w.key) return &w;
  return nullptr;
}

/// "12.30 us", or "12.30 units" on a toy.
std::string time_of(double us, const ReportDevice& device) {
  return fmt::format("{:.2f} {}", us, in_units(device) ? "units" : "us");
}

/// The source line with the largest value of a counter, over all launches.
void blame(Advice& a, const RunReport& run, const char* alias) {
  const CounterInfo* info = find_counter(alias);
  if (!info) return;
  std::map<std::pair<std::string, int>, double> by_line;
  for (const auto& l : run.launches)
    for (const auto& s : l.lines)
      if (auto it = s.counters.find(std::string(info->name)); it != s.counters.end())
        by_line[{s.file, s.line}] += it->second;
  const auto worst =
      std::max_element(by_line.begin(), by_line.end(), [](auto& x, auto& y) { return x.second < y.second; });
  if (worst == by_line.end() || worst->second <= 0) return;
  a.file = worst->first.first;
  a.line = worst->first.second;
}

void bound(const RunReport& run, const ReportDevice& device, std::vector<Advice>& out) {
  Bounds sum;
  double time = 0;
  for (const auto& l : run.launches) {
    time += l.time_us;
    for (const auto& [k, v] : l.bounds) sum[k] += v;
  }
  if (sum.empty() || time <= 0) return;
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [k, v] : sum) order.emplace_back(v, k);
  std::sort(order.rbegin(), order.rend());
  const Words* first = resource(order[0].second);
  Advice a;
  a.kind = "bound";
  a.weight = 1;  // the headline
  if (!first) return;
  // Of a run with gaps between its launches, the bounds are of the kernels' part.
  const bool part = time < 0.98 * run.time_us.value;
  const std::string share =
      fmt::format("{:.2f} of {}{} ({:.0f} %)", std::min(order[0].first, time), part ? "the kernels' " : "",
                  time_of(time, device), std::min(100.0, 100 * order[0].first / time));
  // A rough bound is cut at the launch's time: then it says no more than that nothing else is needed.
  a.text = order[0].first >= 0.995 * time
               ? fmt::format("Bound by {}: it alone explains the whole {}{}. To do: {}.", first->name,
                             part ? "time of the kernels, " : "", time_of(time, device), first->cure)
               : fmt::format("Bound by {}: it alone takes {}. To do: {}.", first->name, share, first->cure);
  if (order[0].first < 0.5 * time)
    a.text = fmt::format(
        "No resource is near its limit: the busiest, {}, needs {}. The warps mostly wait. Use more warps, or "
        "more independent work per thread.",
        first->name, share);
  if (order.size() > 1 && order[1].first > 0)
    if (const Words* second = resource(order[1].second))
      a.text +=
          fmt::format(" The next resource is {} with {}.", second->name, time_of(order[1].first, device));
  a.lab = order[0].first < 0.5 * time ? "occupancy" : first->lab;
  out.push_back(std::move(a));
}

void conflicts(const RunReport& run, std::vector<Advice>& out) {
  const double extra = total(run, "shared_conflicts"), all = total(run, "shared_wavefronts");
  if (all <= 0 || extra < 0.02 * all) return;
  Advice a{"conflicts",
           fmt::format("Bank conflicts: {} of {} shared-memory wavefronts ({:.0f} %) are excess. Let "
                       "the lanes of a warp reach different banks: consecutive words, padding or a swizzle.",
                       grouped(std::round(extra)), grouped(std::round(all)), 100 * extra / all),
           "banks",
           {},
           0,
           0.6 * extra / all};
  blame(a, run,
        total(run, "shared_load_conflicts") >= total(run, "shared_store_conflicts")
            ? "shared_load_conflicts"
            : "shared_store_conflicts");
  out.push_back(std::move(a));
}

void coalescing(const RunReport& run, std::vector<Advice>& out) {
  for (const bool load : {true, false}) {
    const double useful = total(run, load ? "global_load_lane_bytes" : "global_store_lane_bytes");
    const double sectors = total(run, load ? "global_load_sectors" : "global_store_sectors");
    const double requests = total(run, load ? "global_load_requests" : "global_store_requests");
    // A request needs at least one sector, however few lanes take part; and a trickle beside the main stream
    // is not worth a word.
    const double least = std::max(requests, useful / 32);
    if (sectors <= 1.4 * least || sectors < 0.1 * total(run, "global_sectors")) continue;
    Advice a{"coalescing",
             fmt::format(
                 "Global {} use {:.0f} % of the bytes they move: {:.1f} sectors of 32 bytes per request. Let "
                 "consecutive lanes access consecutive addresses.",
                 load ? "loads" : "stores", 100 * useful / (32 * sectors), sectors / requests),
             "coalescing",
             {},
             0,
             0.5 * (1 - useful / (32 * sectors))};
    blame(a, run, load ? "global_load_sectors" : "global_store_sectors");
    out.push_back(std::move(a));
  }
}

void traffic(const RunReport& run, std::vector<Advice>& out) {
  const double moved = total(run, "dram_bytes");
  if (run.bytes <= 0 || moved <= 1.25 * run.bytes) return;
  out.push_back(
      {"traffic",
       fmt::format(
           "DRAM moves {:.2f} MB, {:.1f} times the {:.2f} MB that must move: some data is read or written "
           "more than once. Keep it in registers or shared memory, or fuse the kernels.",
           moved / 1e6, moved / run.bytes, run.bytes / 1e6),
       "softmax",
       {},
       0,
       0.5 * (1 - run.bytes / moved)});
}

void lanes(const RunReport& run, std::vector<Advice>& out) {
  const double on = total(run, "lanes_on_per_instruction");
  if (on <= 0 || on > 24) return;
  Advice a{"lanes",
           fmt::format("On average {:.1f} of 32 lanes work per executed instruction. Make the condition "
                       "equal for all lanes "
                       "of a warp, so that whole warps work or skip.",
                       on),
           "divergence",
           {},
           0,
           0.4 * (1 - on / 32)};
  blame(a, run, "divergent_branches");
  out.push_back(std::move(a));
}

std::string idle_sms(uint64_t blocks, int sms, int per_sm, double waves) {
  const std::string cure = " Use smaller blocks, or less work per block.";
  if (blocks < uint64_t(sms))
    return fmt::format("{} block{}: {} of {} SMs are idle.", blocks, blocks == 1 ? "" : "s",
                       uint64_t(sms) - blocks, sms) +
           cure;
  return fmt::format("{} blocks; {} SMs hold {} each. {:.0f} % of the block slots are used.",
                     grouped(double(blocks)), sms, per_sm, 100 * waves) +
         cure;
}

void shape(const RunReport& run, const ReportDevice& device, std::vector<Advice>& out) {
  // The launch that takes longest speaks for the run.
  const auto& l =
      *std::max_element(run.launches.begin(), run.launches.end(),
                        [](const LaunchReport& a, const LaunchReport& b) { return a.time_us < b.time_us; });
  constexpr double enough = 0.85;  // of the block slots
  if (l.waves > 0 && l.waves < enough)
    out.push_back({"tail",
                   idle_sms(l.grid.count(), device.sms, l.blocks_per_sm, l.waves),
                   "cusync",
                   {},
                   0,
                   0.5 * (1 - l.waves)});
  else if (l.wave_utilization > 0 && l.wave_utilization < enough)
    out.push_back(
        {"tail",
         fmt::format(
             "{:.2f} waves: the last one is partly empty. {:.0f} % of the block slots are used over the "
             "whole launch. With full waves the launch would be up to {:.2f} times faster.",
             l.waves, 100 * l.wave_utilization, std::ceil(l.waves) / l.waves),
         "cusync",
         {},
         0,
         1 - l.wave_utilization});
  if (l.occupancy > 0 && l.occupancy < 0.5)
    out.push_back(
        {"occupancy",
         fmt::format("Occupancy is {:.0f} %, limited by {}. It matters only while the run waits for latency.",
                     100 * l.occupancy,
                     l.occupancy_limiter == "registers"
                         ? fmt::format("registers ({} per thread)", l.registers)
                     : l.occupancy_limiter == "shared"
                         ? fmt::format("shared memory ({} bytes per block)", l.static_smem + l.dynamic_smem)
                     : l.occupancy_limiter.empty() ? "the block size"
                                                   : l.occupancy_limiter),
         "occupancy",
         {},
         0,
         0.2 * (0.5 - l.occupancy)});
  double kernels = 0;
  for (const auto& x : run.launches) kernels += x.time_us;
  const double gaps = run.time_us.value - kernels;
  if (run.launches.size() > 1 && gaps > 0.2 * run.time_us.value)
    out.push_back(
        {"launch",
         fmt::format("{} launches, and {:.1f} of {:.1f} {} pass between them. Fuse them, or do more in each.",
                     run.launches.size(), gaps, run.time_us.value, in_units(device) ? "units" : "us"),
         "roofline",
         {},
         0,
         gaps / run.time_us.value});
  if (run.pct_of_peak_bandwidth > 85 && has_rates(run, device))
    out.push_back({"ceiling",
                   fmt::format("{:.0f} GB/s is {:.0f} % of this GPU's memory bandwidth. Only moving fewer "
                               "bytes can make it much "
                               "faster.",
                               run.gbps, run.pct_of_peak_bandwidth),
                   "roofline",
                   {},
                   0,
                   0.01});
}

}  // namespace

std::string resource_title(const std::string& key) {
  const Words* w = resource(key);
  return w ? w->title : key;
}

std::vector<Advice> advise(const RunReport& run, const ReportDevice& device) {
  std::vector<Advice> out;
  if (run.launches.empty()) return out;
  bound(run, device, out);
  conflicts(run, out);
  coalescing(run, out);
  traffic(run, out);
  lanes(run, out);
  shape(run, device, out);
  std::stable_sort(out.begin(), out.end(),
                   [](const Advice& a, const Advice& b) { return a.weight > b.weight; });
  return out;
}

namespace {
/// The resource that an advice of kind "bound" names: the largest sum over the launches.
std::string binding(const RunReport& run) {
  Bounds sum;
  for (const auto& l : run.launches)
    for (const auto& [k, v] : l.bounds) sum[k] += v;
  const auto most =
      std::max_element(sum.begin(), sum.end(), [](auto& a, auto& b) { return a.second < b.second; });
  return most == sum.end() ? "" : most->first;
}

uint64_t threads(const RunReport& run) {
  uint64_t most = 0;
  for (const auto& l : run.launches) most = std::max(most, l.grid.count() * l.block.count());
  return most;
}
}  // namespace

std::optional<Advice> main_advice(const Step& step, const RunReport& run, const RunReport* reference,
                                  const ReportDevice& device) {
  constexpr double clearly_more = 1.3;      // times the reference's weight
  constexpr double worth_a_word = 1 << 20;  // bytes that a run must move for its bound to be of interest
  std::vector<Advice> of_reference;
  if (reference) of_reference = advise(*reference, device);
  std::optional<Advice> best;
  for (Advice& a : advise(run, device)) {
    if (a.kind == "bound" || a.kind == "ceiling") continue;
    const bool shared = std::any_of(of_reference.begin(), of_reference.end(), [&](const Advice& r) {
      return r.kind == a.kind && a.weight < clearly_more * r.weight + 1e-9;
    });
    // One thread, or a warp of them, was asked for: it can't fill a GPU.
    const bool trivial = threads(run) <= 32;
    if (shared || trivial) continue;
    // They come by weight: the first of the step's own lab wins over a heavier one of another.
    if (!best || (a.lab == step.lab && best->lab != step.lab)) best = std::move(a);
  }
  if (best) return best;
  if (threads(run) <= 32 || (run.bytes < worth_a_word && reference && binding(run) == binding(*reference)))
    return std::nullopt;
  for (Advice& a : advise(run, device))
    if (a.kind == "bound") return std::move(a);
  return std::nullopt;
}

}  // namespace dojo::run
