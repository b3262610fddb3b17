#pragma once
// Names and descriptions of a library's statuses, as the library gives them (CUDA 13.0).
#include <algorithm>
#include <iterator>

namespace dojo::libraries {

struct StatusText {
  int status;
  const char *name, *text;
};

/// `other` is what the library says of a number that is no status of it.
template <size_t N>
StatusText find_status(const StatusText (&all)[N], int status, const char* other) {
  const auto* found =
      std::find_if(std::begin(all), std::end(all), [&](const StatusText& t) { return t.status == status; });
  return found == std::end(all) ? StatusText{status, other, other} : *found;
}

}  // namespace dojo::libraries
