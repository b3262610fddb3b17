#pragma once
// A TOML file that people write: courses, overrides, decks, the glossary. A key that is misspelt and a value
// of another type are refused, never dropped, with file and line.
#include <toml++/toml.h>
#include <algorithm>
#include <climits>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace dojo {

class TomlFile {
 public:
  /// Reads and parses it. Throws Error where it is not there or no TOML.
  explicit TomlFile(std::filesystem::path);
  /// Parses a text that was read from it.
  TomlFile(std::filesystem::path, const std::string& text);

  const toml::table& root() const { return root_; }

  /// Throws Error "FILE:LINE: WHAT"; without a line where `at` is null.
  [[noreturn]] void refuse(const toml::node* at, const std::string& what) const;
  /// Refuses every key but these.
  void only(const toml::table&, std::initializer_list<const char*> keys) const;
  /// The tables [[key]], in order.
  std::vector<const toml::table*> tables(const toml::table&, const char* key) const;
  /// Leaves `into` as it is where the key is not there. T: std::string, bool, int, double, or a list of
  /// texts.
  template <class T>
  void read(const toml::table& t, const char* key, T& into) const {
    const toml::node* n = t.get(key);
    if (!n) return;
    std::optional<T> v;
    const char* type = "a number";
    if constexpr (std::is_same_v<T, int>) {
      type = "a whole number";
      if (const auto whole = n->value_exact<int64_t>())
        v = int(std::clamp<int64_t>(*whole, INT_MIN, INT_MAX));
    } else if constexpr (std::is_same_v<T, double>) {
      if (n->is_number()) v = n->value<double>();
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      type = "a list of texts";
      v = texts(*n);
    } else {
      type = std::is_same_v<T, bool> ? "true or false" : "a text in quotes";
      v = n->value_exact<T>();
    }
    if (!v) refuse(n, std::string(key) + " is " + type);
    into = *v;
  }

 private:
  static std::optional<std::vector<std::string>> texts(const toml::node&);
  std::filesystem::path file_;
  toml::table root_;
};

}  // namespace dojo
