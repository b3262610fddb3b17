#include "run/verdict/roles.hpp"

#include <regex>
#include <vector>

#include "core/compile/tokens.hpp"

namespace dojo::run {
namespace {

using compile_detail::Token;
using compile_detail::TokenKind;
using Tokens = std::vector<Token>;

/// No digits: findings are compared without numbers.
std::string letter(int nth) { return std::string(size_t(nth / 26), 'Z') + char('A' + nth % 26); }

/// Index behind the bracket that closes the one at `i`; brackets of all kinds are counted.
size_t behind_bracket(const Tokens& t, size_t i) {
  int depth = 0;
  for (; i < t.size(); ++i) {
    if (t[i].is("(") || t[i].is("[") || t[i].is("{")) ++depth;
    if ((t[i].is(")") || t[i].is("]") || t[i].is("}")) && --depth == 0) return i + 1;
  }
  return i;
}

/// Calls `name(token)` for each declared name in [i, end): the last identifier before a comma, a size, an
/// initial value or the end. Template arguments are no names.
template <class Each>
void declared_names(const Tokens& t, size_t i, size_t end, Each each) {
  const Token* last = nullptr;
  int angles = 0;
  const auto done = [&] {
    if (last) each(*last);
    last = nullptr;
  };
  while (i < end) {
    const Token& k = t[i];
    if (k.is("<")) ++angles;
    if (k.is(">")) --angles;
    if (k.is(">>")) angles -= 2;
    if (angles > 0 || k.is(">") || k.is(">>")) {
      ++i;
      continue;
    }
    if (k.is("[") || k.is("(") || k.is("{")) {
      i = behind_bracket(t, i);
      continue;
    }
    if (k.is(",")) done();
    if (k.is("=")) {
      while (i < end && !t[i].is(",")) i = t[i].is("(") || t[i].is("{") ? behind_bracket(t, i) : i + 1;
      continue;
    }
    if (k.kind == TokenKind::identifier) last = &k;
    ++i;
  }
  done();
}

}  // namespace

Roles::Roles(std::string_view source) {
  const auto file = compile_detail::tokenize(source);
  const Tokens& t = file.tokens;
  std::string function;  // that the tokens at i belong to; empty: the file
  size_t function_end = 0;
  std::map<std::string, int> shared;
  for (size_t i = 0; i < t.size(); ++i) {
    if (i >= function_end) function.clear();
    if (t[i].is("__global__")) {
      size_t k = i + 1;
      while (k + 1 < t.size() && !(t[k].kind == TokenKind::identifier && t[k + 1].is("("))) ++k;
      // Attributes: __launch_bounds__(256), __cluster_dims__(4, 1, 1).
      while (k + 1 < t.size() && t[k].text.starts_with("__") && t[k].text.ends_with("__")) {
        k = behind_bracket(t, k + 1);
        while (k + 1 < t.size() && !(t[k].kind == TokenKind::identifier && t[k + 1].is("("))) ++k;
      }
      if (k + 1 >= t.size()) return;
      const size_t end = behind_bracket(t, k + 1);
      auto& names = of_function_[t[k].text];
      int nth = 0;
      declared_names(t, k + 2, end - 1,
                     [&](const Token& name) { names[name.text] = "the parameter " + letter(nth++); });
      if (end < t.size() && t[end].is("{")) function = t[k].text, function_end = behind_bracket(t, end);
      i = end - 1;
    } else if (t[i].is("__shared__")) {
      size_t end = i + 1;
      while (end < t.size() && !t[end].is(";")) end = t[end].is("{") ? behind_bracket(t, end) : end + 1;
      declared_names(t, i + 1, end, [&](const Token& name) {
        of_function_[function][name.text] = "the shared array " + letter(shared[function]++);
      });
      i = end;
    }
  }
}

const std::string* Roles::role_of(const std::string& kernel, const std::string& name) const {
  // Of a template, "k<16>": the source has it as k.
  for (const std::string& where : {kernel.substr(0, kernel.find('<')), std::string()})
    if (const auto f = of_function_.find(where); f != of_function_.end())
      if (const auto role = f->second.find(name); role != f->second.end()) return &role->second;
  return nullptr;
}

std::string Roles::in_words(const std::string& message, const std::string& kernel) const {
  static const std::regex named(R"(([A-Za-z_]\w*)(?=\[| has [0-9]))");
  std::string out;
  size_t at = 0;
  for (std::sregex_iterator m(message.begin(), message.end(), named), none; m != none; ++m) {
    const std::string* role = role_of(kernel, m->str(1));
    out += message.substr(at, size_t(m->position()) - at) + (role ? *role : m->str(1));
    at = size_t(m->position() + m->length());
  }
  return out + message.substr(at);
}

}  // namespace dojo::run
