#pragma once
// The launches of a run by kernel: how many, how long, and which resource bounds them.
#include <string>
#include <vector>

#include "core/report.hpp"

namespace dojo {

struct KernelSum {
  std::string kernel;
  int64_t launches = 0;
  double time_us = 0;  ///< of all its launches
  Bounds bounds;       ///< summed over its launches, microseconds
  int64_t in_detail =
      0;  ///< launches that ran in detail; fewer than all: time, bounds and counters are estimated
  Counters counters;  ///< sums (".sum") over its launches; filled by sampled runs only
  bool estimated() const { return in_detail < launches; }
  /// The key in `bounds` that would need most of the time alone; empty: not modelled.
  std::string bound_by() const;
};

class KernelTable {
 public:
  void add(const LaunchReport&);
  /// With the sums of its counters. `estimated`: it ran for its results, and its figures are estimates.
  void add_sampled(const LaunchReport&, bool estimated);
  /// The kernel that takes longest first.
  std::vector<KernelSum> rows() const;

 private:
  KernelSum& add_time(const LaunchReport&);
  std::vector<KernelSum> sums_;
};

}  // namespace dojo
