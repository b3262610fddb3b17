#pragma once
// One table of a device file (assets/devices) as its reader sees it (device_file.cpp).
#include <fmt/format.h>

#include <toml++/toml.h>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace dojo::simt {

/// Reads the keys of one table, each within its bounds. finish() refuses a key that was never read. Every
/// error names file, line and key.
class DeviceTable {
 public:
  DeviceTable(const toml::table& t, std::string file, std::string name)
      : table_(t), file_(std::move(file)), name_(std::move(name)) {}

  double number(const char* key, double least, double most) {
    used_.insert(key);
    const toml::node* node = table_.get(key);
    if (!node) fail(table_.source().begin.line, fmt::format("{} is missing", full(key)));
    const auto value = node->value<double>();
    if (!value) fail(node->source().begin.line, fmt::format("{} must be a number", full(key)));
    if (!(*value >= least && *value <= most))
      fail(node->source().begin.line,
           fmt::format("{} = {} is out of range ({} to {})", full(key), *value, least, most));
    return *value;
  }
  int integer(const char* key, int least, int most) {
    const double v = number(key, least, most);
    if (v != double(int(v)))
      fail(table_.get(key)->source().begin.line, fmt::format("{} must be whole", full(key)));
    return int(v);
  }
  double number_or(const char* key, double fallback, double least, double most) {
    used_.insert(key);
    return table_.contains(key) ? number(key, least, most) : fallback;
  }
  std::string text(const char* key) {
    used_.insert(key);
    const auto value = table_[key].value<std::string>();
    if (!value) fail(table_.source().begin.line, fmt::format("{} must be a text", full(key)));
    return *value;
  }
  bool flag(const char* key) {
    used_.insert(key);
    return table_[key].value_or(false);
  }
  std::vector<int> integers(const char* key) {
    used_.insert(key);
    std::vector<int> out;
    const toml::array* a = table_[key].as_array();
    if (!a || a->empty())
      fail(table_.source().begin.line, fmt::format("{} must be a list of numbers", full(key)));
    for (const auto& v : *a) {
      const auto i = v.value<int64_t>();
      if (!i || *i < 0 || *i > 1 << 20)
        fail(v.source().begin.line, fmt::format("{} must hold whole numbers", full(key)));
      out.push_back(int(*i));
    }
    return out;
  }
  void use(const char* key) { used_.insert(key); }
  void finish() {
    for (const auto& [key, node] : table_)
      if (!used_.count(std::string(key.str())))
        fail(node.source().begin.line,
             fmt::format("unknown key {}: the keys are read in app/simt/gpu/device_file.cpp",
                         full(std::string(key.str()).c_str())));
  }
  [[noreturn]] void fail(uint32_t line, const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", file_, line, what));
  }

 private:
  std::string full(const char* key) const { return name_.empty() ? key : name_ + "." + key; }
  const toml::table& table_;
  std::string file_, name_;
  std::set<std::string> used_;
};

}  // namespace dojo::simt
