#pragma once
// Bytes as text in base 16, for lines of JSON: they may be any, and must arrive as they were.
#include <cstddef>
#include <string>
#include <string_view>

namespace dojo::run {

inline std::string to_hex(std::string_view bytes) {
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (unsigned char c : bytes) hex += "0123456789abcdef"[c >> 4], hex += "0123456789abcdef"[c & 15];
  return hex;
}

inline std::string from_hex(std::string_view hex) {
  std::string bytes(hex.size() / 2, '\0');
  auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = char(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
  return bytes;
}

}  // namespace dojo::run
