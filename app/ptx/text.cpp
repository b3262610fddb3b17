#include "ptx/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include "ptx/module.hpp"

namespace dojo::ptx {
namespace {

enum : uint8_t { word_char = 1, digit_char = 2 };

constexpr std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> t{};
  for (int c = 'a'; c <= 'z'; ++c) t[size_t(c)] = t[size_t(c - 32)] = word_char;
  for (int c = '0'; c <= '9'; ++c) t[size_t(c)] = word_char | digit_char;
  t['_'] = t['$'] = t['%'] = word_char;
  return t;
}
constexpr auto classes = make_classes();
bool is_word(char c) { return classes[uint8_t(c)] & word_char; }
bool is_digit(char c) { return classes[uint8_t(c)] & digit_char; }

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

}  // namespace

void TextCursor::fail(const std::string& what) const { throw ParseError(line_, what); }

bool TextCursor::skip_space() {
  while (p_ < end_) {
    char c = *p_;
    if (c == '\n') {
      ++line_, ++p_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\0') {
      ++p_;
    } else if (c == '/' && end_ - p_ > 1 && p_[1] == '/') {
      auto* nl = static_cast<const char*>(std::memchr(p_, '\n', size_t(end_ - p_)));
      p_ = nl ? nl : end_;
    } else if (c == '/' && end_ - p_ > 1 && p_[1] == '*') {
      for (p_ += 2; p_ < end_ && !(*p_ == '/' && p_[-1] == '*'); ++p_)
        if (*p_ == '\n') ++line_;
      if (p_ < end_) ++p_;
    } else {
      return true;
    }
  }
  return false;
}

void TextCursor::expect(char c) {
  if (accept(c)) return;
  std::string seen = p_ < end_ ? std::string("'") + *p_ + "'" : std::string("the end");
  fail(std::string("expected '") + c + "', found " + seen);
}

std::string_view TextCursor::identifier() {
  char c = peek();
  if (!is_word(c) || is_digit(c)) return {};
  const char* start = p_;
  bool dots = c == '%';
  while (p_ < end_ && (is_word(*p_) || (dots && *p_ == '.'))) ++p_;
  return {start, size_t(p_ - start)};
}

std::string_view TextCursor::directive() {
  if (peek() != '.') return {};
  const char* start = p_ + 1;
  const char* q = start;
  while (q < end_ && (is_word(*q) || (*q == ':' && end_ - q > 2 && q[1] == ':' && is_word(q[2]))))
    q += *q == ':' ? 2 : 1;
  p_ = q;
  return {start, size_t(q - start)};
}

bool TextCursor::accept_directive(std::string_view word) {
  if (peek() != '.' || size_t(end_ - p_) <= word.size()) return false;
  if (std::memcmp(p_ + 1, word.data(), word.size()) != 0) return false;
  const char* after = p_ + 1 + word.size();
  if (after < end_ && is_word(*after)) return false;
  p_ = after;
  return true;
}

std::string_view TextCursor::opcode() {
  if (!is_word(peek()) || is_digit(*p_)) return {};
  const char* start = p_;
  while (p_ < end_) {
    if (is_word(*p_) || *p_ == '.')
      ++p_;
    else if (*p_ == ':' && end_ - p_ > 2 && p_[1] == ':' && is_word(p_[2]))
      p_ += 2;
    else
      break;
  }
  return {start, size_t(p_ - start)};
}

bool TextCursor::at_number() {
  char c = peek();
  if (is_digit(c)) return true;
  return (c == '-' || c == '+') && end_ - p_ > 1 && is_digit(p_[1]);
}

TextCursor::Number TextCursor::number() {
  peek();
  const bool negative = p_ < end_ && *p_ == '-';
  const char* first = p_ + (negative || (p_ < end_ && *p_ == '+'));
  const char* point = std::find_if_not(first, end_, [](char c) { return is_digit(c); });
  if (point == first || point == end_ || (*point != '.' && *point != 'e' && *point != 'E'))
    return whole_number();
  double value = 0;
  const auto [after, error] = std::from_chars(first, end_, value);
  if (error != std::errc() || (after < end_ && is_word(*after))) fail("malformed number");
  p_ = after;
  return {std::bit_cast<uint64_t>(negative ? -value : value), 64};
}

TextCursor::Number TextCursor::whole_number() {
  bool negative = false;
  for (char c = peek(); c == '-' || c == '+'; c = peek()) {
    if (c == '-') negative = !negative;
    ++p_;
  }
  if (!is_digit(peek())) fail("expected a number");
  Number n;
  unsigned base = 10;
  if (*p_ == '0' && end_ - p_ > 1) {
    switch (p_[1]) {
      case 'x':
      case 'X':
        base = 16, p_ += 2;
        break;
      case 'b':
      case 'B':
        base = 2, p_ += 2;
        break;
      case 'f':
      case 'F':
        base = 16, n.float_bits = 32, p_ += 2;
        break;
      case 'd':
      case 'D':
        base = 16, n.float_bits = 64, p_ += 2;
        break;
      default:
        base = 8;
        break;
    }
  }
  int digits = 0;
  for (; p_ < end_; ++p_, ++digits) {
    int d = digit_value(*p_);
    if (d >= int(base)) break;
    n.bits = n.bits * base + unsigned(d);
  }
  if (!digits) fail("malformed number");
  if (p_ < end_ && (*p_ == 'U' || *p_ == 'u')) ++p_;
  if (p_ < end_ && is_word(*p_)) fail("malformed number");
  if (negative)
    n.bits = n.float_bits == 32 ? n.bits ^ 0x80000000u
             : n.float_bits     ? n.bits ^ (uint64_t(1) << 63)
                                : uint64_t(0) - n.bits;
  return n;
}

std::string_view TextCursor::quoted() {
  expect('"');
  const char* start = p_;
  while (p_ < end_ && *p_ != '"' && *p_ != '\n') p_ += *p_ == '\\' && end_ - p_ > 1 ? 2 : 1;
  if (p_ >= end_ || *p_ != '"') fail("unterminated string");
  return {start, size_t(p_++ - start)};
}

void TextCursor::skip_past(char c) {
  while (skip_space()) {
    if (*p_ == '"') {
      quoted();
      continue;
    }
    if (*p_++ == c) return;
  }
  fail(std::string("expected '") + c + "' before the end");
}

void TextCursor::skip_braces() {
  expect('{');
  for (int depth = 1; depth > 0;) {
    if (!skip_space()) fail("expected '}' before the end");
    if (*p_ == '"') {
      quoted();
      continue;
    }
    char c = *p_++;
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
  }
}

}  // namespace dojo::ptx
