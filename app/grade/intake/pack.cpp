#include "grade/intake/pack.hpp"

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "grade/course/starter.hpp"
#include "grade/intake/archive.hpp"
#include "run/student/unsaved.hpp"

namespace dojo::grade {

Packed pack_submission(const Catalog& catalog, const Course& course, const std::filesystem::path& data) {
  Packed p;
  std::vector<Entry> entries;
  for (const CourseStep& c : course.steps) {
    const Step& step = catalog.find(c.step);
    const std::string name = catalog.lab_of(step).folder.filename().string() + "/" + step.file;
    const auto text = read_file(catalog.student_file(step));
    if (!text) {
      p.notes.push_back(name + " is missing");
      continue;
    }
    const auto starter = read_file(catalog.root / "starters" / name);
    if (starter && same_program(*starter, *text)) p.notes.push_back(name + " is as it was handed out");
    if (std::string words = run::unsaved_words(catalog, step, data, "which is not in the zip");
        !words.empty())
      p.notes.push_back(std::move(words));
    // 1980-01-01, the first day that zip knows: the same files make the same zip.
    entries.push_back({name, *text, 315532800});
  }
  if (entries.empty())
    throw Error("there is none of the course's files in " + (catalog.root / "labs").string());
  p.files = int(entries.size());
  p.zip = zip_of(entries);
  return p;
}

}  // namespace dojo::grade
