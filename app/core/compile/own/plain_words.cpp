#include "core/compile/own/plain_words.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/compile/own/scopes.hpp"

namespace dojo::compile_detail {
namespace {

constexpr long longest_range = 1024, most_labels = 1 << 16, largest = 1 << 30;

/// The value of an integer or of a character without escape; `at` moves behind it.
std::optional<long> literal(const Tokens& t, size_t* at) {
  size_t i = *at;
  const bool negative = i < t.size() && t[i].is("-");
  i += negative;
  if (i >= t.size()) return {};
  const std::string& text = t[i].text;
  long value = 0;
  if (text.size() == 3 && text.front() == '\'' && text.back() == '\'') {
    value = text[1];
  } else {
    char* end = nullptr;
    value = std::strtol(text.c_str(), &end, 0);
    if (end == text.c_str() || *end || value < -largest || value > largest) return {};
  }
  *at = i + 1;
  return negative ? -value : value;
}

/// Of `case` at token k, if a range follows that ends in ':'. `labels_left` goes down by its length.
std::optional<SourceEdit> range_of_cases(const Tokens& t, size_t k, long* labels_left) {
  size_t at = k + 1;
  const std::optional<long> first = literal(t, &at);
  if (!first) return {};
  // The three points are one token or three.
  size_t points = 0;
  while (at < t.size() && t[at].text.find_first_not_of('.') == std::string::npos)
    points += t[at++].text.size();
  const std::optional<long> last = points == 3 ? literal(t, &at) : std::nullopt;
  if (!last || at >= t.size() || !t[at].is(":") || *last < *first ||
      *last - *first >= std::min(longest_range, *labels_left))
    return {};
  *labels_left -= *last - *first + 1;
  std::string labels;
  for (long v = *first; v <= *last; ++v) labels += "case " + std::to_string(v) + (v < *last ? ": " : "");
  return SourceEdit{t[k].begin, t[at].begin, std::move(labels)};
}

bool begins_type(const Token& t) {
  return any_of_words(t, {"int", "float", "double", "char", "bool", "unsigned", "signed", "long", "short",
                          "const", "void", "struct"});
}

}  // namespace

std::string in_plain_words(const std::string& source, const TokenFile& file) {
  const Tokens& t = file.tokens;
  std::vector<SourceEdit> edits;
  long labels_left = most_labels;
  for (size_t k = 0; k + 3 < t.size(); ++k) {
    if (t[k].is("case")) {
      if (auto edit = range_of_cases(t, k, &labels_left)) edits.push_back(std::move(*edit));
    } else if (any_of_words(t[k], {"__typeof__", "__typeof"}) && t[k + 1].is("(")) {
      const size_t close = closing(t, k + 1);
      if (close == t.size()) continue;
      const bool type = begins_type(t[k + 2]);
      edits.push_back({t[k].begin, t[k + 1].end, type ? "__dojo_type_of_t<" : "__dojo_type_of_t<decltype("});
      edits.push_back({t[close].begin, t[close].end, type ? ">" : ")>"});
    }
  }
  return edits.empty() ? std::string() : edited(source, std::move(edits));
}

}  // namespace dojo::compile_detail
