#include "core/compile/source_names.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "core/compile/tokens.hpp"

namespace dojo {
namespace {

using compile_detail::Token;
using compile_detail::TokenFile;
using compile_detail::TokenKind;

bool is_one_of(const std::string& word, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

bool is_space_word(const std::string& w) {
  return is_one_of(w, {"__shared__", "__device__", "__constant__", "__managed__"});
}

constexpr size_t most_tokens = 400;  ///< tokens of a declaration that is read

class NameReader {
 public:
  NameReader(const TokenFile& f, const std::string& file) : f_(f), t_(f.tokens), file_(file) {}

  SourceNames run() {
    brackets();
    constants();
    for (size_t i = 0; i < t_.size(); ++i) {
      if (is_one_of(text(i), {"struct", "class"})) structure(i);
      if (is_space_word(text(i))) variables(i);
      if (text(i) == "(") function(i);
    }
    return std::move(out_);
  }

 private:
  const std::string& text(size_t i) const {
    static const std::string none;
    return i < t_.size() ? t_[i].text : none;
  }
  bool identifier(size_t i) const { return i < t_.size() && t_[i].kind == TokenKind::identifier; }

  /// Behind the bracket that closes the one at `i`.
  size_t behind(size_t i) const { return i < behind_.size() ? std::max(i + 1, behind_[i]) : i; }
  void brackets() {
    behind_.assign(t_.size(), t_.size());
    std::vector<size_t> open;
    for (size_t i = 0; i < t_.size(); ++i) {
      const std::string& s = text(i);
      if (s == "(" || s == "[" || s == "{") open.push_back(i);
      if ((s == ")" || s == "]" || s == "}") && !open.empty()) behind_[open.back()] = i + 1, open.pop_back();
    }
  }

  /// constexpr int N = 32; const int N = 32; #define N 32
  void constants() {
    for (const auto& [name, macro] : f_.macros)
      if (!macro.function_like && !macro.body.empty()) macros_[name] = macro.body;
    for (size_t i = 0; i + 3 < t_.size(); ++i) {
      if (!is_one_of(text(i), {"constexpr", "const", "enum"})) continue;
      size_t j = i + 1;
      while (j < i + most_tokens && identifier(j) && identifier(j + 1)) ++j;
      if (!identifier(j) || text(j + 1) != "=") continue;
      size_t end = j + 2;
      while (end < std::min(t_.size(), i + most_tokens) && text(end) != ";" && text(end) != ",") ++end;
      std::vector<Token> body(t_.begin() + long(j + 2), t_.begin() + long(std::min(end, t_.size())));
      // A name with two values in two scopes has none here.
      const auto [at, fresh] = macros_.try_emplace(text(j), body);
      if (!fresh && !std::equal(body.begin(), body.end(), at->second.begin(), at->second.end(),
                                [](const Token& a, const Token& b) { return a.text == b.text; }))
        at->second.clear();
    }
  }

  /// The value of an expression of whole numbers, + - * / and brackets; 0: it is another.
  uint64_t value(const std::vector<Token>& e) {
    int64_t v = 0;
    size_t at = 0;
    depth_ = 0, work_ = 0;
    return sum(e, at, v) && at == e.size() && v > 0 ? uint64_t(v) : 0;
  }
  bool sum(const std::vector<Token>& e, size_t& at, int64_t& v) {
    if (!product(e, at, v)) return false;
    while (at < e.size() && (e[at].is("+") || e[at].is("-"))) {
      const bool minus = e[at++].is("-");
      int64_t r = 0;
      if (!product(e, at, r)) return false;
      v = minus ? v - r : v + r;
      if (v > (int64_t(1) << 40) || v < -(int64_t(1) << 40)) return false;
    }
    return true;
  }
  bool product(const std::vector<Token>& e, size_t& at, int64_t& v) {
    if (!atom(e, at, v)) return false;
    while (at < e.size() && (e[at].is("*") || e[at].is("/"))) {
      const bool by = e[at++].is("/");
      int64_t r = 0;
      if (!atom(e, at, r) || (by && r == 0) || r > (1 << 30) || v > (int64_t(1) << 32)) return false;
      v = by ? v / r : v * r;
    }
    return true;
  }
  bool atom(const std::vector<Token>& e, size_t& at, int64_t& v) {
    if (at >= e.size() || depth_ > 16 || ++work_ > 1000) return false;
    const Token& t = e[at];
    if (t.is("(")) {
      ++at, ++depth_;
      if (!sum(e, at, v) || at >= e.size() || !e[at].is(")")) return false;
      ++at, --depth_;
      return true;
    }
    if (t.kind == TokenKind::number) {
      std::string digits = t.text;
      digits.erase(std::remove(digits.begin(), digits.end(), '\''), digits.end());
      const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
      const char *from = digits.data() + (hex ? 2 : 0), *end = digits.data() + digits.size();
      const auto [stop, error] = std::from_chars(from, end, v, hex ? 16 : 10);
      ++at;
      return error == std::errc() &&
             std::all_of(stop, end, [](char c) { return c == 'u' || c == 'U' || c == 'l' || c == 'L'; });
    }
    const auto known = macros_.find(t.text);
    if (t.kind != TokenKind::identifier || known == macros_.end() || known->second.empty()) return false;
    ++at;
    size_t inner = 0;
    ++depth_;
    const bool ok = sum(known->second, inner, v) && inner == known->second.size();
    --depth_;
    return ok;
  }

  /// The extents from the brackets at `i` on; `i` is moved behind them.
  std::vector<uint64_t> extents(size_t& i) {
    std::vector<uint64_t> all;
    while (text(i) == "[") {
      const size_t stop = behind(i);
      all.push_back(value({t_.begin() + long(i + 1), t_.begin() + long(std::max(i + 1, stop - 1))}));
      i = stop;
    }
    return all;
  }

  /// One declaration in [i, end): its type and its declarators.
  std::vector<SourceNames::Variable> declaration(size_t i, size_t end) {
    std::vector<SourceNames::Variable> all;
    std::string type;
    size_t name = end, angles = 0;
    std::vector<uint64_t> dims;
    const auto add = [&](std::string_view word) {
      if (!type.empty()) type += ' ';
      type += word;
    };
    const auto flush = [&] {
      if (name < end || !all.empty()) all.push_back({type, name < end ? text(name) : "", dims});
      name = end, dims.clear();
    };
    std::string base;
    for (; i < end; ++i) {
      const std::string& s = text(i);
      if (s == "alignas" || s == "__align__" || s == "__attribute__" || s == "decltype") {
        if (text(i + 1) == "(") i = behind(i + 1) - 1;
      } else if (s == "<") {
        if (name < end && !angles) add(text(name)), name = end;
        ++angles, add(s);
      } else if (s == ">") {
        angles -= angles ? 1 : 0, add(s);
      } else if (s == "[" && !angles) {
        dims = extents(i);
        --i;
      } else if ((s == "=" || s == "{") && !angles) {
        if (s == "=") ++i;
        while (i < end && text(i) != ",") i = is_one_of(text(i), {"(", "[", "{"}) ? behind(i) : i + 1;
        --i;
      } else if (s == "," && !angles) {
        if (all.empty()) base = type.substr(0, type.find_first_of("*&"));
        flush();
        type = base;
        while (!type.empty() && type.back() == ' ') type.pop_back();
      } else if (s == "(" && (text(i + 1) == "*" || text(i + 1) == "&")) {
        // float (&row)[32], float (*rows)[32]: an address.
        const size_t stop = behind(i);
        if (name < end) add(text(name)), name = end;
        for (size_t k = i; k < std::min(stop, end); ++k)
          if (identifier(k)) name = k;
        add("*");
        i = stop;
        if (text(i) == "(") return {};  // a pointer to a function
        extents(i);
        --i;
      } else if (identifier(i) && !is_space_word(s) &&
                 !is_one_of(s, {"const", "volatile", "__restrict__", "__restrict", "restrict", "static",
                                "extern", "constexpr", "inline", "__grid_constant__", "mutable", "struct"})) {
        if (name < end && !angles) add(text(name));
        if (angles)
          add(s);
        else
          name = i;
      } else if (is_one_of(s, {"*", "&", "&&", "::", "const", "volatile"}) || angles) {
        if (name < end) add(text(name)), name = end;
        add(s);
      } else if (!is_space_word(s) && !identifier(i)) {
        return {};  // none that is read here
      }
    }
    // One word alone is a type.
    if (name < end && type.find_first_not_of(" *&") == type.npos && all.empty())
      type = text(name), name = end, all.push_back({type, "", dims});
    else if (name < end || !type.empty())
      all.push_back({type, name < end ? text(name) : "", dims});
    return all;
  }

  void function(size_t paren) {
    if (!paren || !identifier(paren - 1) ||
        is_one_of(text(paren - 1), {"if", "for", "while", "switch", "catch"}))
      return;
    size_t i = behind(paren);
    while (i < t_.size() && is_one_of(text(i), {"const", "noexcept", "override", "final"})) ++i;
    if (text(i) != "{") return;
    SourceNames::Function fn{file_, text(paren - 1), t_[paren - 1].line, {}};
    const size_t end = behind(paren) - 1;
    if (end - paren > 10 * most_tokens) return;
    int depth = 0;
    for (size_t from = paren + 1, k = from; k <= end && paren + 1 < end; ++k) {
      const std::string& s = text(k);
      if (k < end && is_one_of(s, {"(", "[", "{", "<"})) ++depth;
      if (k < end && is_one_of(s, {")", "]", "}", ">"})) --depth;
      if (k < end && (s != "," || depth > 0)) continue;
      size_t stop = from;
      while (stop < k && text(stop) != "=") ++stop;
      std::vector<SourceNames::Variable> one = declaration(from, stop);
      fn.params.push_back(one.size() == 1 ? std::move(one[0]) : SourceNames::Variable());
      // A parameter float row[32] is a pointer.
      SourceNames::Variable& p = fn.params.back();
      if (!p.extents.empty()) p.type += " *", p.extents.clear();
      from = k + 1;
    }
    out_.functions.push_back(std::move(fn));
  }

  void variables(size_t i) {
    if (i && (is_space_word(text(i - 1)))) return;
    size_t end = i;
    while (end < std::min(t_.size(), i + most_tokens) && text(end) != ";" && text(end) != ")")
      end = is_one_of(text(end), {"(", "[", "{"}) ? behind(end) : end + 1;
    if (text(end) != ";") return;
    for (size_t k = i; k < end; k = is_one_of(text(k), {"[", "{"}) ? behind(k) : k + 1)
      if (text(k) == "(" && text(k + 1) != "*" && text(k + 1) != "&") return;  // a function's
    for (SourceNames::Variable& v : declaration(i, end))
      if (!v.name.empty()) out_.arrays.push_back(std::move(v));
  }

  void structure(size_t i) {
    if (!identifier(i + 1) || text(i + 2) != "{") return;
    const size_t end = behind(i + 2) - 1;
    SourceNames::Structure s{text(i + 1), {}};
    for (size_t from = i + 3; from < end;) {
      size_t stop = from;
      bool code = false;
      while (stop < end && text(stop) != ";") {
        code |= text(stop) == "(" || text(stop) == "{";
        const bool body = text(stop) == "{";
        stop = is_one_of(text(stop), {"(", "[", "{"}) ? behind(stop) : stop + 1;
        if (body && text(stop) != ";" && text(stop) != ",") break;  // a function's body ends its declaration
      }
      const bool other =
          is_one_of(text(from), {"using", "typedef", "static", "template", "friend", "public", "private",
                                 "protected", "enum", "struct", "union", "virtual"});
      if (!code && !other) {
        std::vector<SourceNames::Variable> members = declaration(from, stop);
        if (members.empty() && stop > from) return;  // where the next ones are is not known
        for (SourceNames::Variable& v : members) s.members.push_back(std::move(v));
      } else if (is_one_of(text(from), {"struct", "union", "virtual", "public", "private", "protected"})) {
        return;
      }
      from = text(stop) == ";" ? stop + 1 : stop;
    }
    out_.structures.push_back(std::move(s));
  }

  const TokenFile& f_;
  const std::vector<Token>& t_;
  std::string file_;
  std::map<std::string, std::vector<Token>> macros_;
  int depth_ = 0, work_ = 0;
  std::vector<size_t> behind_;
  SourceNames out_;
};

}  // namespace

SourceNames read_source_names(std::string_view source, const std::string& file) {
  const TokenFile tokens = compile_detail::tokenize(source);
  return NameReader(tokens, file).run();
}

}  // namespace dojo
