#include "core/compile/own/late_statics.hpp"

#include <algorithm>
#include <optional>

#include "core/compile/own/scopes.hpp"

namespace dojo::compile_detail {
namespace {

/// The braces that are open at token `at`, from the outermost one.
std::vector<size_t> open_braces(const Tokens& t, size_t at) {
  std::vector<size_t> open;
  for (size_t i = 0; i < at; ++i) {
    if (t[i].is("{")) open.push_back(i);
    if (t[i].is("}") && !open.empty()) open.pop_back();
  }
  return open;
}

/// Is a token in a function that runs on the host alone?
bool in_host_function(const std::string& source, const TokenFile& file, size_t at) {
  bool function = false;
  for (const size_t brace : open_braces(file.tokens, at)) {
    const FunctionHead head = function_head(file.tokens, brace);
    if (head.found && on_device(source, file.tokens, head, brace, file.macros)) return false;
    function |= head.found;
  }
  return function;
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// What takes the place of the declaration whose `static` is token `first`; nothing if it stays.
std::optional<SourceEdit> once(const std::string& source, const Tokens& t, size_t first) {
  size_t name = t.size(), last = t.size();
  int angles = 0;
  for (size_t i = first + 1, depth = 0; i < t.size(); ++i) {
    if (any_of_words(t[i], {"(", "{", "["}) || t[i].is("=")) {
      if (name == t.size() && angles == 0) name = i - 1;
    }
    if (name == t.size()) angles += t[i].is("<") ? 1 : t[i].is(">") ? -1 : t[i].is(">>") ? -2 : 0;
    if (any_of_words(t[i], {"(", "{", "["})) ++depth;
    if (any_of_words(t[i], {")", "}", "]"}) && depth-- == 0) return {};
    if (depth) continue;
    if (t[i].is(",") && angles == 0) return {};
    if (t[i].is(";")) {
      last = i;
      break;
    }
  }
  if (last == t.size() || name >= last || name < first + 2 || t[name].kind != TokenKind::identifier)
    return {};
  if (t[name - 1].is("&") || t[name - 1].is("&&") || t[name + 1].is("[")) return {};
  const std::string type = on_one_line(source.substr(t[first + 1].begin, t[name].begin - t[first + 1].begin));
  if (type.find("thread_local") != type.npos || type.find("static") != type.npos) return {};
  const bool assigned = t[name + 1].is("=");
  const size_t from = assigned ? t[name + 1].end : t[name + 1].begin;
  std::string value = source.substr(from, t[last].begin - from);
  if (value.find("//") != value.npos) return {};
  if (assigned && !t[name + 2].is("{")) value = "(" + value + ")";
  // `new auto` deduces the type.
  const std::string made = "new " + type + " " + value;
  const bool deduced = type.find("auto") != type.npos;
  const std::string pointer = deduced ? "decltype(" + on_one_line(made) + ")" : type + "*";
  const std::string kept = "__dojo_" + t[name].text;
  std::string text = "static " + pointer + " " + kept + " = nullptr; if (!" + kept + ") " + kept + " = " +
                     made + "; auto& " + t[name].text + " = *" + kept + ";";
  const auto lines = [](std::string_view s) { return std::count(s.begin(), s.end(), '\n'); };
  const auto before = lines(std::string_view(source).substr(t[first].begin, t[last].end - t[first].begin));
  text.append(size_t(std::max<std::ptrdiff_t>(0, before - lines(text))), '\n');
  return SourceEdit{t[first].begin, t[last].end, std::move(text)};
}

}  // namespace

LateStatics with_late_statics(const std::string& source, const TokenFile& file, const std::set<int>& lines) {
  LateStatics out{source, lines};
  std::vector<SourceEdit> edits;
  const Tokens& t = file.tokens;
  for (size_t i = 0; i < t.size(); ++i) {
    if (!t[i].is("static")) continue;
    size_t end = i;
    while (end + 1 < t.size() && !t[end].is(";")) ++end;
    const auto asked = lines.lower_bound(t[i].line);
    if (asked == lines.end() || *asked > t[end].line || !in_host_function(source, file, i)) continue;
    std::optional<SourceEdit> edit = once(source, t, i);
    if (!edit) continue;
    out.left.erase(out.left.lower_bound(t[i].line), out.left.upper_bound(t[end].line));
    edits.push_back(std::move(*edit));
  }
  if (!edits.empty()) out.source = edited(source, std::move(edits));
  return out;
}

}  // namespace dojo::compile_detail
