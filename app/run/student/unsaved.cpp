#include "run/student/unsaved.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/files/whole_file.hpp"
#include "core/text/json_values.hpp"

namespace dojo::run {
namespace fs = std::filesystem;

namespace {
/// The same file, however its path was written.
bool same_file(const std::string& a, const fs::path& b) {
  std::error_code ec;
  return a == b.string() || fs::weakly_canonical(a, ec) == fs::weakly_canonical(b, ec);
}
}  // namespace

std::string unsaved_since(const Catalog& catalog, const Step& step, const fs::path& data) {
  std::string name = step.id(), newest, text;
  std::replace(name.begin(), name.end(), '/', '+');
  const fs::path file = catalog.student_file(step);
  std::error_code ec;
  if (data.empty()) return "";
  for (auto& e : fs::directory_iterator(data / "drafts", ec)) {
    // "reduce+5-sequential.json"; of a second window "reduce+5-sequential@4711-1.json".
    const std::string draft = e.path().filename().string();
    if (!draft.ends_with(".json") || (draft != name + ".json" && !draft.starts_with(name + "@"))) continue;
    const auto kept = read_file(e.path());
    const auto j = kept ? Json::parse(*kept, nullptr, false) : Json();
    if (!j.is_object()) continue;
    if (same_file(text_at(j, "file"), file) && text_at(j, "when") >= newest)
      newest = text_at(j, "when"), text = text_at(j, "text");
  }
  if (newest.empty() || text == read_file(file).value_or("")) return "";
  return newest.substr(0, 16);
}

std::string unsaved_words(const Catalog& catalog, const Step& step, const fs::path& data,
                          const std::string& left_out) {
  const std::string since = unsaved_since(catalog, step, data);
  if (since.empty()) return "";
  return "labs/" + catalog.lab_of(step).folder.filename().string() + "/" + step.file +
         ": the window holds unsaved text of " + since + ", " + left_out +
         ". Open the step there, save it (Ctrl+S), and try again.";
}

}  // namespace dojo::run
