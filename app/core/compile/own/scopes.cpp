#include "core/compile/own/scopes.hpp"

#include <algorithm>

namespace dojo::compile_detail {
namespace {

/// The statement that token i is part of begins here: behind the last ; { } at its level, or an access label.
size_t statement_start(const Tokens& t, size_t i) {
  size_t first = i;
  while (first > 0) {
    const Token& before = t[first - 1];
    if (any_of_words(before, {";", "{", "}"})) break;
    if (before.is(":") && first > 1 && any_of_words(t[first - 2], {"public", "private", "protected"})) break;
    if (any_of_words(before, {")", "]"})) {
      const size_t open = opening(t, first - 1);
      if (open == t.size()) break;
      first = open;
    } else {
      if (any_of_words(before, {"(", "["})) break;
      --first;
    }
  }
  return first;
}

/// Behind `template <...>`, `[[...]]` and `extern "C"`.
size_t behind_prefixes(const Tokens& t, size_t first) {
  while (first + 1 < t.size()) {
    if (t[first].is("template") && t[first + 1].is("<")) {
      int depth = 0;
      for (++first; first < t.size(); ++first) {
        if (t[first].is("<")) ++depth;
        if (t[first].is(">")) --depth;
        if (t[first].is(">>")) depth -= 2;
        if (depth <= 0) break;
      }
      ++first;
    } else if (t[first].is("[") && t[first + 1].is("[")) {
      first = closing(t, first) + 1;
    } else if (t[first].is("extern") && t[first + 1].kind == TokenKind::string) {
      first += 2;
    } else {
      break;
    }
  }
  return first;
}

/// The ) before the body at `body`, past `const`, `noexcept`, `-> T` and a constructor's initialisers; the ]
/// of a lambda without parameters. t.size(): none.
size_t end_of_parameters(const Tokens& t, size_t body) {
  size_t close = body;
  while (true) {
    while (close > 0 && ((t[close - 1].kind == TokenKind::identifier && !t[close - 1].is("else")) ||
                         any_of_words(t[close - 1], {"->", "::", "*", "&", "<", ">"})))
      --close;
    if (close == 0 || !any_of_words(t[close - 1], {")", "]", "}"})) return t.size();
    const size_t open = opening(t, close - 1);
    if (open == t.size() || open == 0) return t.size();
    // `: a(1), b{2} {`: the name before the bracket stands behind a comma or a colon.
    size_t name = open;
    while (name > 0 &&
           (t[name - 1].kind == TokenKind::identifier || any_of_words(t[name - 1], {"::", "<", ">"})))
      --name;
    const bool initialiser = name < open && name > 1 &&
                             ((t[name - 1].is(":") && any_of_words(t[name - 2], {")", "noexcept", "try"})) ||
                              (t[name - 1].is(",") && any_of_words(t[name - 2], {")", "}"})));
    if (!initialiser) return t[close - 1].is("}") ? t.size() : close - 1;
    close = name - 1;
  }
}

}  // namespace

std::string edited(const std::string& source, std::vector<SourceEdit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const SourceEdit& a, const SourceEdit& b) { return a.begin < b.begin; });
  std::string out;
  size_t done = 0;
  for (const SourceEdit& e : edits) {
    if (e.begin < done) continue;
    out += source.substr(done, e.begin - done) + e.text;
    done = e.end;
  }
  return out + source.substr(done);
}

bool any_of_words(const Token& t, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return t.is(w); });
}

size_t closing(const Tokens& t, size_t open) {
  int depth = 0;
  for (size_t i = open; i < t.size(); ++i) {
    if (any_of_words(t[i], {"(", "{", "["})) ++depth;
    if (any_of_words(t[i], {")", "}", "]"}) && --depth == 0) return i;
  }
  return t.size();
}

size_t opening(const Tokens& t, size_t close) {
  int depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    if (any_of_words(t[i], {")", "}", "]"})) ++depth;
    if (any_of_words(t[i], {"(", "{", "["}) && --depth == 0) return i;
  }
  return t.size();
}

namespace {
/// Is token k of the statement from `first` on among a template's arguments? `std::map<int, V> m;`: V is.
bool among_arguments(const Tokens& t, size_t first, size_t k) {
  int depth = 0;
  for (size_t i = first; i < k; ++i) depth += int(t[i].is("<")) - int(t[i].is(">")) - 2 * int(t[i].is(">>"));
  // A comparison has no closing bracket.
  for (size_t i = k + 1; depth > 0 && i < t.size() && !any_of_words(t[i], {";", "{", "}"}); ++i)
    if (any_of_words(t[i], {">", ">>"})) return true;
  return false;
}
}  // namespace

bool declared(const Tokens& t, size_t first, size_t k) {
  if (t[k].kind != TokenKind::identifier || k <= first || k + 1 >= t.size()) return false;
  if (!any_of_words(t[k + 1], {"=", ";", ",", "(", "{", "[", ":", ")"})) return false;
  if (among_arguments(t, first, k)) return false;
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

std::set<std::string> variables_before(const Tokens& t, size_t at) {
  std::set<std::string> names;
  // `auto& [a, b] = f();`
  const auto binding = [&](size_t close) {
    const size_t open = opening(t, close);
    if (open == t.size() || open == 0) return;
    const bool named = t[open - 1].is("auto") ||
                       (open > 1 && any_of_words(t[open - 1], {"&", "&&"}) && t[open - 2].is("auto"));
    for (size_t k = open + 1; named && k < close; ++k)
      if (t[k].kind == TokenKind::identifier) names.insert(t[k].text);
  };
  const auto parameters = [&](size_t open, size_t close) {
    for (size_t first = open + 1, k = first; k < close; ++k) {
      if (declared(t, first, k) && any_of_words(t[k + 1], {",", ")", "=", "[", ":", ";"}))
        names.insert(t[k].text);
      if (t[k].is("]")) binding(k);
      if (any_of_words(t[k], {",", ";"})) first = k + 1;
    }
  };
  for (size_t i = at; i-- > 0;) {
    if (any_of_words(t[i], {"}", ")", "]"})) {  // passes over what is closed
      if (t[i].is("]")) binding(i);
      i = opening(t, i);
      if (i == t.size()) break;
      continue;
    }
    if (t[i].is("{")) {
      // The head of this scope: `for (...)`, or the function's, which is the last to look at.
      const size_t close = end_of_parameters(t, i);
      if (close == t.size()) {
        if (i > 0 && any_of_words(t[i - 1], {"try", "else", "do", "{", "}", ";", ":"})) continue;
        break;
      }
      if (t[close].is("]")) break;
      const size_t open = opening(t, close);
      if (open == t.size() || open == 0) break;
      parameters(open, close);
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

FunctionHead function_head(const Tokens& t, size_t body) {
  FunctionHead h;
  h.close = end_of_parameters(t, body);
  if (h.close == t.size()) return h;
  if (t[h.close].is("]")) {
    h.found = h.lambda = true;
    h.open = h.close;
    h.begin = opening(t, h.close);
    return h;
  }
  h.open = opening(t, h.close);
  if (h.open == t.size() || h.open == 0) return h;
  const Token& name = t[h.open - 1];
  if (any_of_words(name, {"for", "while", "if", "switch", "catch", "constexpr", "requires"})) return h;
  h.found = true;
  if (name.is("]")) {
    h.lambda = true;
    h.begin = opening(t, h.open - 1);
    return h;
  }
  h.begin = behind_prefixes(t, statement_start(t, h.open - 1));
  size_t type = h.open - 1;  // behind what stands before the name
  while (type > h.begin &&
         (t[type].is("~") || t[type - 1].is("~") || t[type - 1].is("::") || t[type].is("::")))
    --type;
  h.structor = name.kind == TokenKind::identifier && !t[h.open - 1].is("main");
  for (size_t i = h.begin; i < type; ++i)
    h.structor = h.structor && any_of_words(t[i], {"explicit", "inline", "constexpr", "virtual", "__host__"});
  return h;
}

namespace {
bool means_device(const Token& t, const std::map<std::string, Macro>& macros) {
  if (t.kind != TokenKind::identifier) return false;
  if (any_of_words(t, {"__device__", "__global__"})) return true;
  const auto m = macros.find(t.text);
  return m != macros.end() && std::any_of(m->second.body.begin(), m->second.body.end(), [](const Token& b) {
           return any_of_words(b, {"__device__", "__global__"});
         });
}
}  // namespace

bool on_device(const std::string& source, const Tokens& t, const FunctionHead& head, size_t body,
               const std::map<std::string, Macro>& macros) {
  return std::any_of(t.begin() + long(head.begin), t.begin() + long(body),
                     [&](const Token& word) { return means_device(word, macros); }) ||
         source.substr(t[head.begin].begin, t[body].begin - t[head.begin].begin).find("/*d") != source.npos;
}

}  // namespace dojo::compile_detail
