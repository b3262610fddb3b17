#pragma once
// Figures of samples.
#include <algorithm>
#include <cstddef>
#include <vector>

namespace dojo {

/// The middle value; the mean of the middle two of an even number; 0 of none.
inline double median(std::vector<double> v) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  const size_t n = v.size();
  return (v[(n - 1) / 2] + v[n / 2]) / 2;
}

}  // namespace dojo
