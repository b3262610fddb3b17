#include "simt/time/kinds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "simt/time/progress.hpp"

namespace dojo::simt {
namespace {

/// Cycles that a block would keep an SM busy if nothing overlapped: to scale blocks that were not simulated
/// from those that were.
double weight(const DeviceModel& m, const BlockSummary& b) {
  if (m.toy) return double(b.warp_instructions);
  const double sms = m.info.sms, mhz = m.run_mhz;
  const double l2 = m.memory.l2_gbps / mhz * 1000 / sms, dram = m.memory.read_gbps / mhz * 1000 / sms;
  return 1 + (b.warp_instructions + b.rare) / 4.0 + b.shared_wavefronts + b.global_requests +
         b.l2_sectors * 32 / l2 + b.dram_sectors * 32 / dram;
}

}  // namespace

Kinds classify(const DeviceModel& m, const LaunchTrace& t, uint64_t blocks) {
  Kinds k;
  std::unordered_map<uint64_t, uint16_t> by_signature;
  k.of.assign(blocks, 0);
  constexpr size_t limit = 60000;
  bool bucketed = false;
  for (uint64_t b = 0; b < blocks && b < t.blocks.size(); ++b) {
    const BlockSummary& s = t.blocks[b];
    uint64_t key = s.signature * 0x9E3779B97F4A7C15ull + (uint64_t(s.l2_sectors) << 32 | s.dram_sectors);
    // Caches make blocks of one trace differ a little; many kinds are told apart by weight in steps of 1 %.
    if (bucketed || by_signature.size() > 4096) {
      bucketed = true;
      key = uint64_t(std::llround(std::log(weight(m, s)) * 100)) | uint64_t(1) << 63;
    }
    auto [it, fresh] = by_signature.try_emplace(key, uint16_t(k.weight.size()));
    if (fresh && k.weight.size() >= limit) {
      it->second = 0;
    } else if (fresh) {
      k.weight.push_back(0);
      k.count.push_back(0);
    }
    k.of[b] = it->second;
    k.weight[it->second] += weight(m, s);
    ++k.count[it->second];
  }
  if (k.weight.empty()) k.weight = {1}, k.count = {1};
  for (size_t i = 0; i < k.weight.size(); ++i) k.weight[i] /= double(std::max<uint64_t>(1, k.count[i]));
  return k;
}

std::vector<const BlockTrace*> blocks_in_order(const DeviceModel& m, const LaunchTrace& t, const Kinds& kinds,
                                               uint64_t blocks, uint64_t want) {
  std::vector<const BlockTrace*> out;
  if (t.detailed.empty()) return out;
  std::map<uint16_t, std::vector<const BlockTrace*>> by_kind;
  for (const auto& d : t.detailed)
    if (d.block < blocks && !d.shortened) by_kind[kinds.of[d.block]].push_back(&d);
  if (by_kind.empty()) return out;
  std::map<uint16_t, size_t> turn;
  for (uint64_t j = 0; j < want; ++j) {
    const uint64_t b = std::min(j * uint64_t(m.info.sms), blocks - 1);
    const uint16_t kind = kinds.of[b];
    auto found = by_kind.find(kind);
    if (found == by_kind.end()) {
      double best = 1e300;
      for (auto it = by_kind.begin(); it != by_kind.end(); ++it) {
        const double off =
            std::abs(std::log(std::max(kinds.weight[it->first], 1e-9) / std::max(kinds.weight[kind], 1e-9)));
        if (off < best) best = off, found = it;
      }
    }
    const auto& options = found->second;
    out.push_back(options[(options.size() / 2 + turn[found->first]++) % options.size()]);
  }
  return out;
}

std::vector<double> times_alone(const DeviceModel& d, const ptx::Module& m, const LaunchTrace& t,
                                const Kinds& kinds, SmInputs single, uint16_t known, double known_us) {
  constexpr size_t most = 8;
  constexpr double near = 0.03;
  const auto off = [&](uint16_t a, uint16_t b) {
    return std::abs(std::log(std::max(kinds.weight[a], 1e-9) / std::max(kinds.weight[b], 1e-9)));
  };
  std::vector<std::pair<uint16_t, double>> simulated = {{known, known_us}};
  const auto nearest = [&](uint16_t k) {
    return *std::min_element(simulated.begin(), simulated.end(),
                             [&](const auto& a, const auto& b) { return off(a.first, k) < off(b.first, k); });
  };
  std::map<uint16_t, std::vector<const BlockTrace*>> traced;
  for (const auto& b : t.detailed)
    if (b.block < kinds.of.size() && !b.shortened) traced[kinds.of[b.block]].push_back(&b);
  std::vector<uint16_t> by_work;
  for (const auto& [k, those] : traced) by_work.push_back(k);
  std::stable_sort(by_work.begin(), by_work.end(),
                   [&](uint16_t a, uint16_t b) { return kinds.all(a) > kinds.all(b); });
  // The launch may wait for its largest block.
  const auto largest = std::ranges::max_element(by_work, {}, [&](uint16_t k) { return kinds.weight[k]; });
  if (largest != by_work.end()) std::rotate(by_work.begin(), largest, largest + 1);
  for (uint16_t k : by_work) {
    if (simulated.size() >= most) break;
    if (off(nearest(k).first, k) < near) continue;
    single.blocks = {traced[k][traced[k].size() / 2]};
    simulated.emplace_back(k, std::max(1.0, double(simulate_sm(single).end)) / d.cycles_per_us());
  }
  Holds holds(d, m);
  const auto longest_warp = [&](uint16_t k) {  // microseconds; 0: not traced
    const auto found = traced.find(k);
    return found == traced.end() ? 0 : holds.of(*found->second[found->second.size() / 2]) / d.cycles_per_us();
  };
  std::vector<double> out;
  for (uint16_t k = 0; k < kinds.weight.size(); ++k) {
    const auto [from, us] = nearest(k);
    const double by_weight = kinds.weight[k] / std::max(kinds.weight[from], 1e-9);
    const double of = longest_warp(from), here = k == from ? of : longest_warp(k);
    const double latency = of > 0 && here > 0 ? std::min(1.0, of / us) : 0;
    out.push_back(us * (latency > 0 ? latency * here / of + (1 - latency) * by_weight : by_weight));
  }
  return out;
}

}  // namespace dojo::simt
