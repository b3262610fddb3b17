#include "core/compile/own/exceptions.hpp"

#include <vector>

namespace dojo::compile_detail {
std::string with_own_words(const std::string& source, const TokenFile& file) {
  std::string out = source;
  const auto pass = [&](const std::vector<Token>& tokens) {
    for (const Token& t : tokens) {
      if (t.kind != TokenKind::identifier || t.end - t.begin != t.text.size()) continue;
      if (t.is("thrust")) out.replace(t.begin, 6, "_thrst");
      if (t.is("register")) out.replace(t.begin, 8, "        ");
    }
  };
  pass(file.tokens);
  for (const Directive& d : file.directives)
    if (d.name == "define") pass(d.tokens);
  return out;
}

std::string without_throw(const std::string& source, const TokenFile& file) {
  const std::vector<Token>& t = file.tokens;
  std::string out = source;
  for (size_t i = 0; i + 1 < t.size(); ++i) {
    if (t[i].kind != TokenKind::identifier) continue;
    if (t[i].is("throw") && t[i].end - t[i].begin == 5) {
      const bool specification = i + 2 < t.size() && t[i + 1].is("(") && t[i + 2].is(")");
      if (!specification) out.replace(t[i].begin, 5, t[i + 1].is(";") ? "_dret" : "_dthr");
    }
  }
  for (const Directive& d : file.directives) {
    if (d.name != "define") continue;
    for (const Token& word : d.tokens)
      if (word.kind == TokenKind::identifier && word.is("throw") && word.end - word.begin == 5)
        out.replace(word.begin, 5, "_dthr");
  }
  return out;
}

}  // namespace dojo::compile_detail
