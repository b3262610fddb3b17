#include "core/text/escape.hpp"

#include <array>
#include <cstdint>

#include "core/error.hpp"

namespace dojo {
namespace {
constexpr char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

void append_utf8(std::string& text, char32_t c) {
  const auto next = [&](int shift) { text += char(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    text += char(c);
  } else if (c < 0x800) {
    text += char(0xC0 | c >> 6);
    next(0);
  } else if (c < 0x10000) {
    text += char(0xE0 | c >> 12);
    next(6), next(0);
  } else {
    text += char(0xF0 | c >> 18);
    next(12), next(6), next(0);
  }
}

std::string to_base64(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() * 4 / 3 + 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? uint8_t(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? base64_digits[three >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string from_base64(std::string_view text) {
  std::array<int8_t, 256> value;
  value.fill(-1);
  for (int i = 0; i < 64; ++i) value[uint8_t(base64_digits[i])] = int8_t(i);
  std::string out;
  out.reserve(text.size() * 3 / 4);
  uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int8_t digit = value[uint8_t(c)];
    if (digit < 0) throw Error("this is no base64");
    bits = bits << 6 | uint32_t(digit);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out += char(bits >> held & 0xFF);
    }
  }
  return out;
}

}  // namespace dojo
