#include "grade/course/handout.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "core/paths.hpp"
#include "grade/course/course.hpp"
#include "grade/course/handout_pages.hpp"
#include "grade/similarity.hpp"
#include "run/reference_cache.hpp"
#include "run/stored/stored_ptx.hpp"
#include "run/student/originals.hpp"

namespace dojo::grade {
namespace {

void write(const fs::path& p, const std::string& text) {
  std::error_code ec;
  fs::create_directories(p.parent_path(), ec);
  if (!write_atomically(p, text)) throw Error("cannot write " + p.string());
}

void copy_over(const fs::path& from, const fs::path& to) {
  std::error_code ec;
  fs::create_directories(to.parent_path(), ec);
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, ec);
  if (ec) throw Error("cannot copy " + from.string() + " to " + to.string() + ": " + ec.message());
}

void copy_folder(const fs::path& from, const fs::path& to, const std::set<std::string>& but = {}) {
  std::error_code ec;
  for (auto it = fs::recursive_directory_iterator(from, ec); it != fs::recursive_directory_iterator(); ++it) {
    if (it->is_directory(ec) && but.contains(it->path().filename().string())) {
      it.disable_recursion_pending();
      continue;
    }
    if (it->is_regular_file(ec)) copy_over(it->path(), to / it->path().lexically_relative(from));
  }
}

/// A lab.toml (or course.toml) whose [[step]] blocks are what `take` makes of them; empty: left out. A block
/// begins at its head and ends before the next.
std::string only_steps(const std::string& toml, const std::function<std::string(std::string block)>& take) {
  static const std::regex head(R"(^[ \t]*\[\[step\]\])");
  std::vector<std::string> blocks(1);
  std::istringstream in(toml);
  for (std::string line; std::getline(in, line);) {
    if (std::regex_search(line, head)) blocks.emplace_back();
    blocks.back() += line + "\n";
  }
  std::string out = blocks[0];
  for (size_t i = 1; i < blocks.size(); ++i) out += take(blocks[i]);
  return out;
}

/// The value of `key = "..."` in a block.
std::string value_in(const std::string& block, const std::string& key) {
  std::smatch m;
  const std::regex line("(?:^|\\n)[ \\t]*" + key + R"([ \t]*=[ \t]*["']([^"']*)["'])");
  return std::regex_search(block, m, line) ? m[1].str() : std::string();
}

/// The course's steps of a lab, and those that their gates compare with.
struct Chosen {
  std::set<std::string> own, compared;  ///< files
  bool has(const std::string& file) const { return own.count(file) + compared.count(file) > 0; }
  /// A [[step]] of lab.toml as it goes along.
  std::string block(std::string text) const {
    const std::string file = value_in(text, "file");
    if (compared.count(file))
      text.insert(
          text.find('\n') + 1,
          "compared = true  # not part of the course: gates of other steps compare with its reference\n");
    return has(file) ? text : std::string();
  }
};

Chosen chosen_of(const Catalog& catalog, const Lab& lab, const std::set<std::string>& ids) {
  Chosen c;
  for (const Step& s : lab.steps)
    if (ids.count(s.id())) c.own.insert(s.file);
  static const std::regex call(R"(reference\(([^)]*)\))");
  for (const Step& s : lab.steps) {
    if (!c.own.count(s.file)) continue;
    std::string texts = s.brief + s.prediction.counter;
    for (const GateDef& g : s.gates) texts += g.expr + " ";
    for (std::sregex_iterator it(texts.begin(), texts.end(), call), end; it != end; ++it) {
      const std::string name = (*it)[1];
      if (name == "previous") {
        if (const Step* p = catalog.previous(s)) c.compared.insert(p->file);
      } else {
        for (const Step& other : lab.steps)
          if (other.name == name) c.compared.insert(other.file);
      }
    }
  }
  for (const std::string& f : c.own) c.compared.erase(f);
  return c;
}

/// Throws Error where there is none.
std::string text_handed_out(const Catalog& catalog, const Step& step) {
  const auto text = run::starter_text(catalog, step);
  if (!text) throw Error("cannot read " + catalog.student_file(step).string());
  return *text;
}

/// A lab's own files: data, briefs, the problem, and the starters of the course's steps. Nothing that an
/// author's editor left beside them.
void copy_lab(const Catalog& catalog, const Lab& lab, const Chosen& chosen, const fs::path& to, bool update) {
  const auto text = read_file(lab.folder / "lab.toml");
  write(to / "lab.toml",
        only_steps(text.value_or(""), [&](std::string block) { return chosen.block(std::move(block)); }));
  for (const char* file : {"brief.md", "problem.cpp"})
    if (std::error_code ec; fs::exists(lab.folder / file, ec)) copy_over(lab.folder / file, to / file);
  for (const Step& s : lab.steps) {
    if (!chosen.own.count(s.file)) continue;
    const fs::path brief = fs::path(s.file).replace_extension(".md");
    std::error_code ec;
    if (fs::exists(lab.folder / brief, ec)) copy_over(lab.folder / brief, to / brief);
    if (!update || !fs::exists(to / s.file, ec)) write(to / s.file, text_handed_out(catalog, s));
  }
}

/// The reference as PTX; false when there is none, or it doesn't compile.
bool compile_reference(const Catalog& catalog, const Lab& lab, const Step& step, const fs::path& to,
                       std::string* why) {
  const auto source = read_file(catalog.reference_file(step));
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
  write(file.replace_extension(".ptx"), run::stored_ptx(c));
  return true;
}

}  // namespace

std::vector<Leak> leaks(const Catalog& catalog, const std::vector<std::string>& steps) {
  std::vector<Leak> found;
  const auto prints = [](const std::optional<std::string>& text) {
    const auto all = text ? fingerprints(*text, 8, 1) : std::vector<uint64_t>();
    return std::set<uint64_t>(all.begin(), all.end());
  };
  std::map<std::string, std::set<uint64_t>> starters;
  for (const auto& id : steps) starters[id] = prints(run::starter_text(catalog, catalog.find(id)));
  for (const auto& id : steps) {
    const Step& solved = catalog.find(id);
    std::set<uint64_t> added = prints(read_file(catalog.reference_file(solved)));
    for (uint64_t h : starters[id]) added.erase(h);
    if (added.empty()) continue;
    for (const auto& other : steps) {
      if (other == id || catalog.find(other).lab != solved.lab) continue;
      const auto there =
          std::count_if(added.begin(), added.end(), [&](uint64_t h) { return starters[other].count(h) > 0; });
      if (double(there) >= 0.8 * double(added.size())) found.push_back({id, other});
    }
  }
  return found;
}

namespace {

/// Throws Error where a starter holds the solution of another step of the course. That of a later stage comes
/// when the step that it solves is over.
void refuse_solved_starters(const Catalog& catalog, const Course& course,
                            const std::vector<std::string>& steps, int stage) {
  const auto stage_of = [&](const std::string& id) {
    return std::find_if(course.steps.begin(), course.steps.end(), [&](const auto& c) { return c.step == id; })
        ->stage;
  };
  auto open = leaks(catalog, steps);
  std::erase_if(open, [&](const Leak& l) { return stage > 0 && stage_of(l.starter) > stage_of(l.solved); });
  if (open.empty() || course.solved_starters) return;
  std::string all;
  for (const Leak& l : open) all += "\n  " + l.starter + "'s starter holds the solution of " + l.solved;
  throw Error(
      "a starter holds another step's solution:" + all +
      "\ngive the later step a higher stage and hand out with --stage, or write solved_starters = true "
      "into course.toml");
}

/// The steps that are handed out, in the course's order. Throws Error.
std::vector<std::string> steps_to_hand_out(const Catalog& catalog, const HandoutOptions& o) {
  std::vector<std::string> steps;
  if (o.course.empty()) {
    for (const CourseStep& c : whole_catalog(catalog).steps) steps.push_back(c.step);
  } else {
    const Course course = load_course(o.course, catalog);
    check_course(course, catalog);
    for (const CourseStep& c : course.steps)
      if (o.stage == 0 || c.stage <= o.stage) steps.push_back(c.step);
    if (steps.empty()) throw Error("the course has no step of stage " + std::to_string(o.stage));
    refuse_solved_starters(catalog, course, steps, o.stage);
  }
  return steps;
}

/// A lab's texts, its references as PTX, and what its files began as.
void hand_out_lab(const Catalog& catalog, const Lab& lab, const Chosen& chosen, const fs::path& to,
                  bool update, Handout& made) {
  const std::string name = lab.folder.filename().string();
  copy_lab(catalog, lab, chosen, to / "labs" / name, update);
  ++made.labs;
  for (const Step& step : lab.steps) {
    if (!chosen.has(step.file)) continue;
    std::string why;
    if (!compile_reference(catalog, lab, step, to / "reference" / name, &why))
      made.notes.push_back(step.id() + " has nothing to compare with: " + why);
    if (!chosen.own.count(step.file)) continue;
    const std::string text = text_handed_out(catalog, step);
    write(to / "starters" / name / step.file, text);
    if (read_file(catalog.student_file(step)) != text)
      made.notes.push_back("labs/" + name + "/" + step.file +
                           " has changes that are not committed. The committed file is handed out.");
    ++made.steps;
  }
}

/// What the program is built from; the tests stay back, for they hold solutions and wrong versions of them.
void copy_program(const fs::path& from, const fs::path& to) {
  std::error_code ec;
  for (const char* file : {"CMakeLists.txt", "CMakePresets.json", "LICENSE", ".clang-format"})
    if (fs::exists(from / file, ec)) copy_over(from / file, to / file);
  copy_over(from / "warpdojo", to / "warpdojo");
  fs::permissions(to / "warpdojo", fs::perms(0755), ec);
  copy_folder(from / "app", to / "app");
  copy_folder(from / "assets", to / "assets", {"handout", "skeleton"});  // new labs are not a student's
  copy_student_pages(from / "docs", to / "docs");
}

/// What a course's platforms need.
void copy_platform_files(const fs::path& from, const fs::path& to) {
  std::error_code ec;
  copy_over(from / "gitignore", to / ".gitignore");
  for (const char* file : {"gradescope/setup.sh", "gradescope/run_autograder", "gradescope/make-zip.sh",
                           "prairielearn/run.sh", "prairielearn/info.json", "classroom50/autograder.py"}) {
    copy_over(from / file, to / file);
    if (!std::string(file).ends_with(".json")) fs::permissions(to / file, fs::perms(0755), ec);
  }
}

}  // namespace

Handout make_handout(const Catalog& catalog, const std::string& folder, const HandoutOptions& o) {
  const fs::path to = fs::absolute(folder).lexically_normal();
  std::error_code ec;
  const bool there = fs::exists(to, ec) && (!fs::is_directory(to, ec) || !fs::is_empty(to, ec));
  if (there && !o.update)
    throw Error(folder + " is not an empty folder: a handout never overwrites (--update adds)");
  if (o.update && !fs::is_directory(to / "starters", ec))
    throw Error(folder + " is no handout: --update adds to one");
  const std::vector<std::string> steps = steps_to_hand_out(catalog, o);
  const std::set<std::string> ids(steps.begin(), steps.end());
  fs::create_directories(to, ec);
  if (ec) throw Error("cannot make " + folder + ": " + ec.message());

  Handout made;
  for (const Lab& lab : catalog.labs)
    if (const Chosen chosen = chosen_of(catalog, lab, ids); !chosen.own.empty())
      hand_out_lab(catalog, lab, chosen, to, o.update, made);
  copy_folder(catalog.root / "labs" / "include", to / "labs" / "include");
  if (fs::exists(catalog.root / "labs" / "glossary.toml", ec))
    copy_over(catalog.root / "labs" / "glossary.toml", to / "labs" / "glossary.toml");
  copy_program(source_root(), to);
  const fs::path own = source_root() / "assets" / "handout";
  copy_platform_files(own, to);
  write(to / "README.md", handout_readme(read_or_empty(own / "README.md"), catalog.find(steps.front())));
  if (!o.course.empty()) {
    const auto text = read_file(o.course);
    write(to / "course.toml", only_steps(text.value_or(""), [&](const std::string& block) {
            const std::string step = value_in(block, "step");
            return !step.empty() && ids.count(catalog.find(step).id()) > 0 ? block : std::string();
          }));
  }
  return made;
}

}  // namespace dojo::grade
