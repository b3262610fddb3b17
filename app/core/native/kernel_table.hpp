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
  /// The key in `bounds` that would need most of the time alone; empty: not modelled.
  std::string bound_by() const;
};

class KernelTable {
 public:
  void add(const LaunchReport&);
  /// The kernel that takes longest first.
  std::vector<KernelSum> rows() const;

 private:
  std::vector<KernelSum> sums_;
};

}  // namespace dojo
