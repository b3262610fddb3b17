#include "run/student/unsaved.hpp"

#include "core/files/same_path.hpp"
#include "core/files/whole_file.hpp"
#include "run/student/draft_files.hpp"

namespace dojo::run {
namespace fs = std::filesystem;

std::string unsaved_since(const Catalog& catalog, const Step& step, const fs::path& data) {
  std::string newest, text;
  const fs::path file = catalog.student_file(step);
  if (data.empty()) return "";
  for (auto& path : draft_files(data, step.id())) {
    const auto kept = read_draft(path);
    if (!kept || !same_path(kept->draft.file, file) || kept->draft.when < newest) continue;
    newest = kept->draft.when, text = kept->draft.text;
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
