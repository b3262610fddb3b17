#include "core/native/launch_samples.hpp"

#include <bit>
#include <cmath>

#include "core/host_work.hpp"

namespace dojo {
namespace {

constexpr size_t most_samples = 64;  // of a kernel; the oldest goes

}  // namespace

bool results_only(const LaunchReport& l) {
  return l.counters.size() == 1 && l.counters.begin()->first == opcode_prefix;
}

double ptx_instructions(const LaunchReport& l) {
  const std::string prefix = opcode_prefix;
  double sum = 0;
  for (auto at = l.counters.lower_bound(prefix); at != l.counters.end() && at->first.starts_with(prefix);
       ++at)
    if (!at->first.starts_with(prefix + "%")) sum += at->second;  // not how often special registers were read
  return sum;
}

bool LaunchSamples::in_detail(const std::string& kernel, const LaunchSpec& s) {
  if (!looking) return false;
  if (first <= 0) return true;
  const std::string key = kernel + " " + std::to_string(s.block.x) + " " + std::to_string(s.block.y) + " " +
                          std::to_string(s.block.z) + " " + std::to_string(std::bit_width(s.grid.count()));
  return seen_[key]++ < first;
}

void LaunchSamples::learn(const LaunchReport& l) {
  if (first <= 0) return;
  Sample s{ptx_instructions(l), l.time_us, l.bounds, {}};
  for (const auto& [name, value] : l.counters)
    if (name.ends_with(".sum")) s.sums[name] = value;
  auto& all = samples_[l.kernel];
  if (all.size() == most_samples) all.erase(all.begin());
  all.push_back(std::move(s));
}

LaunchSamples::Scaled LaunchSamples::nearest(const LaunchReport& l) const {
  const double instructions = ptx_instructions(l);
  const auto all = samples_.find(l.kernel);
  if (all == samples_.end()) return {};
  const Sample* best = nullptr;
  double least = 0;
  for (const Sample& s : all->second) {
    const double off = std::abs(std::log((instructions + 1) / (s.instructions + 1)));
    if (!best || off <= least) best = &s, least = off;  // of equals the latest: its caches are warm
  }
  return {best, best && best->instructions > 0 ? instructions / best->instructions : 1};
}

bool LaunchSamples::estimate(LaunchReport& l) const {
  const auto [s, factor] = nearest(l);
  if (!s) return false;
  l.time_us = s->time_us * factor;
  for (const auto& [resource, us] : s->bounds) l.bounds[resource] = us * factor;
  for (const auto& [name, value] : s->sums) l.counters[name] = value * factor;
  return true;
}

double LaunchSamples::estimate_us(const LaunchReport& of_results) {
  const auto [s, factor] = nearest(of_results);
  return s ? s->time_us * factor : 0;
}

}  // namespace dojo
