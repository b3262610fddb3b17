#pragma once
// C++ source text as tokens with their places, enough for the passes that run before NVRTC: line splices,
// comments, raw strings, preprocessing directives and conditional regions are understood; templates and types
// are not.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dojo::compile_detail {

enum class TokenKind : uint8_t { identifier, number, string, character, punctuator };

struct Token {
  TokenKind kind = TokenKind::punctuator;
  std::string text;  ///< without line splices
  size_t begin = 0;  ///< offset in the source
  size_t end = 0;
  int line = 1, column = 1;
  bool is(std::string_view s) const { return text == s; }
};

/// One preprocessing directive, from '#' to the end of its (spliced) line.
struct Directive {
  std::string name;           ///< "include", "define", "if" ...
  std::vector<Token> tokens;  ///< after the name
  size_t begin = 0, end = 0;  ///< offsets; `end` is at the newline
  int line = 1;
  bool active = true;  ///< false: surely skipped by the preprocessor
};

struct Macro {
  bool function_like = false;
  std::vector<Token> body;
};

struct TokenFile {
  std::vector<Token> tokens;  ///< outside directives, in regions that may be active
  std::vector<Directive> directives;
  std::map<std::string, Macro> macros;  ///< every #define in a region that may be active
  int trigraph_line = 0;                ///< first line with ??= or ??/, or 0
};

/// Never fails: unknown bytes become punctuators.
TokenFile tokenize(std::string_view source);

/// Overwrites source[from, to) with spaces; line ends stay, so lines and columns do too.
void blank_out(std::string& source, size_t from, size_t to);

}  // namespace dojo::compile_detail
