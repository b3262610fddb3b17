#include "core/gates/gate_parse.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "core/error.hpp"

namespace dojo::gates {

void fail(const std::string& expr, size_t at, const std::string& what) {
  throw Error("gate '" + expr + "': " + what + " at character " + std::to_string(at + 1));
}

namespace {

/// Added to what is wrong where a bracket follows a factor.
constexpr const char* product = "; a product is written with '*'";

/// "simt:t4" or "simt:t4|simt:v100".
bool take_devices(const std::string& text, std::vector<std::string>& to) {
  for (size_t from = 0; from <= text.size();) {
    const size_t end = std::min(text.find('|', from), text.size());
    to.push_back(text.substr(from, end - from));
    if (!to.back().starts_with("simt:")) return false;
    from = end + 1;
  }
  return true;
}

/// Recursive descent over `EXPR [OP EXPR]`.
class Parser {
 public:
  explicit Parser(const std::string& s) : s_(s) {}

  Place place() {
    Place p;
    if (!take("(")) return p;
    const size_t start = at_, close = s_.find(')', at_);
    if (close == std::string::npos) fail(s_, at_, "expected ')'");
    for (size_t from = start; from < close;) {
      const size_t end = std::min(s_.find(',', from), close);
      std::string part = s_.substr(from, end - from);
      std::erase_if(part, [](char c) { return std::isspace((unsigned char)c); });
      const size_t equal = part.find('=');
      Range values;
      const bool names_devices = equal == std::string::npos;
      if (!(names_devices ? take_devices(part, p.devices)
                          : equal > 0 && parse_range(part.substr(equal + 1), values)))
        fail(s_, from,
             std::string("expected EXTENT=NUMBER, EXTENT=FIRST..LAST/STEP or simt:DEVICE|simt:DEVICE") +
                 product);
      if (!names_devices) p.size[part.substr(0, equal)] = values;
      from = end + 1;
    }
    if (!p.given()) fail(s_, start, "a place needs an extent or a device");
    at_ = close + 1;
    return p;
  }

  Gate gate() {
    Gate g;
    g.left = sum();
    for (const char* op : {"==", "<=", ">=", "<", ">"})
      if (take(op)) {
        g.op = op;
        break;
      }
    if (g.op.empty())
      fail(s_, at_,
           std::string("expected ==, <=, >=, < or >") + (at_ < s_.size() && s_[at_] == '(' ? product : ""));
    g.right = sum();
    g.place = place();
    end();
    return g;
  }

  NodePtr expression() {
    NodePtr n = sum();
    end();
    return n;
  }

 private:
  void blank() {
    while (at_ < s_.size() && std::isspace((unsigned char)s_[at_])) ++at_;
  }
  bool take(std::string_view word) {
    blank();
    if (s_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }
  void expect(const char* word) {
    if (!take(word)) fail(s_, at_, std::string("expected '") + word + "'");
  }
  void end() {
    blank();
    if (at_ >= s_.size()) return;
    fail(s_, at_, "unexpected '" + s_.substr(at_, 10) + "'" + (s_[at_] == '(' ? product : ""));
  }
  NodePtr make(Node::Kind k) const {
    auto n = std::make_unique<Node>();
    n->kind = k;
    n->at = at_;
    return n;
  }
  NodePtr binary(Node::Kind k, NodePtr a, NodePtr b) const {
    auto n = make(k);
    n->items.push_back(std::move(a));
    n->items.push_back(std::move(b));
    return n;
  }

  NodePtr sum() {
    NodePtr n = factors();
    for (;;) {
      if (take("+"))
        n = binary(Node::add, std::move(n), factors());
      else if (take("-"))
        n = binary(Node::subtract, std::move(n), factors());
      else
        return n;
    }
  }
  NodePtr factors() {
    NodePtr n = unary();
    for (;;) {
      if (take("*"))
        n = binary(Node::multiply, std::move(n), unary());
      else if (take("/"))
        n = binary(Node::divide, std::move(n), unary());
      else
        return n;
    }
  }
  NodePtr unary() {
    // Each level of nesting is a level of recursion: refuse what no author writes.
    if (++depth_ > 200) fail(s_, at_, "nested too deeply");
    NodePtr n;
    if (take("-")) {
      n = make(Node::negate);
      n->items.push_back(unary());
    } else {
      n = primary();
    }
    --depth_;
    return n;
  }
  NodePtr primary() {
    if (take("(")) {
      NodePtr n = sum();
      expect(")");
      return n;
    }
    blank();
    if (at_ >= s_.size()) fail(s_, at_, "the expression ends too early");
    if (std::isdigit((unsigned char)s_[at_]) || s_[at_] == '.') return literal();
    if (std::isalpha((unsigned char)s_[at_]) || s_[at_] == '_') return word();
    fail(s_, at_, "expected a number or a name");
  }
  NodePtr literal() {
    NodePtr n = make(Node::number);
    size_t used = 0;
    try {
      n->value = std::stod(s_.substr(at_), &used);
    } catch (const std::exception&) {
      fail(s_, at_, "this is no number");
    }
    at_ += used;
    return n;
  }
  /// What some launches have: a counter, a name of the run, or ptx(OPCODE).
  NodePtr of_launches(const char* what) {
    NodePtr inner = word();
    if (inner->kind != Node::name && inner->kind != Node::ptx)
      fail(s_, inner->at, std::string(what) + " takes a counter's name, or ptx(OPCODE)");
    return inner;
  }
  NodePtr word() {
    NodePtr n = make(Node::name);
    const size_t start = at_;
    // Nsight's names have dots (".sum"): they belong to the name when it has "__".
    while (at_ < s_.size() &&
           (std::isalnum((unsigned char)s_[at_]) || s_[at_] == '_' ||
            (s_[at_] == '.' && s_.substr(start, at_ - start).find("__") != std::string::npos)))
      ++at_;
    n->text = s_.substr(start, at_ - start);
    if (n->text == "worked" && take(".")) {
      n->kind = Node::worked;
      n->items.push_back(of_launches("worked."));
      return n;
    }
    static const std::map<std::string, Node::Kind> named = {{"reference", Node::reference},
                                                            {"kernel", Node::kernel},
                                                            {"calls", Node::calls},
                                                            {"ptx", Node::ptx},
                                                            {"source", Node::source}};
    static const std::map<std::string, std::pair<size_t, size_t>> arity = {
        {"min", {1, 99}},  {"max", {1, 99}}, {"ceil", {1, 1}},
        {"floor", {1, 1}}, {"pow2", {1, 1}}, {"abs", {1, 1}}};
    // "2 * d (cols=64)": after a blank, the bracket is the gate's place, unless the word is a function's.
    const bool function = named.contains(n->text) || arity.contains(n->text);
    if (!function && (at_ >= s_.size() || s_[at_] != '(')) return n;
    if (!take("(")) return n;
    if (auto it = named.find(n->text); it != named.end()) {
      const size_t close = s_.find(')', at_);
      if (close == std::string::npos) fail(s_, at_, "expected ')'");
      std::string inside = s_.substr(at_, close - at_);
      std::erase_if(inside, [](char c) { return c == '"' || c == '\'' || std::isspace((unsigned char)c); });
      if (inside.empty()) fail(s_, at_, n->text + "() needs a name");
      at_ = close + 1;
      n->kind = it->second;
      n->text = inside;
      if (n->kind == Node::kernel) {
        expect(".");
        n->items.push_back(of_launches("kernel(NAME)."));
      }
      return n;
    }
    auto it = arity.find(n->text);
    if (it == arity.end()) fail(s_, start, "unknown function '" + n->text + "'" + product);
    n->kind = Node::call;
    do n->items.push_back(sum());
    while (take(","));
    expect(")");
    if (n->items.size() < it->second.first || n->items.size() > it->second.second)
      fail(s_, start, "'" + n->text + "' takes another number of arguments");
    return n;
  }

  const std::string& s_;
  size_t at_ = 0;
  int depth_ = 0;
};

void collect(const Node& n, Node::Kind kind, std::vector<std::string>& to) {
  if (n.kind == kind) to.push_back(n.text);
  for (const NodePtr& i : n.items) collect(*i, kind, to);
}

/// Names that make an expression larger when they grow (`larger`), or smaller.
void collect_growing(const Node& n, bool larger, std::vector<std::string>& to) {
  if (n.kind == Node::name && larger) to.push_back(n.text);
  const bool flips = n.kind == Node::subtract || n.kind == Node::divide;
  if (n.kind == Node::kernel || n.kind == Node::worked || n.kind == Node::reference) return;
  for (size_t i = 0; i < n.items.size(); ++i)
    collect_growing(*n.items[i], larger != (n.kind == Node::negate || (flips && i == 1)), to);
}

}  // namespace

std::vector<std::string> named(const std::string& gate, Node::Kind kind) {
  const Gate g = parse_gate(gate);
  std::vector<std::string> names;
  collect(*g.left, kind, names);
  collect(*g.right, kind, names);
  return names;
}

bool names(const std::string& gate, Node::Kind kind, const std::string& name) {
  const std::vector<std::string> all = named(gate, kind);
  return std::find(all.begin(), all.end(), name) != all.end();
}

std::vector<std::string> bounded_above(const std::string& gate) {
  const Gate g = parse_gate(gate);
  std::vector<std::string> names;
  if (g.op != ">=" && g.op != ">") collect_growing(*g.left, true, names);
  if (g.op != "<=" && g.op != "<") collect_growing(*g.right, true, names);
  if (g.op == "<=" || g.op == "<") collect_growing(*g.right, false, names);
  if (g.op == ">=" || g.op == ">") collect_growing(*g.left, false, names);
  return names;
}

Gate parse_gate(const std::string& expr) { return Parser(expr).gate(); }
NodePtr parse_expression(const std::string& expr) { return Parser(expr).expression(); }

}  // namespace dojo::gates
