#include "run/verdict/unset_variables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/compile/tokens.hpp"

namespace dojo::run {

namespace {

using compile_detail::Token;
using compile_detail::TokenKind;

struct Declared {
  std::string name;
  int line = 0;
};

bool is_word(const Token& t) { return t.kind == TokenKind::identifier; }

/// The tokens [begin, end) of the function body around a line: the outermost braces behind a `)`.
std::pair<size_t, size_t> body_around(const std::vector<Token>& t, int line) {
  std::vector<size_t> open;
  for (size_t i = 0; i < t.size(); ++i) {
    if (t[i].is("{")) open.push_back(i);
    if (!t[i].is("}") || open.empty()) continue;
    const size_t begin = open.back();
    open.pop_back();
    const bool outer =
        std::none_of(open.begin(), open.end(), [&](size_t o) { return o && t[o - 1].is(")"); });
    if (begin && t[begin - 1].is(")") && outer && t[begin].line <= line && line <= t[i].line)
      return {begin, i};
  }
  return {0, 0};
}

/// Variables of plain types that a body declares without a value: `float a, b = 0, c;` gives a and c.
std::vector<Declared> without_value(const std::vector<Token>& t, size_t begin, size_t end) {
  std::vector<Declared> all;
  for (size_t i = begin + 1; i < end; ++i) {
    const bool starts = t[i - 1].is("{") || t[i - 1].is("}") || t[i - 1].is(";");
    if (!starts || !is_word(t[i])) continue;
    size_t k = i;
    while (k + 1 < end && is_word(t[k]) && is_word(t[k + 1])) ++k;
    if (k == i || t[i].is("return") || t[i].is("static") || t[i].is("extern")) continue;
    for (; k + 1 < end && is_word(t[k]); ++k) {
      const std::string name = t[k].text;
      ++k;
      if (t[k].is(",") || t[k].is(";")) all.push_back({name, t[k].line});
      for (int depth = 0; k < end && (depth > 0 || !(t[k].is(",") || t[k].is(";"))); ++k) {
        if (t[k].is("(") || t[k].is("{") || t[k].is("[")) ++depth;
        if (t[k].is(")") || t[k].is("}") || t[k].is("]")) --depth;
      }
      if (k >= end || t[k].is(";")) break;
    }
  }
  return all;
}

}  // namespace

void name_unset_variable(Diagnostic& d, std::string_view source) {
  if (d.kind != "uninitialized" || !d.accesses.variable) return;
  const auto file = compile_detail::tokenize(source);
  const std::vector<Token>& t = file.tokens;
  const auto [begin, end] = body_around(t, d.where.line);
  std::vector<Declared> used;
  for (const Declared& v : without_value(t, begin, end))
    for (size_t i = begin; i < end; ++i)
      if (t[i].line == d.where.line && t[i].is(v.name) && t[i].line >= v.line &&
          std::none_of(used.begin(), used.end(), [&](const Declared& u) { return u.name == v.name; }))
        used.push_back(v);
  if (used.size() != 1) return;
  const size_t verb = d.message.find(" computes with ");
  if (verb == std::string::npos) return;
  d.message =
      fmt::format("{} computes with {}, which has no value yet. Give it one where line {} declares it.",
                  d.message.substr(0, verb), used[0].name, used[0].line);
}

}  // namespace dojo::run
