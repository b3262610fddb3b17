#include "core/compile/own/cleanups.hpp"

#include <algorithm>

#include "core/compile/own/scopes.hpp"

namespace dojo::compile_detail {
namespace {

/// Which code a block holds.
enum class Block { outer, host, device, values };

struct Level {
  Block kind = Block::outer;
  size_t first = 0;     ///< of the statement that goes on
  int depth = 0;        ///< of ( and [ in that statement
  bool chosen = false;  ///< the block of a switch: a jump may pass over its declarations
};

/// What the brace at i opens, within a block of kind `around` and a statement that begins at `first`.
Block opened(const std::string& source, const Tokens& t, size_t i, const Level& around,
             const std::map<std::string, Macro>& macros) {
  if (around.kind == Block::device || around.kind == Block::values) return around.kind;
  const FunctionHead h = function_head(t, i);
  if (h.found) return on_device(source, t, h, i, macros) ? Block::device : Block::host;
  bool type = false, space = false, values = false;
  for (size_t k = around.first; k < i; ++k) {
    type = type || any_of_words(t[k], {"struct", "class", "union"});
    space = space || any_of_words(t[k], {"namespace", "extern"});
    values = values || any_of_words(t[k], {"=", "enum"});
  }
  if (around.kind == Block::outer) return (type || space) && !values ? Block::outer : Block::values;
  if (type && any_of_words(t[around.first], {"struct", "class", "union"})) return Block::values;
  const bool block = i > 0 && (any_of_words(t[i - 1], {")", "else", "do", "try", "{", "}", ";", ":"}));
  return block ? Block::host : Block::values;
}

bool scalar(const Token& t) {
  return any_of_words(t, {"const", "int", "char", "long", "short", "unsigned", "float", "double", "bool",
                          "size_t", "dim3", "cudaError_t"});
}

std::string entry(const std::string& name) {
  return " __dojo_Cleanup<decltype(" + name + ")> _dcl_" + name + "(" + name + ");";
}

/// Variables that the statement [first, end) of a block declares.
std::vector<std::string> declared_in(const Tokens& t, size_t first, size_t end, bool jumps) {
  std::vector<std::string> names;
  while (first < end && any_of_words(t[first], {"case", "default"})) {
    while (first < end && !t[first].is(":")) ++first;
    ++first;
  }
  if (first >= end ||
      any_of_words(t[first], {"if", "for", "while", "switch", "static", "extern", "thread_local", "constexpr",
                              "default", "__shared__", "asm", "register"}))
    return names;
  int depth = 0;
  for (size_t k = first; k < end; ++k) {
    if (any_of_words(t[k], {"(", "[", "{"})) ++depth;
    if (any_of_words(t[k], {")", "]", "}"})) --depth;
    if (depth || !declared(t, first, k)) continue;
    if (t[k - 1].is(",") && names.empty()) continue;  // `a = b, c = d`
    if (any_of_words(t[k - 1], {"*", "&", "&&"}) || scalar(t[k - 1])) continue;
    if (jumps && any_of_words(t[k + 1], {";", ","})) continue;
    names.push_back(t[k].text);
  }
  return names;
}

/// Variables that the head of `if`, `for` or `while` declares, its brackets at `open` and `close`. Not those
/// of a switch, whose labels a declaration may not stand before.
std::vector<std::string> declared_in_head(const Tokens& t, size_t open, size_t close) {
  size_t word = open;
  if (word > 0 && t[word - 1].is("constexpr")) --word;
  if (word == 0 || !any_of_words(t[word - 1], {"if", "for", "while"})) return {};
  // `if (Buffer b(1); b.ok())`, `for (Buffer b : all)`: the part before the first ; or :
  size_t end = open + 1;
  for (int depth = 0; end < close; ++end) {
    if (any_of_words(t[end], {"(", "[", "{"})) ++depth;
    if (any_of_words(t[end], {")", "]", "}"})) --depth;
    if (depth == 0 && any_of_words(t[end], {";", ":"})) break;
  }
  return declared_in(t, open + 1, end, false);
}

/// Index of the `)` that closes the head of the `if` of this `else`, whose own part is a block or one
/// statement; 0: not found.
size_t if_head_before(const Tokens& t, size_t at_else) {
  size_t k = at_else - 1;
  if (t[k].is("}")) {
    const size_t block = opening(t, k);
    return block < t.size() && block > 0 && t[block - 1].is(")") ? block - 1 : 0;
  }
  for (--k; k > 0 && !any_of_words(t[k], {";", "{", "}"}); --k) {
    if (!any_of_words(t[k], {")", "]"})) continue;
    const size_t open = opening(t, k);
    if (open == t.size() || open == 0) return 0;
    if (t[open - 1].is("if") || (t[open - 1].is("constexpr") && t[k].is(")"))) return k;
    k = open;
  }
  return 0;
}

/// Entries of those variables for the block or statement behind index `last`, which is `)` or `else`: of its
/// own head and of the heads whose `else` it is.
std::string entries_of_heads(const Tokens& t, size_t last) {
  std::string out;
  while (last > 0) {
    if (t[last].is(")")) {
      const size_t open = opening(t, last);
      if (open == t.size()) break;
      std::string own;
      for (const std::string& name : declared_in_head(t, open, last)) own += entry(name);
      out = own + out;
      last = open - 1;
      if (last > 0 && t[last].is("constexpr")) --last;
      if (last == 0 || !t[last].is("if")) break;
      --last;
    }
    if (last < 2 || !t[last].is("else")) break;
    last = if_head_before(t, last);
  }
  return out;
}

/// Puts a statement without braces, behind a head that closes at `close` or an `else` there, into a block
/// with the head's variables.
void enter_statement(const Tokens& t, size_t close, std::vector<SourceEdit>& edits) {
  if (close + 1 >= t.size() ||
      any_of_words(t[close + 1], {"{", ";", "if", "for", "while", "do", "switch", "try"}))
    return;
  const std::string text = entries_of_heads(t, close);
  if (text.empty()) return;
  size_t end = close + 1;
  for (int depth = 0; end < t.size() && !(depth == 0 && t[end].is(";")); ++end) {
    if (any_of_words(t[end], {"(", "[", "{"})) ++depth;
    if (any_of_words(t[end], {")", "]", "}"})) --depth;
    if (depth < 0) return;
  }
  if (end == t.size()) return;
  edits.push_back({t[close].end, t[close].end, " {" + text});
  edits.push_back({t[end].end, t[end].end, " }"});
}

/// Parameters that are objects: `Buffer b`, not `Buffer& b`, `Buffer* b` or `int n`.
std::string entries_of_parameters(const Tokens& t, const FunctionHead& h) {
  std::string out;
  if (h.lambda && t[h.close].is("]")) return out;
  for (size_t first = h.open + 1, k = first; k < h.close; ++k) {
    if (any_of_words(t[k], {"(", "[", "{"})) return out;
    if (t[k].is(",")) first = k + 1;
    if (k > first && any_of_words(t[k + 1], {",", ")", "="}) && declared(t, first, k) &&
        (t[k - 1].kind == TokenKind::identifier || t[k - 1].is(">")) && !scalar(t[k - 1]))
      out += entry(t[k].text);
  }
  return out;
}

/// The bases that code outside the class may convert to, from its `class` or `struct` at i, and where its
/// block begins. Empty where it has none.
std::string bases_of(const Tokens& t, size_t i, size_t& body) {
  size_t k = i + 1;
  const auto passes_brackets = [&] {
    while (k < t.size() && (t[k].is("alignas") || t[k].is("__attribute__") || t[k].is("__align__") ||
                            any_of_words(t[k], {"[", "("})))
      k = any_of_words(t[k], {"[", "("}) ? closing(t, k) + 1 : k + 1;
  };
  passes_brackets();
  if (k >= t.size() || t[k].kind != TokenKind::identifier) return "";
  const std::string name = t[k++].text;
  int depth = 0;
  for (; k < t.size() && !any_of_words(t[k], {":", "{", ";", "(", ")", "="}); ++k) {
    depth += t[k].is("<") - t[k].is(">");
    if (depth < 0 || (depth == 0 && t[k].is(","))) return "";
  }
  if (k >= t.size() || !t[k].is(":")) return "";
  std::string all, base;
  bool open = !t[i].is("class");
  depth = 0;
  for (++k; k < t.size() && !any_of_words(t[k], {";", ")"}); ++k) {
    const bool ends = depth == 0 && any_of_words(t[k], {",", "{"});
    if (ends) {
      // `A<T>::type` would need the word typename.
      if (open && !base.empty() && base.find("> ::") == base.npos) all += ", " + base;
      base.clear();
      open = !t[i].is("class");
      if (t[k].is("{")) break;
      continue;
    }
    if (t[k].is("<")) ++depth;
    if (t[k].is(">")) --depth;
    if (t[k].is(">>")) depth -= 2;
    if (t[k].is("public")) {
      open = true;
    } else if (any_of_words(t[k], {"private", "protected"})) {
      open = false;
    } else if (!t[k].is("virtual")) {
      base += (base.empty() ? "" : " ") + t[k].text;
    }
  }
  body = k;
  if (k >= t.size() || !t[k].is("{") || all.empty()) return "";
  return " public: typedef __dojo_Bases<" + name + all + "> __dojo_bases;" +
         (t[i].is("class") ? " private:" : "");
}

}  // namespace

std::string with_bases(const std::string& source) {
  const TokenFile file = tokenize(source);
  const Tokens& t = file.tokens;
  std::vector<SourceEdit> edits;
  for (size_t i = 0; i + 1 < t.size(); ++i) {
    if (!any_of_words(t[i], {"struct", "class"}) || t[i].kind != TokenKind::identifier) continue;
    if (i > 0 && any_of_words(t[i - 1], {"enum", "<", ",", "friend"})) continue;
    size_t body = 0;
    if (const std::string bases = bases_of(t, i, body); !bases.empty())
      edits.push_back({t[body].end, t[body].end, bases});
  }
  return edited(source, std::move(edits));
}

std::string with_cleanups(const std::string& source, const std::map<std::string, Macro>& macros, bool& any) {
  const TokenFile file = tokenize(source);
  const Tokens& t = file.tokens;
  std::map<std::string, Macro> all = file.macros;
  all.insert(macros.begin(), macros.end());
  const bool gotos = std::any_of(t.begin(), t.end(), [](const Token& w) { return w.is("goto"); });
  std::vector<SourceEdit> edits;
  std::vector<Level> levels{Level()};
  for (size_t i = 0; i < t.size(); ++i) {
    Level& at = levels.back();
    if (t[i].is("{") && t[i].kind == TokenKind::punctuator) {
      Level in;
      in.kind = opened(source, t, i, at, all);
      in.first = i + 1;
      for (size_t k = at.first; k < i; ++k) in.chosen = in.chosen || t[k].is("switch");
      const FunctionHead h = function_head(t, i);
      if (in.kind == Block::host && h.found)
        if (const std::string text = entries_of_parameters(t, h); !text.empty())
          edits.push_back({t[i].end, t[i].end, text});
      if (in.kind == Block::host && !h.found && i > 0)
        if (const std::string text = entries_of_heads(t, i - 1); !text.empty())
          edits.push_back({t[i].end, t[i].end, text});
      levels.push_back(in);
    } else if (t[i].is("}")) {
      const bool statement =
          at.kind != Block::values && levels.size() > 1 && levels[levels.size() - 2].depth == 0;
      if (levels.size() > 1) levels.pop_back();
      const bool ends = i + 1 < t.size() && !any_of_words(t[i + 1], {";", ",", ")", "("});
      if (statement && ends) levels.back().first = i + 1;
    } else if (at.kind == Block::host && t[i].is("else")) {
      enter_statement(t, i, edits);
    } else if (any_of_words(t[i], {"(", "["})) {
      if (at.kind == Block::host && t[i].is("(") && i > 0 && any_of_words(t[i - 1], {"if", "for", "while"}))
        enter_statement(t, closing(t, i), edits);
      ++at.depth;
    } else if (any_of_words(t[i], {")", "]"})) {
      --at.depth;
    } else if (t[i].is(";") && at.depth <= 0) {
      if (at.kind == Block::host)
        for (const std::string& name : declared_in(t, at.first, i, gotos || at.chosen))
          edits.push_back({t[i].end, t[i].end, entry(name)});
      at.first = i + 1;
      at.depth = 0;
    }
  }
  any = any || !edits.empty();
  return edited(source, std::move(edits));
}

}  // namespace dojo::compile_detail
