#pragma once
// Sets that are kept as sorted vectors.
#include <algorithm>
#include <vector>

namespace dojo {

/// Adds what `more` holds, in any order, and keeps `to` sorted, each value once.
template <class T>
void unite(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
}

}  // namespace dojo
