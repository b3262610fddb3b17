#include "core/compile/own/handlers.hpp"

#include <algorithm>
#include <utility>

#include "core/compile/own/scopes.hpp"

namespace dojo::compile_detail {
namespace {

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

/// Index of the { that opens the block around token `at`; t.size() if there is none.
size_t block_around(const Tokens& t, size_t at) {
  for (size_t i = at; i-- > 0;) {
    if (t[i].is("{")) return i;
    if (any_of_words(t[i], {"}", ")", "]"})) i = opening(t, i);
    if (i == t.size()) break;
  }
  return t.size();
}

/// The function around the try block at `at`. Attributes stand before a function's declaration, and behind
/// a lambda's parameters.
SourceEdit kept_out_of_line(const Tokens& t, size_t at) {
  for (size_t body = block_around(t, at); body < t.size(); body = block_around(t, body)) {
    const FunctionHead h = function_head(t, body);
    if (!h.found) continue;
    const std::string attribute = "__attribute__((noinline))";
    if (!h.lambda) return {t[h.begin].begin, t[h.begin].begin, attribute + " "};
    const bool bare = t[h.close].is("]");
    return {t[h.close].end, t[h.close].end, (bare ? "() " : " ") + attribute};
  }
  return {};
}

/// A function's own try, `int main() try { ... } catch (...) { ... }`, has its block and the function's in
/// one. Where it has initialisers, what they throw is not caught.
struct OwnTry {
  bool found = false, structor = false;
  size_t body = 0;  ///< index of the block
};
OwnTry own_try(const Tokens& t, size_t k) {
  OwnTry own;
  size_t body = k + 1;
  if (t[body].is(":")) {
    while (body < t.size() && !(t[body].is("{") && any_of_words(t[body - 1], {")", "}"}))) {
      if (any_of_words(t[body], {"(", "{"})) body = closing(t, body);
      ++body;
    }
    own = {body < t.size(), true, body};
    return own;
  }
  const FunctionHead h = function_head(t, k);
  own = {h.found && !h.lambda && h.close < k, h.structor, body};
  return own;
}

}  // namespace

bool has_handlers(const std::string& source) {
  if (source.find("catch") == source.npos) return false;
  const TokenFile file = tokenize(source);
  const auto has = [](const Tokens& t) {
    return std::any_of(t.begin(), t.end(),
                       [](const Token& w) { return w.kind == TokenKind::identifier && w.is("catch"); });
  };
  return has(file.tokens);
}

std::string with_handlers(const std::string& source) {
  if (source.find("try") == source.npos) return source;
  const TokenFile file = tokenize(source);
  const Tokens& t = file.tokens;
  std::vector<SourceEdit> edits;
  std::set<size_t> out_of_line;
  for (size_t i = 0; i + 1 < t.size(); ++i) {
    if (!t[i].is("try") || t[i].kind != TokenKind::identifier || !any_of_words(t[i + 1], {"{", ":"}))
      continue;
    const OwnTry own = own_try(t, i);
    const size_t body = own.found ? own.body : i + 1;
    size_t last = closing(t, body);
    if (last + 2 >= t.size() || !t[last + 1].is("catch")) continue;
    std::vector<SourceEdit> handlers;
    while (last + 2 < t.size() && t[last + 1].is("catch") && t[last + 2].is("(")) {
      const size_t word = last + 1, close = closing(t, last + 2);
      if (close + 1 >= t.size() || !t[close + 1].is("{")) break;
      const auto [type, name] = parameter_of(t, last + 2, close);
      const bool all = type == "...";
      handlers.push_back(
          {t[word].begin, t[close].end, all ? "else if (true)" : "else if (__dojo_is<" + type + ">())"});
      std::string begins = " __dojo_Caught _dcgt;";
      if (!name.empty())
        begins += " " + type + " " + name + " = __dojo_get<" + type + ">(); (void)" + name + ";";
      handlers.push_back({t[close + 1].end, t[close + 1].end, begins});
      last = closing(t, close + 1);
      if (last >= t.size()) break;
      // What leaves a constructor's own handler by its end is thrown again.
      if (own.found && own.structor) handlers.push_back({t[last].begin, t[last].begin, "_dret; "});
    }
    if (last >= t.size()) continue;
    const SourceEdit apart = kept_out_of_line(t, own.found ? body : i);
    if (!apart.text.empty() && out_of_line.insert(apart.begin).second) edits.push_back(apart);
    const std::string asks =
        "if (" + keeps(t, body, last, variables_before(t, own.found ? body + 1 : i)) + "__dojo_try())";
    if (own.found) {
      edits.push_back({t[i].begin, t[i].end, ""});
      edits.push_back({t[body].begin, t[body].begin, "{ " + asks + " "});
    } else {
      edits.push_back({t[i].begin, t[i].end, asks});
    }
    edits.push_back({t[body].end, t[body].end, " __dojo_Guard _dgrd;"});
    edits.insert(edits.end(), handlers.begin(), handlers.end());
    edits.push_back(
        {t[last].end, t[last].end, own.found ? " else __dojo_go_on(); }" : " else __dojo_go_on();"});
  }
  return edited(source, std::move(edits));
}

}  // namespace dojo::compile_detail
