#pragma once
// Numbers for people, alike in the window, the terminal and the grader's messages.
#include <cstddef>
#include <string>

namespace dojo {

/// A decimal without the zeros at its end: "1.50" as "1.5", "2.0" as "2".
std::string without_trailing_zeros(std::string);

/// The one rule for large numbers: commas between thousands from five digits in front of the point on, as in
/// "4,194,304", "1024" and "-16,043.8". `least`: from how many digits on; Nsight Compute's pages have 4.
std::string with_commas(std::string digits, size_t least = 5);
/// A count in full, grouped; what isn't whole keeps three decimals at most.
std::string grouped(double);
/// Whole numbers in full and grouped; others with some four digits, and one decimal from a thousand on:
/// "0.0123", "3.142", "16,043,213.8". Not finite: "–".
std::string number(double);
/// A time of a toy device, which has no seconds: "1 unit", "12.5 units".
std::string units_text(double units);

}  // namespace dojo
