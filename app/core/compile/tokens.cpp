#include "core/compile/tokens.hpp"

#include <cctype>
#include <optional>

namespace dojo::compile_detail {
namespace {

bool ident_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80);
}
bool ident_char(char c) { return ident_start(c) || std::isdigit(static_cast<unsigned char>(c)); }

/// Reads characters with line splices removed, keeping offset, line and column.
class Reader {
 public:
  explicit Reader(std::string_view s) : s_(s) { skip_splices(); }
  bool done() const { return i_ >= s_.size(); }
  char peek() const { return done() ? '\0' : s_[i_]; }
  char peek_next() const {
    Reader r = *this;
    r.next();
    return r.peek();
  }
  void next() {
    if (done()) return;
    step();
    skip_splices();
  }
  /// Next character as written (raw strings).
  void next_raw() {
    if (!done()) step();
  }
  size_t offset() const { return i_; }
  int line() const { return line_; }
  int column() const { return int(i_ - line_start_) + 1; }
  /// Where a token that was read up to here ends: before any splice just skipped.
  size_t end() const { return end_; }

 private:
  void step() {
    if (s_[i_] == '\n') {
      ++line_;
      line_start_ = i_ + 1;
    }
    ++i_;
    end_ = i_;
  }
  void skip_splices() {
    while (i_ < s_.size() && s_[i_] == '\\') {
      size_t j = i_ + 1;
      while (j < s_.size() && (s_[j] == ' ' || s_[j] == '\t' || s_[j] == '\r')) ++j;
      if (j >= s_.size() || s_[j] != '\n') return;
      i_ = j + 1;
      ++line_;
      line_start_ = i_;
    }
  }
  std::string_view s_;
  size_t i_ = 0, end_ = 0, line_start_ = 0;
  int line_ = 1;
};

struct Lexer {
  Reader r;
  std::string_view src;
  bool at_line_start = true;

  explicit Lexer(std::string_view s) : r(s), src(s) {}

  /// Skips blanks and comments; stops at a newline when `in_directive`.
  void skip_blank(bool in_directive) {
    while (!r.done()) {
      const char c = r.peek();
      if (c == '\n') {
        if (in_directive) return;
        at_line_start = true;
        r.next();
      } else if (std::isspace(static_cast<unsigned char>(c))) {
        r.next();
      } else if (c == '/' && r.peek_next() == '/') {
        while (!r.done() && r.peek() != '\n') r.next();
      } else if (c == '/' && r.peek_next() == '*') {
        r.next(), r.next();
        while (!r.done() && !(r.peek() == '*' && r.peek_next() == '/')) r.next();
        r.next(), r.next();
      } else {
        return;
      }
    }
  }

  Token read(bool header_name) {
    Token t;
    t.begin = r.offset();
    t.line = r.line();
    t.column = r.column();
    const char c = r.peek();
    auto take = [&] {
      t.text += r.peek();
      r.next();
    };
    if (header_name && c == '<') {
      t.kind = TokenKind::string;
      while (!r.done() && r.peek() != '\n' && r.peek() != '>') take();
      if (r.peek() == '>') take();
    } else if (ident_start(c)) {
      t.kind = TokenKind::identifier;
      while (!r.done() && ident_char(r.peek())) take();
      const bool prefix =
          t.text == "R" || t.text == "LR" || t.text == "uR" || t.text == "UR" || t.text == "u8R";
      if (prefix && r.peek() == '"') {
        raw_string(t);
      } else if ((t.text == "L" || t.text == "u" || t.text == "U" || t.text == "u8") &&
                 (r.peek() == '"' || r.peek() == '\'')) {
        quoted(t);
      }
    } else if (std::isdigit(static_cast<unsigned char>(c)) ||
               (c == '.' && std::isdigit(static_cast<unsigned char>(r.peek_next())))) {
      t.kind = TokenKind::number;
      while (!r.done()) {
        const char d = r.peek();
        if (ident_char(d) || d == '.') {
          take();
          if ((d == 'e' || d == 'E' || d == 'p' || d == 'P') && (r.peek() == '+' || r.peek() == '-')) take();
        } else if (d == '\'' && ident_char(r.peek_next())) {
          take();
        } else {
          break;
        }
      }
    } else if (c == '"' || c == '\'') {
      quoted(t);
    } else {
      static const char* const longest[] = {"<<<", ">>>", "<<=", "...", "->*", "%:%:", "::", "->",
                                            "++",  "--",  "<<",  "<=",  ">=",  "==",   "!=", "&&",
                                            "||",  "+=",  "-=",  "*=",  "/=",  "%=",   "&=", "|=",
                                            "^=",  "##",  "%:",  "<:",  ":>",  "<%",   "%>"};
      // ">>" stays two tokens, so that template lists close; ">>>" only matters after a launch's "<<<".
      std::string seen;
      Reader probe = r;
      for (int i = 0; i < 4 && !probe.done(); ++i) {
        seen += probe.peek();
        probe.next();
      }
      take();
      for (const char* p : longest) {
        const std::string_view w = p;
        if (std::string_view(seen).substr(0, w.size()) == w) {
          while (t.text.size() < w.size()) take();
          break;
        }
      }
      if (t.text == "<:") t.text = "[";
      if (t.text == ":>") t.text = "]";
      if (t.text == "<%") t.text = "{";
      if (t.text == "%>") t.text = "}";
      if (t.text == "%:") t.text = "#";
    }
    t.end = r.end();
    at_line_start = false;
    return t;
  }

  void quoted(Token& t) {
    const char quote = r.peek();
    t.kind = quote == '"' ? TokenKind::string : TokenKind::character;
    t.text += quote;
    r.next();
    while (!r.done() && r.peek() != '\n' && r.peek() != quote) {
      if (r.peek() == '\\') {
        t.text += r.peek();
        r.next();
        if (r.done() || r.peek() == '\n') break;
      }
      t.text += r.peek();
      r.next();
    }
    if (r.peek() == quote) {
      t.text += quote;
      r.next();
    }
  }

  void raw_string(Token& t) {
    t.kind = TokenKind::string;
    t.text += '"';
    r.next_raw();
    std::string delimiter;
    while (!r.done() && r.peek() != '(' && r.peek() != '\n' && delimiter.size() < 17) {
      delimiter += r.peek();
      r.next_raw();
    }
    const std::string close = ")" + delimiter + "\"";
    const size_t at = src.find(close, r.offset());
    const size_t stop = at == std::string_view::npos ? src.size() : at + close.size();
    while (r.offset() < stop) {
      t.text += r.peek();
      r.next_raw();
    }
  }
};

/// Conditional regions. A condition that can't be decided leaves both sides active.
class Conditions {
 public:
  explicit Conditions(std::map<std::string, Macro>& macros) : macros_(macros) {
    for (const char* n :
         {"__CUDA_ARCH__", "__NVCC__", "__cplusplus", "__GNUC__", "__linux__", "__CUDACC_VER_MAJOR__"})
      unknown_.insert({n, true});
  }
  bool active() const {
    for (const Level& l : levels_)
      if (!l.now) return false;
    return true;
  }
  void handle(const Directive& d) {
    if (d.name == "ifdef" || d.name == "ifndef") {
      auto v = d.tokens.empty() ? std::nullopt : defined(d.tokens[0].text);
      if (v && d.name == "ifndef") v = !*v;
      push(v);
    } else if (d.name == "if") {
      push(evaluate(d.tokens));
    } else if (d.name == "elif" && !levels_.empty()) {
      flip(evaluate(d.tokens));
    } else if (d.name == "else" && !levels_.empty()) {
      flip(true);
    } else if (d.name == "endif" && !levels_.empty()) {
      levels_.pop_back();
    } else if (d.name == "undef" && !d.tokens.empty()) {
      unknown_.insert({d.tokens[0].text, true});
    }
  }

 private:
  struct Level {
    bool now;      // this part may be active
    bool settled;  // an earlier part surely was
  };
  void push(std::optional<bool> v) { levels_.push_back({v.value_or(true), v.value_or(false)}); }
  void flip(std::optional<bool> v) {
    Level& l = levels_.back();
    l.now = !l.settled && v.value_or(true);
    if (v && *v) l.settled = true;
  }
  std::optional<bool> defined(const std::string& name) const {
    if (macros_.count(name)) return true;
    if (name == "__CUDACC__" && !unknown_.count(name)) return true;
    return std::nullopt;  // a header may define it
  }
  std::optional<bool> evaluate(const std::vector<Token>& t) const {
    if (t.size() == 1 && t[0].kind == TokenKind::number) return t[0].text != "0";
    if (t.size() == 1 && t[0].kind == TokenKind::identifier) {
      auto m = macros_.find(t[0].text);
      if (m != macros_.end() && !m->second.function_like && m->second.body.size() == 1 &&
          m->second.body[0].kind == TokenKind::number)
        return m->second.body[0].text != "0";
    }
    return std::nullopt;
  }
  std::map<std::string, Macro>& macros_;
  std::map<std::string, bool> unknown_;
  std::vector<Level> levels_;
};

}  // namespace

TokenFile tokenize(std::string_view source) {
  TokenFile out;
  Lexer lex(source);
  Conditions conditions(out.macros);
  for (size_t at : {source.find("?\?="), source.find("?\?/")})
    if (at != std::string_view::npos && !out.trigraph_line) {
      out.trigraph_line = 1;
      for (size_t i = 0; i < at; ++i) out.trigraph_line += source[i] == '\n';
    }
  for (;;) {
    lex.skip_blank(false);
    if (lex.r.done()) break;
    const bool start = lex.at_line_start;
    Token t = lex.read(false);
    if (!(start && t.is("#"))) {
      if (conditions.active()) out.tokens.push_back(std::move(t));
      continue;
    }
    Directive d;
    d.begin = t.begin;
    d.line = t.line;
    while (lex.skip_blank(true), !lex.r.done() && lex.r.peek() != '\n') {
      const bool header = d.name == "include" || d.name == "include_next" || d.name == "import" ||
                          d.name == "embed" ||
                          (d.tokens.size() >= 2 && d.tokens.back().is("(") &&
                           d.tokens[d.tokens.size() - 2].text.rfind("__has_", 0) == 0);
      Token a = lex.read(header);
      if (d.name.empty() && a.kind == TokenKind::identifier)
        d.name = a.text;
      else
        d.tokens.push_back(std::move(a));
    }
    d.end = lex.r.offset();
    lex.at_line_start = true;
    conditions.handle(d);
    d.active = conditions.active();
    if (d.name == "define" && d.active && !d.tokens.empty()) {
      Macro m;
      size_t body = 1;
      if (d.tokens.size() > 1 && d.tokens[1].is("(") && d.tokens[1].begin == d.tokens[0].end) {
        m.function_like = true;
        while (body < d.tokens.size() && !d.tokens[body].is(")")) ++body;
        ++body;
      }
      for (; body < d.tokens.size(); ++body) m.body.push_back(d.tokens[body]);
      // Of two branches of an #if the one that says something counts: DEV as __device__, or as nothing.
      Macro& known = out.macros[d.tokens[0].text];
      if (!m.body.empty() || known.body.empty()) known = std::move(m);
    }
    out.directives.push_back(std::move(d));
  }
  return out;
}

void blank_out(std::string& source, size_t from, size_t to) {
  for (size_t i = from; i < to && i < source.size(); ++i)
    if (source[i] != '\n' && source[i] != '\r') source[i] = ' ';
}

}  // namespace dojo::compile_detail
