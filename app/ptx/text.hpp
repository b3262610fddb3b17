#pragma once
// Walking over PTX text: white space and comments, words, numbers, with the line number kept.
#include <cstdint>
#include <string>
#include <string_view>

namespace dojo::ptx {

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : begin_(text.data()), p_(begin_), end_(begin_ + text.size()) {}

  /// Skips white space and comments; true when something is left.
  bool skip_space();
  /// The next character after white space, 0 at the end.
  char peek() { return skip_space() ? *p_ : '\0'; }
  bool accept(char c) {
    if (peek() != c) return false;
    ++p_;
    return true;
  }
  void expect(char c);
  /// Letters, digits, _ $ %; empty when there is none. After a leading % dots are part of it ("%tid.x").
  std::string_view identifier();
  /// ".word" without its dot, or empty. Namespaced parts ("shared::cta") are kept whole.
  std::string_view directive();
  bool accept_directive(std::string_view word);
  /// An instruction's whole opcode: "cp.async.bulk.shared::cluster.global".
  std::string_view opcode();
  bool at_number();
  /// A literal as 64 bits: integers in any base with sign and U suffix, 0f and 0d hex floats, decimal
  /// floats (1.0, 5e-1: always of 64 bits).
  struct Number {
    uint64_t bits = 0;
    uint8_t float_bits = 0;  ///< 32 or 64 for floats, else 0
  };
  Number number();
  /// Ends at a point: the 8 of ".version 8.6".
  int64_t integer() { return int64_t(whole_number().bits); }
  /// A quoted string's content (PTX has no escapes that matter here).
  std::string_view quoted();
  /// Skips to after the next `c`, comments and strings included.
  void skip_past(char c);
  /// At '{': skips to after the matching '}'.
  void skip_braces();

  int line() const { return line_; }
  size_t offset() const { return size_t(p_ - begin_); }
  struct Mark {
    const char* p;
    int line;
  };
  Mark mark() const { return {p_, line_}; }
  void reset(Mark m) { p_ = m.p, line_ = m.line; }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  Number whole_number();
  const char *begin_, *p_, *end_;
  int line_ = 1;
};

}  // namespace dojo::ptx
