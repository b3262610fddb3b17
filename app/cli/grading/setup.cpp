// The inputs of one call of `warpdojo grade`, read and checked before anything is graded.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "cli/grading/grading.hpp"
#include "core/compile/compiler.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/fingerprint.hpp"
#include "core/paths.hpp"
#include "grade/book/rules.hpp"
#include "grade/journal.hpp"

namespace dojo::cli {

std::string read_whole(const std::string& path) {
  auto text = read_file(path);
  if (!text) throw Error("cannot read " + path);
  return std::move(*text);
}

fs::path verdicts_program() { return program_path().parent_path() / "warpdojo-verdicts"; }

void say(const std::string& line) { fmt::print(stderr, "{}\n", line); }

std::string Grading::fingerprint() const {
  std::string print = grade::fingerprint(options);
  if (own) print += fmt::format("-{:016x}", dojo::fingerprint(own->text()));
  return print;
}

std::vector<std::string> Grading::row_keys() const {
  return own ? grade::own_case_keys(intake.submissions, *own)
             : grade::row_keys(catalog, intake.submissions, options.course);
}

namespace {

/// The submissions. Of several attempts the one counts that the student's own deadline lets count.
void take_in_all(Grading& s, const GradeCommand& o) {
  grade::IntakeOptions in;
  in.course = &s.options.course;
  if (!s.roster.empty()) in.roster = &s.roster;
  in.deadline = [&s](const std::string& student, const std::string& step) {
    const grade::Course& course = s.options.course;
    for (const auto& c : course.steps)
      if (c.step == step)
        return grade::last_moment(course, c, grade::extension_of(student, s.overrides, s.roster));
    return std::string();
  };
  in.one_student = o.one_student;
  in.with_missing = o.merge.empty();  // the others' rows are there already
  s.intake = grade::take_in(o.paths, s.catalog, in);
  if (o.shard.empty())
    for (const auto& n : s.intake.notes) say(n);
}

}  // namespace

void check_before_start(const GradeCommand& o, bool doctest) {
  std::string why;
  if (!compiler_available(&why)) throw Error(why);
  if (doctest && access(verdicts_program().c_str(), X_OK) != 0)
    throw Error("--format " + o.format + " needs " + verdicts_program().string() +
                ", which is not built: run ./warpdojo once, or build the target warpdojo-verdicts");
  for (const std::string& file : {o.out, o.report, o.anonymous}) {
    if (file.empty()) continue;
    const fs::path folder = fs::absolute(file).parent_path();
    std::error_code ec;
    if (!fs::is_directory(folder, ec)) throw Error("there is no folder " + folder.string() + " for " + file);
    if (access(folder.c_str(), W_OK) != 0 || fs::is_directory(file, ec)) throw Error("cannot write " + file);
  }
}

void read_inputs(Grading& s, const GradeCommand& o) {
  s.options.course =
      o.course.empty() ? grade::whole_catalog(s.catalog) : grade::load_course(o.course, s.catalog);
  if (!o.device.empty()) s.options.course.device = o.device;
  s.options.secret = o.secret;
  if (!o.secret_file.empty()) {
    s.options.secret = read_whole(o.secret_file);
    while (!s.options.secret.empty() && std::isspace(static_cast<unsigned char>(s.options.secret.back())))
      s.options.secret.pop_back();
  }
  s.options.seeds = o.seeds;
  s.options.jobs = o.jobs;
  grade::check_course(s.options.course, s.catalog);
  if (!o.roster.empty()) s.roster = grade::load_roster(o.roster);
  if (!o.overrides.empty()) s.overrides = grade::load_overrides(o.overrides, s.catalog, s.options.course);
  take_in_all(s, o);
  s.options.note = say;
  s.options.stopped = [] { return interrupted(); };
}

void choose_sandbox(Grading& s, const GradeCommand& o) {
  if (!o.no_sandbox) {
    s.options.sandbox = run::probe_sandbox(program_path().string(), run::whole_sandbox());
    if (!s.options.sandbox.closed())
      throw Error(
          "no sandbox can be had here (Landlock needs Linux 5.13 or newer; else install bubblewrap). "
          "Submissions are hostile input: grade on another machine, or, if you trust them, with "
          "--no-sandbox");
  }
  s.options.course.sandbox = s.options.sandbox.words();
  say("sandbox: " + s.options.course.sandbox);
}

}  // namespace dojo::cli
