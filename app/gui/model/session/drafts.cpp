#include "gui/model/session/drafts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "run/files.hpp"

namespace dojo::gui {
using nlohmann::json;

std::filesystem::path Drafts::path(const std::string& step) const {
  std::string name = step;
  std::replace(name.begin(), name.end(), '/', '+');
  return folder_ / "drafts" / (name + ".json");
}

std::optional<Draft> Drafts::load(const std::string& step, const std::filesystem::path& file) const {
  if (folder_.empty()) return std::nullopt;
  const auto kept = run::read_file(path(step));
  if (!kept) return std::nullopt;
  const json j = json::parse(*kept, nullptr, false);
  if (!j.is_object()) return std::nullopt;
  auto text = [&](const char* key) {
    auto it = j.find(key);
    return it != j.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  auto number = [&](const char* key) {
    auto it = j.find(key);
    return it != j.end() && it->is_number_integer() ? it->get<int>() : 0;
  };
  Draft d{text("file"), text("when"), text("base"), text("text"), number("line"), number("column")};
  if (d.file != file.string()) return std::nullopt;
  return d;
}

std::string Drafts::keep(const std::string& step, const Draft& d) const {
  if (folder_.empty()) return "";
  const json j = {{"file", d.file}, {"when", d.when}, {"base", d.base},
                  {"text", d.text}, {"line", d.line}, {"column", d.column}};
  return run::replace_file(path(step), j.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

void Drafts::drop(const std::string& step) const {
  std::error_code ec;
  if (!folder_.empty()) std::filesystem::remove(path(step), ec);
}

}  // namespace dojo::gui
