#include "core/labs/extent.hpp"

#include <charconv>
#include <string>

#include "core/error.hpp"

namespace dojo {

int64_t parse_extent(std::string_view shown) {
  const std::string text(shown);
  auto wrong = [&] {
    return Error("'" + text + "' is no size: write 4194304, 2^22, 4M or rows=4096,cols=1024");
  };
  if (text.empty()) throw wrong();
  int64_t v = 0;
  const char *begin = text.data(), *end = begin + text.size();
  auto [p, ec] = std::from_chars(begin, end, v);
  if (ec == std::errc::result_out_of_range) throw Error("size " + text + " is too large");
  if (ec != std::errc() || p == begin) throw wrong();
  if (p == end) return v;
  if (*p == '^') {
    int e = 0;
    auto [q, ec2] = std::from_chars(p + 1, end, e);
    if (ec2 != std::errc() || q != end || e < 0) throw wrong();
    int64_t r = 1;
    for (int k = 0; k < e; ++k)
      if (__builtin_mul_overflow(r, v, &r)) throw Error("size " + text + " is too large");
    return r;
  }
  if (p + 1 != end && std::string_view(p + 1, size_t(end - p - 1)) != "i") throw wrong();
  int shift = 0;
  switch (*p) {
    case 'k':
    case 'K':
      shift = 10;
      break;
    case 'm':
    case 'M':
      shift = 20;
      break;
    case 'g':
    case 'G':
      shift = 30;
      break;
    default:
      throw wrong();
  }
  if (v > (int64_t(1) << 32) || v < 0) throw Error("size " + text + " is too large");
  return v << shift;
}

}  // namespace dojo
