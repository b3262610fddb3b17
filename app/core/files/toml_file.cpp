#include "core/files/toml_file.hpp"

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/text/error_words.hpp"

namespace dojo {

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& file) {
  if (std::error_code ec; !fs::exists(file, ec)) throw Error("there is no " + file.string());
  const auto text = read_file(file);
  if (!text) throw Error(file.string() + " can't be read");
  return *text;
}

}  // namespace

TomlFile::TomlFile(fs::path file) : TomlFile(file, text_of(file)) {}

TomlFile::TomlFile(fs::path file, const std::string& text) : file_(std::move(file)) {
  try {
    root_ = toml::parse(text, file_.string());
  } catch (const toml::parse_error& e) {
    throw Error(file_.string() + ":" + std::to_string(e.source().begin.line) + ": " + toml_words);
  }
}

void TomlFile::refuse(const toml::node* at, const std::string& what) const {
  const auto line = at ? at->source().begin.line : 0;
  throw Error(file_.string() + (line ? ":" + std::to_string(line) : "") + ": " + what);
}

void TomlFile::only(const toml::table& t, std::initializer_list<const char*> keys) const {
  std::string known;
  for (const char* k : keys) known += (known.empty() ? "" : ", ") + std::string(k);
  for (const auto& [name, value] : t)
    if (std::none_of(keys.begin(), keys.end(), [&](const char* k) { return name.str() == k; }))
      refuse(&value, "there is no '" + std::string(name.str()) + "' here; there are " + known);
}

std::vector<const toml::table*> TomlFile::tables(const toml::table& t, const char* key) const {
  std::vector<const toml::table*> all;
  const toml::node* n = t.get(key);
  if (!n) return all;
  const std::string shape = std::string("write [[") + key + "]], once for each";
  const toml::array* list = n->as_array();
  if (!list) refuse(n, shape);
  for (const auto& e : *list) {
    if (!e.is_table()) refuse(&e, shape);
    all.push_back(e.as_table());
  }
  return all;
}

std::optional<std::vector<std::string>> TomlFile::texts(const toml::node& n) {
  const toml::array* list = n.as_array();
  if (!list) return {};
  std::vector<std::string> all;
  for (const auto& e : *list) {
    if (!e.is_string()) return {};
    all.push_back(e.as_string()->get());
  }
  return all;
}

}  // namespace dojo
