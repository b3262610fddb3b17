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
  size_t at = 0;  ///< index of the name's token
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

/// Variables that a body declares without a value, pointers and heads of loops included: of
/// `float a, b = 0, *c;` come a and c.
std::vector<Declared> without_value(const std::vector<Token>& t, size_t begin, size_t end) {
  std::vector<Declared> all;
  for (size_t i = begin + 1; i < end; ++i) {
    const bool head = t[i - 1].is("(") && i >= 2 && t[i - 2].is("for");
    const bool starts = head || t[i - 1].is("{") || t[i - 1].is("}") || t[i - 1].is(";") || t[i - 1].is(")");
    if (!starts || !is_word(t[i]) || t[i].is("return") || t[i].is("static") || t[i].is("extern")) continue;
    size_t k = i;
    while (k + 1 < end && is_word(t[k]) && (is_word(t[k + 1]) || t[k + 1].is("*"))) {
      ++k;
      while (k + 1 < end && t[k].is("*")) ++k;
    }
    if (k == i) continue;
    while (k + 1 < end && is_word(t[k])) {
      const size_t name = k++;
      if (t[k].is(",") || t[k].is(";")) all.push_back({t[name].text, name});
      for (int depth = 0; k < end && (depth > 0 || !(t[k].is(",") || t[k].is(";"))); ++k) {
        if (t[k].is("(") || t[k].is("{") || t[k].is("[")) ++depth;
        if (t[k].is(")") || t[k].is("}") || t[k].is("]")) --depth;
      }
      if (k >= end || t[k].is(";")) break;
      ++k;
      while (k + 1 < end && t[k].is("*")) ++k;
    }
  }
  return all;
}

bool assigned_before(const std::vector<Token>& t, const Declared& v, int line) {
  for (size_t i = v.at + 1; i + 1 < t.size() && t[i].line < line; ++i)
    if (t[i].is(v.name) && t[i + 1].is("=")) return true;
  return false;
}

}  // namespace

void name_unset_variable(Diagnostic& d, std::string_view source) {
  if (d.kind != FindingKind::uninitialized || !d.facts.variable) return;
  const auto file = compile_detail::tokenize(source);
  const std::vector<Token>& t = file.tokens;
  const auto [begin, end] = body_around(t, d.where.line);
  std::vector<Declared> used, set;  // those that an earlier line sets, on one way at least
  for (const Declared& v : without_value(t, begin, end)) {
    const auto at_line = [&](const Token& u) { return u.line == d.where.line && u.is(v.name); };
    if (std::none_of(t.begin() + long(v.at), t.begin() + long(end), at_line)) continue;
    (assigned_before(t, v, d.where.line) ? set : used).push_back(v);
  }
  if (used.empty()) used = set;
  if (used.size() != 1) return;
  d.message = fmt::format("{} uses {}, which has no value yet. Give it one where line {} declares it.",
                          d.facts.who, used[0].name, t[used[0].at].line);
}

}  // namespace dojo::run
