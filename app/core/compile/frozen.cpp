#include "core/compile/frozen.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace dojo::compile_detail {
namespace {

constexpr std::string_view moving[] = {"__DATE__", "__TIME__"};

/// Can `##` join a file's identifiers to `name`, from `at` on? `__TI ## ME__`, `_ ## _ ## TIME ## __`.
bool joins_to(std::string_view name, const std::set<std::string_view>& words, size_t at = 0) {
  if (at == name.size()) return true;
  for (size_t n = 1; n <= name.size() - at; ++n)
    if (n < name.size() && words.count(name.substr(at, n)) && joins_to(name, words, at + n)) return true;
  return false;
}

}  // namespace

JoinedName freeze_date_and_time(std::string& source, const TokenFile& file) {
  JoinedName joined;
  std::vector<const Token*> words;
  const auto look = [&](const Token& t) {
    if (t.kind != TokenKind::identifier) return;
    if (std::find(std::begin(moving), std::end(moving), t.text) != std::end(moving))
      source[t.begin] = 'd';
    else
      words.push_back(&t);
  };
  const bool joins = source.find("##") != std::string::npos || source.find("%:") != std::string::npos;
  for (const Token& t : file.tokens) look(t);
  for (const Directive& d : file.directives)
    for (const Token& t : d.tokens) look(t);
  if (!joins) return joined;
  std::set<std::string_view> texts;
  for (const Token* t : words) texts.insert(t->text);
  for (std::string_view name : moving) {
    if (!joins_to(name, texts)) continue;
    for (const Token* t : words)
      if (joined.text.empty() && name.starts_with(t->text)) joined = {t->text, t->line, t->column};
  }
  return joined;
}

}  // namespace dojo::compile_detail
