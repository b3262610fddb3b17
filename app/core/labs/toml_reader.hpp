#pragma once
// Reads the tables of a lab.toml, key by key: a value of the wrong shape and an unknown key are told with
// their line. One function take() per shape of value.
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "core/types.hpp"

namespace dojo::lab_toml {

/// What is wrong in a lab.toml, and where.
struct Broken {
  int line, column;
  std::string what;
};

[[noreturn]] inline void broken(const toml::node* n, std::string what) {
  const auto at = n ? n->source().begin : toml::source_position{1, 1};
  throw Broken{int(at.line), int(at.column), std::move(what)};
}

/// A table whose keys are checked off as they are read, so that a misspelt one is noticed.
class Reader {
 public:
  explicit Reader(const toml::table& t, std::string where) : t_(t), where_(std::move(where)) {}

  const toml::node* get(const char* key) {
    known_.insert(key);
    return t_.get(key);
  }
  const toml::node* need(const char* key) {
    const toml::node* n = get(key);
    if (!n) broken(&t_, where_ + " needs '" + key + "'");
    return n;
  }
  template <class T>
  void read(const char* key, T& out) {
    if (const toml::node* n = get(key)) take(key, *n, out);
  }
  template <class T>
  void demand(const char* key, T& out) {
    take(key, *need(key), out);
  }
  void finish() const {
    for (const auto& [k, v] : t_)
      if (!known_.count(std::string(k.str())))
        broken(&v, where_ + " has an unknown key '" + std::string(k.str()) + "'");
  }

 private:
  [[noreturn]] static void wrong(const char* key, const toml::node& n, const char* must) {
    broken(&n, std::string("'") + key + "' must " + must);
  }
  /// The value of a key, of a list or of a table. `must` says what it has to be, for the message where it is
  /// not. A whole number is a number, too.
  template <class T>
  static T value(const char* key, const toml::node& n, const char* must) {
    const bool fits = std::is_same_v<T, double> ? n.is_number() : n.is<T>();
    if (!fits) wrong(key, n, must);
    return *n.value<T>();
  }
  template <class T>
  static void take_list(const char* key, const toml::node& n, const char* must, std::vector<T>& out) {
    if (!n.is_array()) wrong(key, n, must);
    out.clear();
    for (const auto& x : *n.as_array()) out.push_back(value<T>(key, x, must));
  }
  /// Adds the table's entries to `out`, or replaces those of equal names. `looks`: an example of such a
  /// table.
  template <class T>
  static void take_table(const char* key, const toml::node& n, const char* looks, const char* must,
                         std::map<std::string, T>& out) {
    if (!n.is_table()) wrong(key, n, looks);
    for (const auto& [k, v] : *n.as_table()) out[std::string(k.str())] = value<T>(key, v, must);
  }

  void take(const char* key, const toml::node& n, std::string& out) {
    out = value<std::string>(key, n, "be a text in quotes");
  }
  void take(const char* key, const toml::node& n, bool& out) {
    out = value<bool>(key, n, "be true or false");
  }
  void take(const char* key, const toml::node& n, int& out) {
    out = int(value<int64_t>(key, n, "be a whole number"));
  }
  void take(const char* key, const toml::node& n, double& out) { out = value<double>(key, n, "be a number"); }
  void take(const char* key, const toml::node& n, std::vector<std::string>& out) {
    take_list(key, n, "be a list of texts", out);
  }
  void take(const char* key, const toml::node& n, std::vector<int64_t>& out) {
    take_list(key, n, "be a list of whole numbers", out);
  }
  /// A step's size replaces that of [defaults] as a whole.
  void take(const char* key, const toml::node& n, Size& out) {
    out.clear();
    take_table(key, n, "look like { n = 1024 }", "have whole numbers", out);
  }
  /// One size or a list of sizes.
  void take(const char* key, const toml::node& n, std::vector<Size>& out) {
    out.clear();
    if (const toml::array* a = n.as_array())
      for (const auto& x : *a) take(key, x, out.emplace_back());
    else
      take(key, n, out.emplace_back());
  }
  void take(const char* key, const toml::node& n, std::map<std::string, double>& out) {
    take_table(key, n, "look like { name = 1 }", "have numbers", out);
  }
  void take(const char* key, const toml::node& n, std::map<std::string, std::string>& out) {
    take_table(key, n, "look like { name = \"word\" }", "have texts", out);
  }

  const toml::table& t_;
  std::string where_;
  std::set<std::string> known_;
};

/// The tables of an array of tables, or none when the key is absent.
inline std::vector<const toml::table*> tables(const toml::node* n, const char* what) {
  std::vector<const toml::table*> out;
  if (!n) return out;
  const toml::array* a = n->as_array();
  if (!a) broken(n, std::string(what) + " must be [[...]] tables");
  for (const auto& x : *a) {
    if (!x.is_table()) broken(&x, std::string(what) + " must be [[...]] tables");
    out.push_back(x.as_table());
  }
  return out;
}

}  // namespace dojo::lab_toml
