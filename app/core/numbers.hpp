#pragma once
// Numbers for people, alike in the window, the terminal and the grader's messages.
#include <string>

namespace dojo {

/// A decimal without the zeros at its end: "1.50" as "1.5", "2.0" as "2".
std::string trimmed(std::string);

/// A count in full with thin groups from five digits on: "4 194 304" (ASCII spaces), "1024"; what isn't whole
/// keeps three decimals at most.
std::string grouped(double);
/// Whole numbers in full and grouped; others with some four digits, and one decimal from a thousand on:
/// "0.0123", "3.142", "16 043 213.8". Not finite: "–".
std::string number(double);

}  // namespace dojo
