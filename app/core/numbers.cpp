#include "core/numbers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace dojo {

std::string trimmed(std::string s) {
  if (s.find('.') == std::string::npos) return s;
  while (s.back() == '0') s.pop_back();
  if (s.back() == '.') s.pop_back();
  return s;
}

std::string grouped(double v) {
  if (!std::isfinite(v)) return "–";
  bool whole = std::fabs(v - std::round(v)) < 1e-9 && std::fabs(v) < 1e15;
  std::string s = whole ? fmt::format("{:.0f}", v) : trimmed(fmt::format("{:.3f}", v));
  size_t dot = s.find('.'), end = dot == std::string::npos ? s.size() : dot, first = s[0] == '-';
  if (end - first < 5) return s;
  for (size_t i = end; i > first + 3;) s.insert(i -= 3, " ");
  return s;
}

std::string number(double v) {
  if (!std::isfinite(v)) return "–";
  // Quotients are whole to within a rounding; a number that is small itself is not zero.
  if (std::fabs(v - std::round(v)) < 1e-9 && (v == 0 || std::fabs(v) >= 0.5)) return grouped(std::round(v));
  double a = std::fabs(v);
  if (a >= 1000) return grouped(std::round(v * 10) / 10);
  if (a < 1e-3) return fmt::format("{:.3g}", v);
  return trimmed(fmt::format("{:.{}f}", v, a >= 100 ? 1 : a >= 10 ? 2 : a >= 1 ? 3 : 4));
}

}  // namespace dojo
