#include "run/student/draft_files.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/files/whole_file.hpp"

namespace dojo::run {
using nlohmann::json;
namespace fs = std::filesystem;

namespace {
std::string draft_text(const json& j, const char* key) {
  const auto it = j.find(key);
  return it != j.end() && it->is_string() ? it->get<std::string>() : std::string();
}

int draft_number(const json& j, const char* key) {
  const auto it = j.find(key);
  return it != j.end() && it->is_number_integer() ? it->get<int>() : 0;
}
}  // namespace

std::string step_in_names(const std::string& step) {
  std::string name = step;
  std::replace(name.begin(), name.end(), '/', '+');
  return name;
}

fs::path draft_file(const fs::path& data, const std::string& step, const std::string& mark) {
  return data / "drafts" / (step_in_names(step) + (mark.empty() ? "" : "@" + mark) + ".json");
}

std::vector<fs::path> draft_files(const fs::path& data, const std::string& step) {
  const std::string one = step_in_names(step) + ".json", more = step_in_names(step) + "@";
  std::vector<fs::path> out;
  std::error_code ec;
  for (auto& e : fs::directory_iterator(data / "drafts", ec)) {
    const std::string file = e.path().filename().string();
    if (file == one || (file.starts_with(more) && file.ends_with(".json"))) out.push_back(e.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<KeptDraft> read_draft(const fs::path& path) {
  const auto kept = read_file(path);
  const json j = kept ? json::parse(*kept, nullptr, false) : json();
  if (!j.is_object()) return std::nullopt;
  return KeptDraft{{draft_text(j, "file"), draft_text(j, "when"), draft_text(j, "base"),
                    draft_text(j, "text"), draft_number(j, "line"), draft_number(j, "column")},
                   draft_text(j, "window")};
}

std::string write_draft(const fs::path& path, const KeptDraft& k) {
  const Draft& d = k.draft;
  const json j = {{"file", d.file}, {"when", d.when},     {"base", d.base},    {"text", d.text},
                  {"line", d.line}, {"column", d.column}, {"window", k.window}};
  return replace_file(path, j.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace dojo::run
