#include "core/compile/own/handlers.hpp"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/compile/tokens.hpp"

namespace dojo::compile_detail {
namespace {

using Tokens = std::vector<Token>;

bool any_of_words(const Token& t, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return t.is(w); });
}

/// Index of the bracket that closes the one at `open`; t.size() if none does.
size_t closing(const Tokens& t, size_t open) {
  int depth = 0;
  for (size_t i = open; i < t.size(); ++i) {
    if (any_of_words(t[i], {"(", "{", "["})) ++depth;
    if (any_of_words(t[i], {")", "}", "]"}) && --depth == 0) return i;
  }
  return t.size();
}

/// Does the identifier at k, whose statement begins at `first`, look like the name of a variable that is
/// declared there? Must not take a type or an overloaded function for one.
bool declared(const Tokens& t, size_t first, size_t k) {
  if (t[k].kind != TokenKind::identifier || k <= first || k + 1 >= t.size()) return false;
  if (!any_of_words(t[k + 1], {"=", ";", ",", "(", "{", "[", ":", ")"})) return false;
  if (any_of_words(t[first],
                   {"using", "typedef", "return", "delete", "throw", "_dthr", "goto", "case", "else",
                    "struct", "class", "enum", "union", "template", "namespace", "friend", "do"}))
    return false;
  const Token& before = t[k - 1];
  if (before.kind == TokenKind::identifier)
    return !any_of_words(before, {"return", "new", "delete", "sizeof", "operator", "else", "typename",
                                  "throw", "_dthr", "co_return"});
  if (!any_of_words(before, {">", "*", "&", "&&", ",", "]"})) return false;
  if (before.is("]")) return false;
  // An expression: `y = a * f(x);`, `std::cout << a * b;`
  for (size_t i = first; i < k; ++i)
    if (!before.is(",") && (t[i].text.ends_with("=") || any_of_words(t[i], {"<<", "return", "("})))
      return false;
  return true;
}

/// Names of variables of the function around the try block at `at` that are in scope there.
std::set<std::string> variables_before(const Tokens& t, size_t at) {
  std::set<std::string> names;
  const auto parameters = [&](size_t open, size_t close) {
    for (size_t first = open + 1, k = first; k < close; ++k) {
      if (declared(t, first, k) && any_of_words(t[k + 1], {",", ")", "=", "[", ":", ";"}))
        names.insert(t[k].text);
      if (any_of_words(t[k], {",", ";"})) first = k + 1;
    }
  };
  for (size_t i = at; i-- > 0;) {
    if (any_of_words(t[i], {"}", ")", "]"})) {  // passes over what is closed
      int depth = 0;
      size_t k = i + 1;
      while (k-- > 0) {
        if (any_of_words(t[k], {")", "}", "]"})) ++depth;
        if (any_of_words(t[k], {"(", "{", "["}) && --depth == 0) break;
      }
      if (k >= i) break;
      i = k;
      continue;
    }
    if (t[i].is("{")) {
      // The head of this scope: `for (...)`, or the function's, which is the last to look at.
      size_t close = i;
      while (close > 0 && (t[close - 1].kind == TokenKind::identifier ||
                           any_of_words(t[close - 1], {"->", "::", "*", "&", "<", ">"})))
        --close;
      if (close == 0 || !t[close - 1].is(")")) {
        if (i > 0 && any_of_words(t[i - 1], {"try", "else", "do", "{", "}", ";", ":"})) continue;
        break;
      }
      int depth = 0;
      size_t open = close;
      while (open-- > 0) {
        if (t[open].is(")")) ++depth;
        if (t[open].is("(") && --depth == 0) break;
      }
      if (open >= close || open == 0) break;
      parameters(open, close - 1);
      if (!any_of_words(t[open - 1], {"for", "while", "if", "switch", "catch", "constexpr"})) break;
      i = open;
      continue;
    }
    if (t[i].kind != TokenKind::identifier) continue;
    size_t first = i;
    while (first > 0 && !any_of_words(t[first - 1], {";", "{", "}"})) --first;
    if (declared(t, first, i) && !t[i + 1].is(")")) names.insert(t[i].text);
  }
  return names;
}

/// Which of the names occur between two tokens.
std::string keeps(const Tokens& t, size_t from, size_t to, const std::set<std::string>& names) {
  std::set<std::string> used;
  for (size_t i = from; i < to; ++i)
    if (t[i].kind == TokenKind::identifier && names.count(t[i].text) &&
        !any_of_words(t[i - 1], {".", "->", "::"}))
      used.insert(t[i].text);
  std::string out;
  for (const std::string& n : used) out += "__dojo_keep(" + n + "), ";
  return out;
}

/// `const E& e` as its type and its name, which may be missing.
std::pair<std::string, std::string> parameter_of(const Tokens& t, size_t open, size_t close) {
  std::string type;
  size_t last = close;
  const bool named = close - open > 2 && t[close - 1].kind == TokenKind::identifier &&
                     !any_of_words(t[close - 1], {"const", "int", "char", "long", "short", "unsigned",
                                                  "float", "double", "bool"}) &&
                     !any_of_words(t[close - 2], {"::", "const", "("});
  const bool after_const = close - open > 3 && t[close - 1].kind == TokenKind::identifier &&
                           t[close - 2].is("const") && !t[open + 1].is("const") && close - 2 > open + 1;
  if (named || after_const) --last;
  for (size_t i = open + 1; i < last; ++i) type += (type.empty() ? "" : " ") + t[i].text;
  return {type, last < close ? t[last].text : ""};
}

/// Is the `try` at k that of a function: `int main() try { ... }`?
bool of_function(const Tokens& t, size_t k) {
  if (k == 0) return false;
  if (any_of_words(t[k - 1], {"const", "noexcept", "override"})) return true;
  if (!t[k - 1].is(")")) return false;
  int depth = 0;
  for (size_t i = k; i-- > 0;) {
    if (t[i].is(")")) ++depth;
    if (t[i].is("(") && --depth == 0)
      return i > 0 && !any_of_words(t[i - 1], {"if", "for", "while", "switch", "constexpr"});
  }
  return false;
}

}  // namespace

std::string with_handlers(const std::string& source) {
  if (source.find("try") == source.npos) return source;
  const TokenFile file = tokenize(source);
  const Tokens& t = file.tokens;
  struct Edit {
    size_t begin, end;
    std::string text;
  };
  std::vector<Edit> edits;
  for (size_t i = 0; i + 1 < t.size(); ++i) {
    if (!t[i].is("try") || t[i].kind != TokenKind::identifier || !t[i + 1].is("{")) continue;
    size_t last = closing(t, i + 1);
    if (last + 2 >= t.size() || !t[last + 1].is("catch")) continue;
    std::vector<Edit> handlers;
    const size_t body = i + 1;
    while (last + 2 < t.size() && t[last + 1].is("catch") && t[last + 2].is("(")) {
      const size_t word = last + 1, close = closing(t, last + 2);
      if (close + 1 >= t.size() || !t[close + 1].is("{")) break;
      const auto [type, name] = parameter_of(t, last + 2, close);
      const bool all = type == "...";
      handlers.push_back(
          {t[word].begin, t[close].end, all ? "else if (true)" : "else if (__dojo_is<" + type + ">())"});
      if (!name.empty())
        handlers.push_back({t[close + 1].end, t[close + 1].end,
                            type + " " + name + " = __dojo_get<" + type + ">(); (void)" + name + ";"});
      last = closing(t, close + 1);
      if (last >= t.size()) break;
    }
    if (last >= t.size()) continue;
    if (of_function(t, i)) {  // not supported: the function runs without its handlers
      edits.push_back({t[i].begin, t[i].end, ""});
      edits.push_back({t[closing(t, body)].end, t[last].end, ""});
      continue;
    }
    edits.push_back(
        {t[i].begin, t[i].end, "if (" + keeps(t, body, last, variables_before(t, i)) + "__dojo_try())"});
    edits.push_back({t[body].end, t[body].end, " __dojo_Guard _dgrd;"});
    edits.insert(edits.end(), handlers.begin(), handlers.end());
    edits.push_back({t[last].end, t[last].end, " else __dojo_again();"});
  }
  // Those of a block within a handler lie among those of the block around it.
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::string out;
  size_t done = 0;
  for (const Edit& e : edits) {
    if (e.begin < done) continue;  // within what is left out
    out += source.substr(done, e.begin - done) + e.text;
    done = e.end;
  }
  return out + source.substr(done);
}

}  // namespace dojo::compile_detail
