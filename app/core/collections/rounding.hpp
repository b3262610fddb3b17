#pragma once
// Whole multiples of a unit: sizes, addresses and counts of blocks.
#include <concepts>
#include <type_traits>

namespace dojo {

/// How many units `n` fills, the last one perhaps in part. n >= 0, unit > 0.
template <std::integral N, std::integral U>
constexpr std::common_type_t<N, U> ceil_div(N n, U unit) {
  return (n + unit - 1) / unit;
}
/// The least multiple of `unit` that is not below `n`. n >= 0, unit > 0.
template <std::integral N, std::integral U>
constexpr std::common_type_t<N, U> round_up(N n, U unit) {
  return ceil_div(n, unit) * unit;
}

}  // namespace dojo
