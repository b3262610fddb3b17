#include "core/text/source_words.hpp"

#include <cctype>

#include "core/text/word_char.hpp"

namespace dojo {
namespace {

/// The text without comments, literals and #include lines; each leaves a blank.
std::string plain_code(std::string_view text) {
  std::string out;
  const size_t n = text.size();
  for (size_t i = 0; i < n;) {
    const char c = text[i];
    if (text.substr(i, 2) == "//") {
      while (i < n && text[i] != '\n') i += text[i] == '\\' && i + 1 < n ? 2 : 1;
      out += ' ';
    } else if (text.substr(i, 2) == "/*") {
      const size_t end = text.find("*/", i + 2);
      i = end == text.npos ? n : end + 2;
      out += ' ';
    } else if (text.substr(i, 2) == "R\"" && (i == 0 || !is_word_char(text[i - 1]))) {
      const size_t open = text.find('(', i);
      if (open == text.npos) break;
      const std::string close = ")" + std::string(text.substr(i + 2, open - i - 2)) + "\"";
      const size_t end = text.find(close, open);
      i = end == text.npos ? n : end + close.size();
      out += ' ';
    } else if (c == '"' || (c == '\'' && !(i > 0 && std::isdigit(static_cast<unsigned char>(text[i - 1]))))) {
      for (++i; i < n && text[i] != c && text[i] != '\n'; ++i) i += text[i] == '\\';
      i += i < n;
      out += ' ';
    } else if (text.substr(i, 8) == "#include") {
      while (i < n && text[i] != '\n') ++i;
    } else {
      out += c;
      ++i;
    }
  }
  return out;
}

}  // namespace

int count_word(std::string_view text, std::string_view word) {
  if (word.empty()) return 0;
  const std::string code = plain_code(text);
  int n = 0;
  for (size_t at = code.find(word); at != code.npos; at = code.find(word, at + word.size())) {
    const size_t end = at + word.size();
    n += (at == 0 || !is_word_char(code[at - 1])) && (end == code.size() || !is_word_char(code[end]));
  }
  return n;
}

}  // namespace dojo
