#include "grade/intake/pack.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "grade/course/starter.hpp"
#include "grade/intake/archive.hpp"
#include "run/student/originals.hpp"
#include "run/student/unsaved.hpp"

namespace dojo::grade {

namespace {
/// Of a whole catalogue's files, the first ones by name and how many more.
std::string untouched_words(const std::vector<std::string>& names) {
  constexpr size_t most_names = 10;
  if (names.size() == 1) return names[0] + " is as it was handed out";
  std::string words = std::to_string(names.size()) + " files are as they were handed out: ";
  for (size_t k = 0; k < std::min(names.size(), most_names); ++k) words += (k ? ", " : "") + names[k];
  if (names.size() > most_names) words += " and " + std::to_string(names.size() - most_names) + " more";
  return words;
}
}  // namespace

Packed pack_submission(const Catalog& catalog, const Course& course, const std::filesystem::path& data) {
  Packed p;
  std::vector<Entry> entries;
  std::vector<std::string> untouched;
  for (const CourseStep& c : course.steps) {
    const Step& step = catalog.find(c.step);
    const std::string name = catalog.lab_of(step).folder.filename().string() + "/" + step.file;
    const auto text = read_file(catalog.student_file(step));
    if (!text) {
      p.notes.push_back(name + " is missing");
      continue;
    }
    const auto starter = run::original_text(catalog, step, data);
    if (starter && same_program(*starter, *text)) untouched.push_back(name);
    if (std::string words = run::unsaved_words(catalog, step, data, "which is not in the zip");
        !words.empty())
      p.notes.push_back(std::move(words));
    // 1980-01-01, the first day that zip knows: the same files make the same zip.
    entries.push_back({name, *text, 315532800});
  }
  if (entries.empty())
    throw Error("there is none of the course's files in " + (catalog.root / "labs").string());
  if (!untouched.empty()) p.notes.push_back(untouched_words(untouched));
  p.files = int(entries.size());
  p.zip = zip_of(entries);
  return p;
}

}  // namespace dojo::grade
