#include "core/text/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dojo {

std::string without_trailing_zeros(std::string s) {
  if (s.find('.') == std::string::npos) return s;
  while (s.back() == '0') s.pop_back();
  if (s.back() == '.') s.pop_back();
  return s;
}

std::string with_commas(std::string digits, size_t least) {
  const size_t first = digits.starts_with('-') ? 1 : 0, end = std::min(digits.find('.'), digits.size());
  if (end - first < least) return digits;
  for (size_t i = end; i > first + 3;) digits.insert(i -= 3, ",");
  return digits;
}

std::string grouped(double v) {
  if (!std::isfinite(v)) return "–";
  bool whole = std::fabs(v - std::round(v)) < 1e-9 && std::fabs(v) < 1e15;
  std::string s = whole ? fmt::format("{:.0f}", v) : without_trailing_zeros(fmt::format("{:.3f}", v));
  return with_commas(std::move(s));
}

std::string number(double v) {
  if (!std::isfinite(v)) return "–";
  // Quotients are whole to within a rounding; a number that is small itself is not zero.
  if (std::fabs(v - std::round(v)) < 1e-9 && (v == 0 || std::fabs(v) >= 0.5)) return grouped(std::round(v));
  double a = std::fabs(v);
  if (a >= 1000) return grouped(std::round(v * 10) / 10);
  if (a < 1e-3) return fmt::format("{:.3g}", v);
  return without_trailing_zeros(fmt::format("{:.{}f}", v, a >= 100 ? 1 : a >= 10 ? 2 : a >= 1 ? 3 : 4));
}

std::string units_text(double units) {
  return number(std::round(units * 10) / 10) + (units == 1 ? " unit" : " units");
}

}  // namespace dojo
