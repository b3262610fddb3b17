#pragma once
// Numbers as people of two traditions type them: "3,584" and "0,142".
#include <cctype>
#include <string>

namespace dojo::gui {

/// Commas read: those before exactly three digits each are between thousands ("3,584", "1,048,576"); a single
/// other one, or one behind a leading zero, is a decimal point ("0,142", "12,5"). False: neither ("1,2,3").
inline bool read_commas(std::string& s) {
  const auto digits_from = [&](size_t at) {
    size_t n = 0;
    while (at + n < s.size() && std::isdigit(static_cast<unsigned char>(s[at + n]))) ++n;
    return n;
  };
  const size_t first = s.find(',');
  if (first == std::string::npos) return true;
  const size_t begin = s.starts_with('-') || s.starts_with('+') ? 1 : 0, before = digits_from(begin);
  bool thousands = begin + before == first && before >= 1 && before <= 3 && s[begin] != '0';
  for (size_t at = first; at != std::string::npos; at = s.find(',', at + 1))
    thousands = thousands && digits_from(at + 1) == 3;
  if (thousands) {
    std::erase(s, ',');
    return true;
  }
  if (s.find(',', first + 1) != std::string::npos || s.find('.') != std::string::npos) return false;
  s[first] = '.';
  return true;
}

}  // namespace dojo::gui
