#include "run/stored/stored_ptx.hpp"

#include <nlohmann/json.hpp>

namespace dojo::run {
namespace {

using nlohmann::json;

constexpr const char* mark = "// warpdojo: ";

}  // namespace

std::string stored_ptx(const Compiled& c) {
  const json names{{"host_variables", c.host_variables},
                   {"managed_variables", c.managed_variables},
                   {"allocation_names", c.allocation_names}};
  return mark + names.dump() + "\n" + c.ptx;
}

Compiled from_stored_ptx(const std::string& text) {
  Compiled c;
  c.ok = true;
  c.ptx = text;
  const size_t end = text.find('\n');
  if (!text.starts_with(mark) || end == std::string::npos) return c;
  const size_t begin = std::string(mark).size();
  try {
    const json names = json::parse(text.substr(begin, end - begin));
    c.host_variables = names.at("host_variables").get<std::vector<std::string>>();
    c.managed_variables = names.at("managed_variables").get<std::vector<std::string>>();
    c.allocation_names = names.at("allocation_names").get<std::map<int, std::string>>();
    c.ptx = text.substr(end + 1);
  } catch (const json::exception&) {  // another comment
  }
  return c;
}

}  // namespace dojo::run
