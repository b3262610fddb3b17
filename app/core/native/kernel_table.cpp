#include "core/native/kernel_table.hpp"

#include <algorithm>

namespace dojo {

std::string KernelSum::bound_by() const {
  const auto most =
      std::max_element(bounds.begin(), bounds.end(), [](auto& a, auto& b) { return a.second < b.second; });
  return most != bounds.end() && most->second > 0 ? most->first : "";
}

KernelSum& KernelTable::add_time(const LaunchReport& l) {
  auto it = std::find_if(sums_.begin(), sums_.end(), [&](auto& s) { return s.kernel == l.kernel; });
  if (it == sums_.end()) {
    sums_.emplace_back().kernel = l.kernel;
    it = sums_.end() - 1;
  }
  ++it->launches;
  it->time_us += l.time_us;
  for (auto& [resource, us] : l.bounds) it->bounds[resource] += us;
  return *it;
}

void KernelTable::add(const LaunchReport& l) { ++add_time(l).in_detail; }

void KernelTable::add_sampled(const LaunchReport& l, bool estimated) {
  KernelSum& sum = add_time(l);
  sum.in_detail += !estimated;
  for (const auto& [name, value] : l.counters)
    if (name.ends_with(".sum")) sum.counters[name] += value;
}

std::vector<KernelSum> KernelTable::rows() const {
  std::vector<KernelSum> rows = sums_;
  std::stable_sort(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.time_us > b.time_us; });
  return rows;
}

}  // namespace dojo
