// warpdojo grade, handout and submit.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "cli/cli.hpp"
#include "cli/grading/grading.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "grade/book/rules.hpp"
#include "grade/course/handout.hpp"
#include "grade/exports/class_report.hpp"
#include "grade/formats.hpp"
#include "grade/intake/csv.hpp"
#include "grade/intake/pack.hpp"
#include "grade/similarity.hpp"
#include "run/student/originals.hpp"

namespace dojo::cli {
namespace {

/// doctest's own reporters, by the verdicts program.
int report_by_doctest(const std::string& rows_file, const std::string& format, const std::string& out) {
  const std::string program = verdicts_program().string();
  std::vector<std::string> words{program, rows_file, "-r=" + format};
  if (!out.empty()) words.push_back("-o=" + out);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> argv;
    for (auto& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) > 1)
    throw Error("the reporter " + program + " did not run", 71);
  return 0;
}

std::vector<grade::Pair> alike(const Catalog& catalog, const std::vector<grade::Submission>& submissions,
                               const grade::Course& course) {
  std::vector<uint64_t> given;  // what every student was handed: the starters of all steps
  for (const Lab& lab : catalog.labs)
    for (const Step& step : lab.steps)
      for (const auto& text : {run::starter_text(catalog, step), read_file(catalog.reference_file(step))})
        if (text)
          for (uint64_t h : grade::fingerprints(*text)) given.push_back(h);
  std::vector<grade::Document> documents;
  for (const auto& c : course.steps) {
    const Step& step = catalog.find(c.step);
    for (const auto& s : submissions)
      if (const grade::HandedIn file = grade::read_handed_in(s, step, catalog.lab_of(step)); file.found)
        documents.push_back({s.student, c.step, grade::prints_of(file.text)});
  }
  return grade::pairs_alike(std::move(documents), given);
}

/// Whom the overrides name though there is nothing of theirs: a misspelt id would cost a student an
/// extension.
std::set<std::string> strangers(const Grading& s, const std::vector<grade::Row>& kept) {
  std::set<std::string> ids;
  for (const auto& [id, what] : s.overrides.students) ids.insert(id);
  for (const auto& a : s.overrides.adjustments) ids.insert(a.student);
  for (const auto& sub : s.submissions) ids.erase(sub.student);
  for (const auto& r : kept) ids.erase(r.student);
  for (const auto& p : s.roster.people) ids.erase(p.id);
  return ids;
}

/// Students whom the file of --merge has no row of: a name that is not theirs would leave their old rows.
std::vector<std::string> new_students(const Grading& s, const std::vector<grade::Row>& kept) {
  std::vector<std::string> all;
  for (const auto& sub : s.submissions)
    if (std::none_of(kept.begin(), kept.end(), [&](const grade::Row& r) { return r.student == sub.student; }))
      all.push_back(sub.student);
  return all;
}

/// Throws Error where a format for one student's submission gets more.
void check_student_count(const Grading& s, const GradeCommand& o) {
  const auto another = [&](const auto& x) { return x.student != s.submissions.front().student; };
  if (o.merge.empty() && std::none_of(s.submissions.begin(), s.submissions.end(), another)) return;
  grade::refuse_class(grade::find_format(o.format), std::to_string(s.submissions.size()));
}

/// One order, whichever row was finished first and wherever a resume began.
void sort_rows(const Grading& s, std::vector<grade::Row>& rows) {
  std::map<std::string, size_t> order;
  for (const auto& sub : s.submissions)
    for (const auto& c : s.options.course.steps) order.emplace(sub.student + "/" + c.step, order.size());
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const auto& a, const auto& b) { return order[a.key()] < order[b.key()]; });
}

void apply_course_rules(Grading& s, const GradeCommand& o, std::vector<grade::Row>& rows) {
  s.options.course.roster = std::make_shared<grade::Roster>(s.roster);
  if (o.merge.empty()) return grade::apply_rules(s.options.course, s.roster, s.overrides, rows);
  std::set<std::string> graded;
  for (const auto& sub : s.submissions) graded.insert(sub.student);
  grade::apply_rules_after_merge(s.options.course, s.roster, s.overrides, graded, rows);
}

/// Names in the place of students, and a file that says which is whose.
void make_anonymous(Grading& s, const std::string& file, std::vector<grade::Row>& rows) {
  std::string names = "name,student\n";
  for (const auto& a : grade::anonymous_names(s.options.secret, rows)) {
    names += grade::csv_cell(a.name) + "," + grade::csv_cell(a.student) + "\n";
    for (auto& sub : s.submissions)
      if (sub.student == a.student) sub.student = a.name;
  }
  if (!write_atomically(file, names)) throw Error("cannot write " + file);
  s.options.course.roster = nullptr;
}

void write_by_doctest(const GradeCommand& o, const std::vector<grade::Row>& rows,
                      const std::string& rows_file) {
  std::string sorted;
  for (const auto& r : rows) sorted += grade::to_json(r) + '\n';
  if (!write_atomically(rows_file, sorted)) throw Error("cannot write " + rows_file);
  report_by_doctest(rows_file, o.format, o.out);
  std::error_code ec;
  fs::remove(rows_file, ec);
}

void write_export(const Grading& s, const GradeCommand& o, const std::vector<grade::Row>& rows,
                  const std::string& journal_file) {
  const std::string text = grade::export_text(grade::find_format(o.format), s.options.course, rows);
  if (o.out.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (!output_written())
      throw Error("cannot write standard output; the rows are in " + journal_file +
                  ": with --resume, --out FILE writes them");
  } else if (!write_atomically(o.out, text)) {
    throw Error("cannot write " + o.out + "; the rows are in " + journal_file);
  }
}

}  // namespace

int cmd_grade(const GradeCommand& o) {
  const bool doctest = o.format == "junit" || o.format == "console";
  check_before_start(o, doctest);
  // What the platform's runner must set is missed before the grading, not after it.
  if (o.format == "classroom50") grade::find_format(o.format).text({}, {});
  Grading s;
  read_inputs(s, o);
  if (const std::string problem = run::starters_problem(s.catalog); !problem.empty()) say(problem);
  if (!doctest && grade::find_format(o.format).one_student) check_student_count(s, o);
  catch_interrupts();
  const bool elsewhere = o.slurm || !o.kubernetes.empty() || !o.collect.empty();
  if (!elsewhere) choose_sandbox(s, o);
  if (!o.tests.empty()) s.own.emplace(o.tests, s.options.sandbox);
  if (!o.kubernetes.empty()) return plan_kubernetes(s, o);
  if (!o.shard.empty()) return grade_shard(s, o);
  const std::string journal_file = (o.out.empty() ? "warpdojo-grades" : o.out) + ".rows.jsonl";
  // Read first: it may be the very file that this grading writes.
  std::vector<grade::Row> before, kept;
  if (!o.compare.empty()) before = grade::read_csv(read_whole(o.compare));
  if (!o.merge.empty()) kept = grade::read_json(read_whole(o.merge));
  if (!o.merge.empty())
    for (const auto& name : new_students(s, kept))
      say(fmt::format("{}: no row of this student in {}; rows are added", name, o.merge));
  for (const auto& id : strangers(s, kept)) say(o.overrides + ": no submission and no row of '" + id + "'");
  std::vector<grade::Row> rows = !o.collect.empty() ? collect(s, o)
                                 : o.slurm
                                     ? grade_on_cluster(s, o)
                                     : grade_here(s, journal_file, o.resume, o.format == "csv" ? o.out : "");
  const grade::Course steps = s.options.course;
  if (s.own) {
    if (o.merge.empty()) s.options.course.steps.clear();
    s.options.course.steps.push_back(s.own->course_step(steps));
  }
  sort_rows(s, rows);
  rows = grade::merge(std::move(kept), rows);
  apply_course_rules(s, o, rows);
  if (!o.anonymous.empty()) make_anonymous(s, o.anonymous, rows);

  if (doctest)
    write_by_doctest(o, rows, journal_file + ".sorted");
  else
    write_export(s, o, rows, journal_file);
  if (!o.report.empty() &&
      !write_atomically(o.report,
                        grade::class_report(s.options.course, rows, alike(s.catalog, s.submissions, steps))))
    throw Error("cannot write " + o.report);
  if (!o.compare.empty()) fmt::print(stderr, "{}", grade::compare(before, rows));
  std::error_code ec;
  fs::remove(journal_file, ec);
  return 0;
}

int cmd_handout(const HandoutCommand& o) {
  const Catalog catalog = open_catalog();
  if (const std::string problem = run::starters_problem(catalog); !problem.empty()) say(problem);
  const auto made = grade::make_handout(catalog, o.folder, {o.course, o.stage, o.update});
  fmt::print("{}: {} lab{}, {} step{}, references as PTX\n", o.folder, made.labs, made.labs == 1 ? "" : "s",
             made.steps, made.steps == 1 ? "" : "s");
  for (const auto& w : made.notes) say(w);
  return 0;
}

int cmd_submit(const SubmitCommand& o) {
  const Catalog catalog = open_catalog();
  std::error_code ec;
  const fs::path beside = catalog.root / "course.toml";
  const std::string file = !o.course.empty()        ? o.course
                           : fs::exists(beside, ec) ? beside.string()
                                                    : std::string();
  const auto course = file.empty() ? grade::whole_catalog(catalog) : grade::load_course(file, catalog);
  const auto packed = grade::pack_submission(catalog, course, data_folder());
  const std::string out = o.out.empty() ? "submission.zip" : o.out;
  if (!write_atomically(out, packed.zip)) throw Error("cannot write " + out);
  fmt::print("{}: {} file{}\n", out, packed.files, packed.files == 1 ? "" : "s");
  for (const auto& n : packed.notes) say(n);
  return 0;
}

}  // namespace dojo::cli
