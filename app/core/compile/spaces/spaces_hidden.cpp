#include "core/compile/spaces/spaces_hidden.hpp"

#include <algorithm>

#include "core/compile/spaces/spaces_words.hpp"

namespace dojo::compile_detail {

HiddenNames::HiddenNames(const TokenFile& f, const Declarations& declared, uint64_t& work)
    : TokenScan(f, work), declared_(declared) {
  for (size_t i = 0; i < t_.size() && work_ < most_work; ++i) {
    const std::string& s = text(i);
    if (s == "enum")
      enumerators(i);
    else if ((s == "struct" || s == "class" || s == "union") && text(i - 1) != "enum" && text(i - 1) != "<" &&
             text(i - 1) != ",")  // no template parameter
      class_body(i);
    else if (s == "template")
      template_parameters(i);
    else if (s == "auto")
      bindings(i);
    else if (s == "[")
      captures(i);
  }
  // Bodies outside their class: "float T::f() const {".
  for (const FunctionRange& fn : declared.functions)
    if (fn.params >= 3 && text(fn.params - 2) == "::")
      if (const auto it = classes_.find(text(fn.params - 3)); it != classes_.end())
        add(it->second, {fn.begin, fn.end});
}

bool HiddenNames::hides(size_t i) const {
  const auto it = scopes_.find(text(i));
  return it != scopes_.end() && std::any_of(it->second.begin(), it->second.end(), [&](Scope s) {
           return ++work_ < most_work && s.begin <= i && i < s.end;
         });
}

void HiddenNames::add(const Names& names, Scope scope) {
  for (const std::string& name : names)
    if (declared_.variables.count(name)) scopes_[name].push_back(scope);
}

HiddenNames::Scope HiddenNames::rest_of_block(size_t i) const {
  int depth = 0;
  size_t end = i;
  for (; end < t_.size() && depth >= 0 && ++work_ < most_work; ++end)
    depth += int(text(end) == "{") - int(text(end) == "}");
  return {i, end};
}

/// Data members at depth 0 of a class body: "float a, b[4] = {};".
HiddenNames::Names HiddenNames::members(size_t open, size_t end) const {
  static const Names ends = {";", ",", "=", "{", "[", ":"};
  Names names;
  for (size_t i = open + 1; i + 1 < end && ++work_ < most_work; ++i) {
    if (text(i) == "(" || text(i) == "{" || text(i) == "[") i = close(i, end) - 1;
    if (!identifier(i) || !ends.count(text(i + 1)) || text(i + 2) == ":") continue;
    const std::string& before = text(i - 1);
    const bool named = identifier(i - 1) && !is_statement_word(before) && before != "struct" &&
                       before != "class" && before != "union" && before != "enum";
    if (named || before == "*" || before == "&" || before == ">" || before == ",") names.insert(text(i));
  }
  return names;
}

/// "struct D : public B {...": B's members are D's, too.
void HiddenNames::class_body(size_t i) {
  Names bases;
  size_t at = i + 1;
  for (; at < t_.size() && text(at) != "{" && ++work_ < most_work; ++at) {
    if (text(at) == ";" || text(at) == ")" || text(at) == "=") return;
    if (text(at) == "(") {  // alignas(16), or a function whose result is such a type
      const std::string& before = text(at - 1);
      if (before != "alignas" && before != "__align__" && before != "__attribute__" && before != "sizeof")
        return;
      at = close(at, t_.size()) - 1;
      continue;
    }
    if (identifier(at)) bases.insert(text(at));
  }
  const size_t end = close(at, t_.size());
  // Behind alignas(16) and "final", the name is the last identifier before the bases.
  size_t name = i + 1;
  while (name < at && (!identifier(name) || text(name + 1) == "(" || text(name) == "alignas"))
    name = text(name) == "(" ? close(name, at) : name + 1;
  Names all = members(at, end);
  for (const std::string& base : bases)
    if (const auto it = classes_.find(base); it != classes_.end())
      all.insert(it->second.begin(), it->second.end());
  add(all, {at, end});
  if (name < at) classes_[text(name)] = std::move(all);
}

/// Names in "template <class T, int n = 4>", for the declaration behind it.
void HiddenNames::template_parameters(size_t i) {
  if (text(i + 1) != "<") return;
  const size_t stop = close_angle(i + 1, t_.size());
  Names names;
  for (size_t k = i + 2; k < stop && ++work_ < most_work; ++k)
    if (identifier(k) && (text(k + 1) == "," || text(k + 1) == ">" || text(k + 1) == "=") &&
        text(k - 1) != "=")
      names.insert(text(k));
  size_t end = stop;
  while (end < t_.size() && text(end) != ";" && text(end) != "{" && ++work_ < most_work)
    end = text(end) == "(" ? close(end, t_.size()) : end + 1;
  if (text(end) == "{") end = close(end, t_.size());
  add(names, {i, end});
}

/// "auto [a, b] = ...".
void HiddenNames::bindings(size_t i) {
  size_t at = i + 1;
  while (text(at) == "&" || text(at) == "&&" || text(at) == "const") ++at;
  if (text(at) != "[") return;
  const size_t end = close(at, t_.size());
  Names names;
  for (size_t k = at + 1; k < end; ++k)
    if (identifier(k)) names.insert(text(k));
  add(names, rest_of_block(at));
}

/// "[n = 4, &x = y](...) {...}".
void HiddenNames::captures(size_t i) {
  const size_t shut = close(i, t_.size());
  Names names;
  for (size_t k = i + 1; k < shut; ++k)
    if (identifier(k) && text(k + 1) == "=" &&
        (text(k - 1) == "[" || text(k - 1) == "," || text(k - 1) == "&"))
      names.insert(text(k));
  if (names.empty()) return;
  size_t at = shut;
  while (at < t_.size() && text(at) != "{" && text(at) != ";" && ++work_ < most_work)
    at = text(at) == "(" ? close(at, t_.size()) : at + 1;
  if (text(at) == "{") add(names, {i, close(at, t_.size())});
}

/// "enum E : int { a, b = 2 };": those of an enum class need its name.
void HiddenNames::enumerators(size_t i) {
  if (text(i + 1) == "class" || text(i + 1) == "struct") return;
  size_t at = i + 1;
  while (at < t_.size() && text(at) != "{" && text(at) != ";" && text(at) != "(" && ++work_ < most_work) ++at;
  if (text(at) != "{") return;
  const size_t end = close(at, t_.size());
  Names names;
  for (size_t k = at + 1; k < end; ++k)
    if (identifier(k) && (text(k - 1) == "{" || text(k - 1) == ",")) names.insert(text(k));
  add(names, rest_of_block(at));
}

}  // namespace dojo::compile_detail
