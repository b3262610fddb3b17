#include "grade/handout.hpp"

#include <fmt/format.h>

#include "core/compile.hpp"
#include "core/error.hpp"
#include "core/paths.hpp"
#include "grade/course.hpp"
#include "run/reference_cache.hpp"

namespace dojo::grade {
namespace {

void write(const fs::path& p, const std::string& text) {
  std::error_code ec;
  fs::create_directories(p.parent_path(), ec);
  if (!run::write_atomically(p, text)) throw Error("cannot write " + p.string());
}

void copy_over(const fs::path& from, const fs::path& to) {
  std::error_code ec;
  fs::create_directories(to.parent_path(), ec);
  fs::copy_file(from, to, ec);
  if (ec) throw Error("cannot copy " + from.string() + " to " + to.string() + ": " + ec.message());
}

void copy_folder(const fs::path& from, const fs::path& to, const std::string& but = {}) {
  std::error_code ec;
  for (auto it = fs::recursive_directory_iterator(from, ec); it != fs::recursive_directory_iterator(); ++it) {
    if (it->is_directory(ec) && it->path().filename() == but) {
      it.disable_recursion_pending();
      continue;
    }
    if (it->is_regular_file(ec)) copy_over(it->path(), to / it->path().lexically_relative(from));
  }
}

/// The steps' own files, and nothing that an author's editor left beside them.
void copy_lab(const Lab& lab, const fs::path& to) {
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(lab.folder, ec)) {
    const std::string extension = e.path().extension().string();
    if (!e.is_regular_file(ec) || (extension != ".toml" && extension != ".md" && extension != ".cpp"))
      continue;
    copy_over(e.path(), to / e.path().filename());
  }
  for (const Step& s : lab.steps) copy_over(lab.folder / s.file, to / s.file);
}

/// The reference as PTX; false when there is none, or it doesn't compile.
bool compile_reference(const Catalog& catalog, const Lab& lab, const Step& step, const fs::path& to,
                       std::string* why) {
  const auto source = run::read_file(catalog.reference_file(step));
  if (!source) {
    *why = "no reference";
    return false;
  }
  CompileRequest r;
  r.file = "reference/" + lab.folder.filename().string() + "/" + step.file;
  r.source = *source;
  r.arch = step.arch;
  const Compiled c = compile(r);
  if (!c.ok) {
    *why = c.diagnostics.empty() ? "it does not compile" : c.diagnostics[0].message;
    return false;
  }
  fs::path file = to / step.file;
  write(file.replace_extension(".ptx"), c.ptx);
  return true;
}

}  // namespace

Handout make_handout(const Catalog& catalog, const std::string& folder, const std::string& course) {
  const fs::path to = fs::absolute(folder).lexically_normal();
  std::error_code ec;
  if (fs::exists(to, ec) && (!fs::is_directory(to, ec) || !fs::is_empty(to, ec)))
    throw Error(folder + " is not an empty folder: a handout never overwrites");
  if (!course.empty()) load_course(course, catalog);  // with a mistake in it, nothing is made
  fs::create_directories(to, ec);
  if (ec) throw Error("cannot make " + folder + ": " + ec.message());

  Handout made;
  for (const Lab& lab : catalog.labs) {
    const std::string name = lab.folder.filename().string();
    copy_lab(lab, to / "labs" / name);
    ++made.labs;
    for (const Step& step : lab.steps) {
      copy_over(lab.folder / step.file, to / "starters" / name / step.file);
      std::string why;
      if (!compile_reference(catalog, lab, step, to / "reference" / name, &why))
        made.notes.push_back(step.id() + " has nothing to compare with: " + why);
      ++made.steps;
    }
  }
  copy_folder(catalog.root / "labs" / "include", to / "labs" / "include");

  // What the program is built from; the tests stay back, for they hold solutions and wrong versions of them.
  const fs::path from = source_root();
  for (const char* file : {"CMakeLists.txt", "CMakePresets.json", "LICENSE", ".clang-format"})
    if (fs::exists(from / file, ec)) copy_over(from / file, to / file);
  copy_over(from / "warpdojo", to / "warpdojo");
  fs::permissions(to / "warpdojo", fs::perms(0755), ec);
  copy_folder(from / "app", to / "app");
  copy_folder(from / "assets", to / "assets", "handout");
  for (const char* page : {"cli.md", "host-code.md", "standalone.md", "time-model.md", "worker.md"})
    if (fs::exists(from / "docs" / page, ec)) copy_over(from / "docs" / page, to / "docs" / page);

  const fs::path extra = from / "assets" / "handout";
  copy_over(extra / "README.md", to / "README.md");
  copy_over(extra / "gitignore", to / ".gitignore");
  copy_over(extra / "classroom.yml", to / ".github" / "workflows" / "classroom.yml");
  for (const char* file : {"setup.sh", "run_autograder", "make-zip.sh"}) {
    copy_over(extra / file, to / "gradescope" / file);
    fs::permissions(to / "gradescope" / file, fs::perms(0755), ec);
  }
  if (!course.empty()) copy_over(course, to / "course.toml");
  return made;
}

}  // namespace dojo::grade
