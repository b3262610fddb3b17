#include "core/compile/own/late_globals.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace dojo::compile_detail {
namespace {

/// A declaration at file scope, as indices of tokens: [first, last], the last is its ';'.
struct Statement {
  size_t first = 0, last = 0;
};

/// One global whose initialiser moves.
struct Late {
  size_t from = 0, to = 0;              ///< offsets of the initialiser in the source
  std::vector<const Token*> constants;  ///< its `const`, which would forbid the assignment
  std::string name, assignment;         ///< "n", "n = f();"
};

/// Declarations outside every brace that end in ';'. `main_brace` gets the index of main's '{'; 0 if there is
/// no main.
std::vector<Statement> statements(const std::vector<Token>& t, size_t* main_brace) {
  std::vector<Statement> all;
  int depth = 0, parens = 0;
  size_t first = 0;
  bool names_main = false;
  for (size_t i = 0; i < t.size(); ++i) {
    if (t[i].is("(")) ++parens;
    if (t[i].is(")")) --parens;
    if (t[i].is("{")) {
      if (depth == 0 && names_main && !*main_brace) *main_brace = i;
      ++depth;
    }
    if (t[i].is("}")) {
      --depth;
      const bool initialiser = i + 1 < t.size() && t[i + 1].is(";");
      if (depth == 0 && !initialiser) first = i + 1, names_main = false;
    }
    if (depth) continue;
    if (t[i].is("main") && i + 1 < t.size() && t[i + 1].is("(")) names_main = true;
    if (t[i].is(";") && parens == 0) {
      all.push_back({first, i});
      first = i + 1;
      names_main = false;
    }
  }
  return all;
}

/// The initialiser of a declaration as an assignment; nothing if it can't be moved (an array, several
/// variables, a comment in it).
std::optional<Late> late(const std::string& source, const std::vector<Token>& t, const Statement& s) {
  size_t at = s.first;
  int angles = 0;
  for (; at < s.last; ++at) {
    if (t[at].is("<")) ++angles;
    if (t[at].is(">")) --angles;
    if (angles == 0 && (t[at].is("(") || t[at].is("=") || t[at].is("{") || t[at].is("["))) break;
  }
  if (at >= s.last || at < s.first + 2 || t[at].is("[") || t[at - 1].kind != TokenKind::identifier) return {};
  int depth = 0;
  for (size_t i = at; i < s.last; ++i) {
    if (t[i].is("(") || t[i].is("{") || t[i].is("[")) ++depth;
    if (t[i].is(")") || t[i].is("}") || t[i].is("]")) --depth;
    if (depth == 0 && t[i].is(",")) return {};
  }
  Late out;
  const std::string& name = out.name = t[at - 1].text;
  out.from = t[at].begin;
  out.to = t[s.last].begin;
  for (size_t i = s.first; i + 1 < at; ++i)
    if (t[i].is("const") && std::none_of(t.begin() + long(i), t.begin() + long(at),
                                         [](const Token& x) { return x.is("*") || x.is("&"); }))
      out.constants.push_back(&t[i]);
  const std::string text = source.substr(out.from, out.to - out.from);
  out.assignment = t[at].is("=") ? name + " " + text + ";" : name + " = decltype(" + name + ")" + text + ";";
  std::replace(out.assignment.begin(), out.assignment.end(), '\n', ' ');
  return out.assignment.find("//") == std::string::npos ? std::optional(out) : std::nullopt;
}

}  // namespace

LateGlobals with_late_globals(const std::string& source, const TokenFile& file, const std::set<int>& lines) {
  size_t main_brace = 0;
  std::set<int> open = lines;
  std::string assignments;
  LateGlobals made{source, {}};
  for (const Statement& s : statements(file.tokens, &main_brace)) {
    bool asked = false;
    for (size_t i = s.first; i <= s.last; ++i)
      if (lines.count(file.tokens[i].line)) {
        asked = true;
        open.erase(file.tokens[i].line);
      }
    if (!asked) continue;
    const std::optional<Late> l = late(source, file.tokens, s);
    if (!l) return {};
    blank_out(made.source, l->from, l->to);
    for (const Token* c : l->constants) blank_out(made.source, c->begin, c->end);
    made.names.push_back(l->name);
    assignments += l->assignment + " ";
  }
  if (!main_brace || !open.empty()) return {};
  made.source.insert(file.tokens[main_brace].end, assignments);
  return made;
}

}  // namespace dojo::compile_detail
