#pragma once
// What is wrong with a JSON text, in our words (error_words.hpp says why). Apart, because few files need the
// library.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace dojo {

/// Why a JSON text could not be used: the line of a syntax error, else that fields are missing or wrong.
inline std::string json_words(const nlohmann::json::exception& e, const std::string& text) {
  const auto* syntax = dynamic_cast<const nlohmann::json::parse_error*>(&e);
  if (!syntax) return "a field is missing or has the wrong type";
  const size_t end = std::min(syntax->byte, text.size());
  if (end >= text.size()) return "the JSON text ends too early";
  const auto line = 1 + std::count(text.begin(), text.begin() + long(end), '\n');
  return "line " + std::to_string(line) + " is not valid JSON";
}

}  // namespace dojo
