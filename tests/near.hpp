#pragma once
// Comparisons with a tolerance, for CHECK(value == within(expected, fraction)) and
// CHECK(value == near(expected, bound)). The bound is exactly what is written: |value - expected| may reach
// fraction * |expected|, or bound, and nothing is added. Example: within(0.27, 0.25) accepts 0.2025 to
// 0.3375; doctest's own comparison with epsilon 0.25 accepts 0 there, because it adds 1 to the size.
#include <cmath>
#include <ostream>

namespace dojo::tolerance {

/// Rounding of sums and quotients in double, and of figures that pass through float.
inline constexpr double kRounding = 1e-6;

/// A number with a tolerance. Equal to every value at most `bound` away, never to NaN.
struct Tolerated {
  double expected = 0, bound = 0;
  double fraction = -1;                    // of |expected|; negative: the bound was given itself
  mutable double compared = std::nan("");  // with the last value, for the message

  bool accepts(double value) const {
    compared = value;
    return value == expected || (std::isfinite(expected) && std::abs(value - expected) <= bound);
  }
};

/// Relative: |value - expected| <= fraction * |expected|. An expected zero accepts only zero.
inline Tolerated within(double expected, double fraction = kRounding) {
  return {expected, fraction * std::abs(expected), fraction};
}

/// Absolute: |value - expected| <= bound, in the unit of the value.
inline Tolerated near(double expected, double bound = kRounding) { return {expected, bound, -1}; }

inline bool operator==(double value, const Tolerated& t) { return t.accepts(value); }

/// "15.3 % above 2 (bound 15 %)", "0.4 below 2 (bound 0.25)".
inline std::ostream& operator<<(std::ostream& out, const Tolerated& t) {
  const double off = t.compared - t.expected;
  if (std::isnan(off)) return out << "no number, for " << t.expected;
  const bool relative = t.fraction >= 0 && t.expected != 0;
  if (relative)
    out << 100 * std::abs(off / t.expected) << " %";
  else
    out << std::abs(off);
  out << (off < 0 ? " below " : " above ") << t.expected << " (bound ";
  if (relative) return out << 100 * t.fraction << " %)";
  return out << t.bound << ")";
}

}  // namespace dojo::tolerance
