#include "core/compile/frozen.hpp"

#include <algorithm>

namespace dojo::compile_detail {
namespace {

constexpr std::string_view moving[] = {"__DATE__", "__TIME__"};

/// `__TI ## ME__` begins with a token that begins one of the names: "_", "__", "__TI".
bool begins_moving(std::string_view word) {
  return std::any_of(std::begin(moving), std::end(moving), [&](std::string_view name) {
    return word.size() < name.size() && name.substr(0, word.size()) == word;
  });
}

}  // namespace

JoinedName freeze_date_and_time(std::string& source, const TokenFile& file) {
  const bool joins = source.find("##") != std::string::npos || source.find("%:") != std::string::npos;
  JoinedName joined;
  const auto look = [&](const Token& t) {
    if (t.kind != TokenKind::identifier) return;
    if (std::find(std::begin(moving), std::end(moving), t.text) != std::end(moving))
      source[t.begin] = 'd';
    else if (joins && joined.text.empty() && begins_moving(t.text))
      joined = {t.text, t.line, t.column};
  };
  for (const Token& t : file.tokens) look(t);
  for (const Directive& d : file.directives)
    for (const Token& t : d.tokens) look(t);
  return joined;
}

}  // namespace dojo::compile_detail
