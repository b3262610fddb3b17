#pragma once
// Times in course.toml and in its overrides file.
#include <toml++/toml.h>
#include <optional>
#include <sstream>
#include <string>

namespace dojo::grade {

/// The text of a time: one in quotes, or one of TOML's own. Nothing for a value of another type.
inline std::optional<std::string> time_text(const toml::node& n) {
  std::ostringstream text;
  if (const auto s = n.value_exact<std::string>())
    text << *s;
  else if (const auto at = n.value_exact<toml::date_time>())
    text << *at;
  else if (const auto day = n.value_exact<toml::date>())
    text << *day;
  else
    return {};
  return text.str();
}

}  // namespace dojo::grade
