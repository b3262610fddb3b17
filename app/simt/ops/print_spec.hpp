#pragma once
// Widths and precisions of a kernel's printf.
#include <algorithm>
#include <string>

namespace dojo::simt {

/// A conversion such as "%-8.3f" with no width and no precision above `most`: "%2000000000d" would otherwise
/// write two billion spaces for one instruction of the kernel.
inline std::string bounded_print_spec(const std::string& spec, int most) {
  std::string out;
  for (size_t i = 0; i < spec.size();) {
    if (spec[i] < '0' || spec[i] > '9') {
      out += spec[i++];
      continue;
    }
    for (; i < spec.size() && spec[i] == '0'; ++i) out += '0';  // a flag, or a number of its own
    int n = 0;
    const size_t first = i;
    for (; i < spec.size() && spec[i] >= '0' && spec[i] <= '9'; ++i)
      n = std::min(n * 10 + (spec[i] - '0'), most);
    if (i > first) out += std::to_string(n);
  }
  return out;
}

}  // namespace dojo::simt
