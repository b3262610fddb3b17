#pragma once
// Values of JSON as reports hold them. A key that is missing or of another kind reads as nothing, except
// numbers: a number that is none throws.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace dojo {

using Json = nlohmann::ordered_json;

/// JSON has no NaN and no infinities: they are written as words.
inline Json json_number(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  // Whole counters print as integers, as those who read them expect.
  if (v == std::floor(v) && std::fabs(v) < 9.0e15) return int64_t(v);
  return v;
}

inline double as_number(const Json& j) {
  if (j.is_number()) return j.get<double>();
  if (j.is_string()) {
    const auto& s = j.get_ref<const std::string&>();
    if (s == "nan") return std::nan("");
    if (s == "inf") return std::numeric_limits<double>::infinity();
    if (s == "-inf") return -std::numeric_limits<double>::infinity();
  }
  if (j.is_null()) return std::nan("");
  throw Error("the report has a '" + std::string(j.type_name()) + "' where a number belongs");
}

inline double number_at(const Json& j, const char* key, double otherwise = 0) {
  auto it = j.find(key);
  return it == j.end() ? otherwise : as_number(*it);
}
inline int64_t integer_at(const Json& j, const char* key) {
  const double v = number_at(j, key);
  if (!(std::fabs(v) < 9.2e18)) return 0;
  auto it = j.find(key);
  return it != j.end() && it->is_number_integer() ? it->get<int64_t>() : int64_t(v);
}
inline std::string text_at(const Json& j, const char* key) {
  auto it = j.find(key);
  return it != j.end() && it->is_string() ? it->get<std::string>() : std::string();
}
inline bool flag_at(const Json& j, const char* key) {
  auto it = j.find(key);
  return it != j.end() && it->is_boolean() && it->get<bool>();
}
inline const Json& array_at(const Json& j, const char* key) {
  static const Json empty = Json::array();
  auto it = j.find(key);
  return it != j.end() && it->is_array() ? *it : empty;
}

}  // namespace dojo
