#include "grade/intake/intake.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "grade/book/calendar.hpp"
#include "grade/intake/archive.hpp"
#include "grade/intake/candidates.hpp"
#include "grade/intake/class_archive.hpp"
#include "grade/intake/layout.hpp"
#include "grade/intake/unpack_child.hpp"
#include "grade/row.hpp"

namespace dojo::grade {
namespace {

/// A student's part of the input, before it is known which file is what.
struct Part {
  std::string student, id, email;
  std::vector<fs::path> roots;     ///< folders, archives, files
  std::vector<std::string> names;  ///< of the roots, as the student called them
  std::string submitted;
  bool late = false;
};

std::string name_of(const fs::path& folder) {
  const fs::path clean = fs::absolute(folder).lexically_normal();
  return clean.filename().empty() ? clean.parent_path().filename().string() : clean.filename().string();
}

/// Of an archive given by itself, which may be a class's.
constexpr uint64_t most_class_bytes = uint64_t(1) << 30;

class Taking {
 public:
  Taking(const Catalog& catalog, const IntakeOptions& options) : catalog_(catalog), options_(options) {
    intake_.files = std::make_shared<UnpackedFiles>();
    if (options.course)
      for (const CourseStep& c : options.course->steps) steps_.push_back(&catalog.find(c.step));
    else
      for (const Lab& lab : catalog.labs)
        for (const Step& s : lab.steps) steps_.push_back(&s);
  }

  void take(const fs::path& path) {
    std::error_code ec;
    if (!fs::exists(path, ec)) throw Error("there is no " + path.string());
    if (!fs::is_directory(path, ec)) {
      take_file(path);
      return;
    }
    if (options_.one_student || is_student(path) || one_archive(path)) {
      add({name_of(path), {}, {}, {path}, {""}, {}, false});
      return;
    }
    take_class(path);
  }

  Intake finish() {
    told_apart();
    for (Part& p : parts_) intake_.submissions.push_back(submission(p));
    if (options_.roster && class_ && options_.with_missing)
      for (const Person& p : options_.roster->people)
        if (std::none_of(intake_.submissions.begin(), intake_.submissions.end(),
                         [&](const Submission& s) { return s.student == p.id; })) {
          Submission none;
          none.student = p.id;
          intake_.submissions.push_back(std::move(none));
        }
    return std::move(intake_);
  }

  size_t found() const { return parts_.size(); }

 private:
  void note(const std::string& words) { intake_.notes.push_back(clean_text(words, 400)); }

  /// A step's file, or a lab's folder with steps' files in it.
  bool lab_folder(const fs::path& folder) const {
    const Lab* lab = lab_named(catalog_, folder.filename().string());
    std::error_code ec;
    if (!lab || !fs::is_directory(folder, ec)) return false;
    for (const auto& e : fs::directory_iterator(folder, ec))
      for (const Step& s : lab->steps)
        if (match_name(e.path().filename().string(), s) != NameMatch::none) return true;
    return false;
  }

  bool step_file(const fs::path& file) const {
    return std::any_of(steps_.begin(), steps_.end(), [&](const Step* s) {
      return match_name(file.filename().string(), *s) >= NameMatch::spelling;
    });
  }

  /// Is there a source or an archive at any depth?
  bool holds_work(const fs::path& folder) const {
    std::error_code ec;
    int left = 20000;
    for (auto it = fs::recursive_directory_iterator(folder, ec);
         it != fs::recursive_directory_iterator() && left; it.increment(ec), --left) {
      if (ec) return false;
      if (it->is_directory(ec) && skipped_folder(it->path().filename().string()))
        it.disable_recursion_pending();
      if (it->is_regular_file(ec) && (source_stem(it->path().filename().string()) || is_archive(it->path())))
        return true;
    }
    return false;
  }

  /// One student's folder, or a folder of students? It is one student's when nothing in it but labs' folders
  /// and steps' files holds work; a repository with labs/ is one student's in any case but beside other
  /// students.
  bool is_student(const fs::path& folder) const {
    std::error_code ec;
    bool labs = false, files = false, others = false;
    if (fs::exists(folder / "submission_metadata.yml", ec)) return false;
    for (const auto& e : fs::directory_iterator(folder, ec)) {
      const std::string name = e.path().filename().string();
      if (by_canvas(name) || by_moodle(name)) return false;
      if (e.is_directory(ec)) {
        if (e.is_symlink(ec) || skipped_folder(name)) continue;
        if (name == "labs")
          for (const auto& inner : fs::directory_iterator(e.path(), ec))
            labs = labs || lab_folder(inner.path());
        else if (lab_folder(e.path()))
          labs = true;
        else
          others = others || attempt_number(name) || time_within(name) ? others : holds_work(e.path());
      } else if (step_file(e.path())) {
        files = true;
      }
    }
    if (others) return false;
    if (labs || files) return true;
    // Attempts and archives of one student can't be told from students': a class, unless all are attempts.
    bool attempts = false;
    for (const auto& e : fs::directory_iterator(folder, ec)) {
      const std::string name = e.path().filename().string();
      if (!e.is_directory(ec) || skipped_folder(name)) continue;
      if (!attempt_number(name) && !time_within(name)) return false;
      attempts = attempts || !by_gradescope(name);
    }
    return attempts;
  }

  /// A folder that holds one archive and nothing else is its student's, as it is among those of a class. But
  /// a class in which one student has handed in looks alike: the roster knows the archive's name then, or a
  /// course system made it.
  bool one_archive(const fs::path& folder) {
    std::vector<fs::path> all;
    std::error_code ec;
    for (const auto& e : fs::directory_iterator(folder, ec))
      if (const std::string name = e.path().filename().string(); name[0] != '.' && name != "__MACOSX")
        all.push_back(e.path());
    if (all.size() != 1 || fs::is_symlink(all[0], ec) || !is_archive(all[0])) return false;
    const std::string file = all[0].filename().string();
    if (by_canvas(file) || by_moodle(file)) return false;
    if (options_.roster && options_.roster->match(stem_of(all[0]), {}, {})) return false;
    note(fmt::format("{}: taken for one student's folder, which holds {}", name_of(folder), file));
    return true;
  }

  void take_file(const fs::path& path) {
    if (is_archive(path)) {
      take_archive(path);
      return;
    }
    Part p{name_of(fs::absolute(path).parent_path()), {}, {}, {path}, {path.filename().string()}, {}, false};
    add(std::move(p));
    singles_.insert(fs::weakly_canonical(path));
  }

  /// An archive given by itself: one student's, or a class's.
  void take_archive(const fs::path& path) {
    const Unpacked all = unpack_apart(path, most_class_bytes);
    const std::string name = path.filename().string();
    const auto around = options_.one_student
                            ? std::nullopt
                            : class_within(all, catalog_, [&](const std::string& f) { return step_file(f); });
    if (!around) {
      if (!options_.one_student) note(name + ": taken for one student's archive");
      // What `warpdojo submit` makes has the same name for all students: its folder tells whose it is.
      const std::string stem = stem_of(path);
      add({stem == "submission" ? name_of(fs::absolute(path).parent_path()) : stem,
           {},
           {},
           {path},
           {name},
           {},
           false});
      return;
    }
    for (const auto& n : all.notes) note(name + ": " + n);
    const size_t before = parts_.size();
    const fs::path folder = intake_.files->folder();
    for (const auto& n : lay_out_class(all, *around, folder)) note(n);
    take_class(folder);
    note(fmt::format("{}: taken for a class's archive, of {} students", name, parts_.size() - before));
  }

  void take_class(const fs::path& folder) {
    std::error_code ec;
    class_ = true;
    std::vector<GradescopeEntry> gradescope;
    if (const auto yaml = read_file(folder / "submission_metadata.yml")) gradescope = read_gradescope(*yaml);
    std::vector<fs::path> all;
    for (const auto& e : fs::directory_iterator(folder, ec)) all.push_back(e.path());
    std::sort(all.begin(), all.end());
    const size_t before = parts_.size();
    for (const fs::path& p : all) take_member(p, gradescope);
    if (parts_.size() == before)
      throw Error(folder.string() + " holds no submissions: expected STUDENT/" +
                  (catalog_.labs.empty() ? std::string("LAB") : catalog_.labs[0].folder.filename().string()) +
                  "/STEP.cu" + (intake_.notes.empty() ? "" : " (" + intake_.notes.back() + ")"));
  }

  /// One entry of a class's folder.
  void take_member(const fs::path& p, const std::vector<GradescopeEntry>& gradescope) {
    std::error_code ec;
    const std::string name = p.filename().string();
    if (name == "submission_metadata.yml") return;
    if (fs::is_symlink(p, ec)) {
      note(name + ": a link is not followed; no row");
      return;
    }
    const bool is_folder = fs::is_directory(p, ec);
    if (name[0] == '.' || name == "__MACOSX") {
      if (is_folder && holds_work(p)) note(name + ": a folder of the system with sources in it; no row");
      return;
    }
    for (const GradescopeEntry& g : gradescope)
      if (is_folder && g.folder == name) {
        if (g.submitters.empty()) break;
        for (const auto& who : g.submitters) {
          Part part{who.name, who.id, who.email, {p}, {""}, {}, false};
          if (const auto t = read_moment(g.created_at)) part.submitted = moment_words(*t);
          add(std::move(part));
        }
        return;
      }
    if (const auto m = by_moodle(name)) {
      join({m->student, m->id, {}, {p}, {m->rest.empty() ? std::string() : m->rest}, {}, false}, "moodle");
      return;
    }
    if (const auto c = by_canvas(name); c && !is_folder) {
      join({c->student, c->id, {}, {p}, {c->rest}, {}, c->late}, "canvas");
      return;
    }
    if (is_folder) {
      add({name, {}, {}, {p}, {""}, {}, false});
      return;
    }
    if (is_archive(p)) {
      add({stem_of(p), {}, {}, {p}, {name}, {}, false});
      return;
    }
    if (source_stem(name))
      note(name + ": a file beside the students' folders; put it into its student's folder. No row");
    else if (is_other_archive(p))
      note(name + ": this kind of archive is not read; pack it as zip. No row");
    else if (!fs::is_regular_file(p, ec))
      note(name + ": neither file nor folder; no row");
    else
      note(name + ": no source and no archive; no row");
  }

  void add(Part p) { parts_.push_back(std::move(p)); }

  /// Several files of one student, each an entry of its own.
  void join(Part p, const std::string& system) {
    const std::string key = system + "|" + p.student + "|" + p.id;
    const auto [it, fresh] = joined_.emplace(key, parts_.size());
    if (fresh) {
      add(std::move(p));
      return;
    }
    Part& into = parts_[it->second];
    into.roots.push_back(p.roots[0]);
    into.names.push_back(p.names[0]);
    into.late = into.late || p.late;
  }

  /// Rows are told apart by the student's name as exports show it. Two folders of one name (of two sections,
  /// say) become "ada" and "ada (2)"; what was named twice on the command line is there once.
  void told_apart() {
    std::vector<Part> kept;
    std::set<std::pair<std::string, fs::path>> seen;
    std::map<std::string, fs::path> homes;
    for (Part& p : parts_) {
      std::error_code ec;
      const fs::path real = fs::weakly_canonical(p.roots[0], ec);
      if (!seen.emplace(p.student, real).second) continue;
      const bool single = singles_.count(real) > 0;
      const fs::path home = single ? real.parent_path() : real;
      std::string plain = clean_text(p.student, 200);
      if (options_.roster) {
        if (const Person* who = options_.roster->match(p.student, p.id, p.email))
          plain = who->id;
        else if (const size_t same = options_.roster->named(p.student); same > 1)
          note(
              fmt::format("{}: the roster has {} students of this name; name the folder by an id. Graded "
                          "under this name",
                          plain, same));
        else
          note(plain + ": not on the roster; graded under this name");
      }
      for (int k = 1;; ++k) {
        p.student = k == 1 ? plain : plain + " (" + std::to_string(k) + ")";
        // Files of one folder are one student's.
        if (homes.emplace(p.student, home).first->second == home) break;
      }
      if (p.student != plain && options_.roster) note(p.student + ": a second submission of " + plain);
      kept.push_back(std::move(p));
    }
    parts_ = std::move(kept);
  }

  Submission submission(const Part& p) {
    Submission s;
    s.student = p.student;
    s.submitted = p.submitted;
    s.marked_late = p.late;
    std::error_code ec;
    if (singles_.count(fs::weakly_canonical(p.roots[0], ec)) > 0) {
      s.folder = p.roots[0];
      s.single = true;
      return s;
    }
    if (p.roots.size() == 1 && fs::is_directory(p.roots[0], ec)) s.folder = p.roots[0];
    Candidates all(catalog_, steps_, *intake_.files);
    for (size_t i = 0; i < p.roots.size(); ++i) all.collect(p.roots[i], p.names[i]);
    auto chosen = all.choose([&](const std::string& step) {
      return options_.deadline ? options_.deadline(p.student, step) : std::string();
    });
    for (const auto& n : chosen.notes) note(p.student + ": " + n);
    s.files = std::move(chosen.files);
    s.unknown = std::move(chosen.unknown);
    s.unread = std::move(chosen.unread);
    if (s.submitted.empty()) {
      s.submitted = chosen.submitted;
      s.submitted_by_step = std::move(chosen.submitted_by_step);
    }
    return s;
  }

  const Catalog& catalog_;
  const IntakeOptions& options_;
  std::vector<const Step*> steps_;
  std::vector<Part> parts_;
  std::map<std::string, size_t> joined_;
  std::set<fs::path> singles_;
  bool class_ = false;  ///< a class's folder was given, not one student's
  Intake intake_;
};

}  // namespace

UnpackedFiles::UnpackedFiles() {
  if (folder_.path.empty()) throw Error("cannot make a folder for what archives hold", 71);
}

fs::path UnpackedFiles::folder() {
  const fs::path made = fs::path(folder_.path) / ("class-" + std::to_string(count_++));
  std::error_code ec;
  if (!fs::create_directories(made, ec)) throw Error("cannot make " + made.string(), 71);
  return made;
}

fs::path UnpackedFiles::keep(const std::string& text) {
  const fs::path file = fs::path(folder_.path) / (std::to_string(count_++) + ".cu");
  if (!write_atomically(file, text)) throw Error("cannot write " + file.string(), 71);
  return file;
}

Intake take_in(const std::vector<std::string>& paths, const Catalog& catalog, const IntakeOptions& options) {
  Taking t(catalog, options);
  for (const std::string& path : paths) t.take(path);
  return t.finish();
}

std::vector<Submission> find_submissions(const std::vector<std::string>& paths, const Catalog& catalog) {
  // What archives held must outlive the submissions; here that is the process.
  static std::vector<std::shared_ptr<UnpackedFiles>> kept;
  Intake all = take_in(paths, catalog);
  kept.push_back(all.files);
  return std::move(all.submissions);
}

}  // namespace dojo::grade
