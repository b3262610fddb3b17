// warpdojo grade and handout.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "cli/cli.hpp"
#include "core/compile/compiler.hpp"
#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "core/paths.hpp"
#include "grade/book/overrides.hpp"
#include "grade/book/rules.hpp"
#include "grade/cases/own_cases.hpp"
#include "grade/cluster/kubernetes.hpp"
#include "grade/cluster/shared_work.hpp"
#include "grade/cluster/slurm.hpp"
#include "grade/course/handout.hpp"
#include "grade/exports/class_report.hpp"
#include "grade/formats.hpp"
#include "grade/grader.hpp"
#include "grade/intake/csv.hpp"
#include "grade/intake/intake.hpp"
#include "grade/intake/pack.hpp"
#include "grade/journal.hpp"
#include "grade/references.hpp"
#include "grade/similarity.hpp"
#include "run/reference_cache.hpp"

namespace dojo::cli {
namespace {

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("cannot read " + path);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

fs::path verdicts_program() { return program_path().parent_path() / "warpdojo-verdicts"; }

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
  std::vector<uint64_t> given;  // what everybody was handed: the starters of all steps
  for (const Lab& lab : catalog.labs)
    for (const Step& step : lab.steps)
      for (const fs::path& f : {catalog.student_file(step), catalog.reference_file(step)})
        if (const auto text = run::read_file(f))
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

/// What the command line asks for, read and checked.
struct Setup {
  Catalog catalog = open_catalog();
  grade::GradeOptions options;
  grade::Intake intake;
  grade::Roster roster;
  grade::Overrides overrides;
  std::vector<grade::Submission>& submissions = intake.submissions;
};

void say(const std::string& line) { fmt::print(stderr, "{}\n", line); }

/// The submissions. Of several attempts the one counts that the student's own deadline lets count.
void take_in_all(Setup& s, const GradeCommand& o) {
  grade::IntakeOptions in;
  in.course = &s.options.course;
  if (!s.roster.empty()) in.roster = &s.roster;
  for (const auto& c : s.options.course.steps) in.deadline = std::max(in.deadline, c.deadline);
  const auto own = [&](const std::string& student) {
    const std::string extension = grade::extension_of(student, s.overrides, s.roster);
    if (!extension.empty()) in.deadlines[student] = grade::due(in.deadline, extension);
  };
  for (const auto& p : s.roster.people) own(p.id);
  for (const auto& [student, what] : s.overrides.students) own(student);
  in.with_missing = o.merge.empty();  // the others' rows are there already
  s.intake = grade::take_in(o.paths, s.catalog, in);
  if (o.shard.empty())
    for (const auto& n : s.intake.notes) say(n);
}

/// What would only be missed after hours of grading: files that can't be written, a program that isn't there.
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

void fill(Setup& s, const GradeCommand& o) {
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

void choose_sandbox(Setup& s, const GradeCommand& o) {
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

/// Grades here. Every row goes to the journal as soon as it is there; rows that are elsewhere are not made.
/// `csv`: a file that shows the rows so far in the order they come, or empty.
std::vector<grade::Row> grade_here(Setup& s, const std::string& journal_file, bool resume,
                                   const std::string& csv,
                                   const std::map<std::string, grade::Row>& elsewhere = {},
                                   const grade::OwnCases* own = nullptr) {
  std::string print = grade::fingerprint(s.options);
  if (own) print += fmt::format("-{:016x}", fingerprint(own->text()));
  std::vector<grade::Row> old;
  if (resume) old = grade::read_journal(journal_file, print);
  std::set<std::string> have;
  for (const auto& r : old) have.insert(r.key());
  grade::Journal journal(journal_file, print, old);
  s.options.skip = [&](const std::string& key) { return have.count(key) > 0 || elsewhere.count(key) > 0; };
  std::ofstream table;
  if (!csv.empty()) {
    table.open(csv, std::ios::trunc);
    table << grade::csv_header();
    for (const auto& r : old) table << grade::csv_line(r);
    if (!table.flush()) throw Error("cannot write " + csv);
  }
  const bool tty = isatty(2);
  s.options.row = [&](const grade::Row& r, int done, int all) {
    journal.add(r);
    if (table.is_open()) table << grade::csv_line(r) << std::flush;
    if (tty) fmt::print(stderr, "\r\x1b[K{} of {}: {} {}", done, all, r.key(), r.status);
  };
  std::vector<grade::Row> rows = own ? grade::run_own_cases(s.catalog, s.submissions, s.options, *own)
                                     : grade::grade_all(s.catalog, s.submissions, s.options);
  if (tty) fmt::print(stderr, "\r\x1b[K");
  if (interrupted())
    throw Error("stopped; go on with --resume (rows so far are in " + journal_file + ")", 130);
  rows.insert(rows.begin(), old.begin(), old.end());
  return rows;
}

/// What tasks make for each other holds for one grading only.
fs::path shared_folder(const fs::path& plan_folder, const std::string& fingerprint) {
  return plan_folder / ("shared-" + fingerprint);
}

/// One task of an array job: rows that no other task takes, into a journal of its own.
int grade_shard(Setup& s, const GradeCommand& o) {
  int k = -1, n = 0, job = 0;
  if (std::sscanf(o.shard.c_str(), "%d/%d@%d", &k, &n, &job) < 2 || k < 0 || n < 1 || k >= n)
    throw Error("--shard is K/N@JOB, K from 0 to N - 1");
  const fs::path out = fs::absolute(o.out);
  const std::string print = grade::fingerprint(s.options);
  const grade::SharedWork shared(shared_folder(out.parent_path(), print), std::to_string(job), k, n);
  s.options.shared = &shared;
  s.options.threads = 1;  // a processor a worker is what the scheduler gave
  grade::Journals all(out.parent_path(), print);
  all.look();
  const std::string journal = out.string() + ".rows.jsonl";
  grade_here(s, journal, fs::exists(journal), "", all.rows());
  return 0;
}

/// What every task of a cluster runs, but for its share, its journal and the secret.
std::vector<std::string> task_command(const Setup& s, const GradeCommand& o) {
  std::vector<std::string> words = {"env", "WARPDOJO_ROOT=" + s.catalog.root.string(),
                                    program_path().string(), "grade"};
  for (const auto& p : o.paths) words.push_back(fs::absolute(p).string());
  for (const auto& [option, file] : {std::pair<std::string, std::string>{"--course", o.course},
                                     {"--roster", o.roster},
                                     {"--overrides", o.overrides}})
    if (!file.empty()) words.insert(words.end(), {option, fs::absolute(file).string()});
  if (!o.device.empty()) words.insert(words.end(), {"--device", o.device});
  if (o.seeds > 0) words.insert(words.end(), {"--seeds", std::to_string(o.seeds)});
  if (o.no_sandbox) words.push_back("--no-sandbox");
  return words;
}

/// Some rows a task, so that starting tasks costs little.
int tasks_for(const GradeCommand& o, size_t rows) {
  return o.slurm_tasks > 0 ? o.slurm_tasks : std::clamp(int(rows) / 8, 1, 64);
}

/// Writes the manifest, and says what to do with it.
int plan_kubernetes(Setup& s, const GradeCommand& o) {
  grade::KubernetesPlan plan;
  plan.folder = fs::absolute(o.kubernetes).lexically_normal();
  std::error_code ec;
  if (fs::exists(plan.folder, ec) && !fs::is_empty(plan.folder, ec))
    throw Error(o.kubernetes + " is not empty: rows of an earlier job would mix with these");
  fs::create_directories(plan.folder, ec);
  plan.tasks = tasks_for(o, grade::row_keys(s.catalog, s.submissions, s.options.course).size());
  plan.workers = o.jobs;
  plan.memory_mb = s.options.course.memory_mb;
  plan.image = o.image;
  plan.claim = o.claim;
  plan.mount = plan.folder.parent_path();
  plan.secret = !s.options.secret.empty();
  plan.command = task_command(s, o);
  const fs::path file = plan.folder / "job.yaml";
  if (!run::write_atomically(file, grade::job_manifest(plan))) throw Error("cannot write " + file.string());
  fmt::print("{}: {} tasks. The volume '{}' must hold {}, the submissions and course.toml.\n", file.string(),
             plan.tasks, plan.claim, plan.mount);
  if (plan.secret) fmt::print("  kubectl create secret generic warpdojo --from-file=secret=SECRET_FILE\n");
  fmt::print(
      "  kubectl apply -f {}\n  kubectl wait --for=condition=complete --timeout=-1s job/warpdojo-grade\nthen "
      "the "
      "same call with --collect {} in the place of --kubernetes {}\n",
      file.string(), o.kubernetes, o.kubernetes);
  return 0;
}

/// The rows that a job's tasks left in their journals.
std::vector<grade::Row> collect(Setup& s, const GradeCommand& o) {
  grade::Journals journals(fs::absolute(o.collect), grade::fingerprint(s.options));
  journals.look();
  std::vector<grade::Row> rows;
  const auto keys = grade::row_keys(s.catalog, s.submissions, s.options.course);
  for (const auto& k : keys)
    if (const auto it = journals.rows().find(k); it != journals.rows().end()) rows.push_back(it->second);
  if (rows.size() < keys.size())
    throw Error(fmt::format("{} of {} rows are not in {} yet: wait for the job, or start it again",
                            keys.size() - rows.size(), keys.size(), o.collect),
                71);
  s.options.course.sandbox = "on each node";
  return rows;
}

std::vector<grade::Row> grade_on_cluster(Setup& s, const GradeCommand& o) {
  grade::SlurmPlan plan;
  std::error_code ec;
  plan.folder = fs::absolute((o.out.empty() ? "warpdojo-grades" : o.out) + ".slurm");
  if (!o.resume) {
    // A job of an earlier grading would go on writing here.
    if (const std::string job = run::read_file(plan.folder / "job").value_or(""); !job.empty()) try {
        grade::slurm_commands()({"scancel", job});
      } catch (const Error&) {
      }
    fs::remove_all(plan.folder, ec);
  }
  fs::create_directories(plan.folder, ec);
  fs::permissions(plan.folder, fs::perms::owner_all, ec);
  const std::string print = grade::fingerprint(s.options);
  const std::vector<std::string> keys = grade::row_keys(s.catalog, s.submissions, s.options.course);
  plan.tasks = tasks_for(o, keys.size());
  plan.workers = o.jobs;
  plan.options = o.slurm_options;
  plan.poll_s = o.slurm_poll_s;
  plan.cache = cache_folder().parent_path();
  const fs::path secret = plan.folder / "secret";
  run::write_atomically(secret, s.options.secret);
  fs::permissions(secret, fs::perms::owner_read | fs::perms::owner_write, ec);
  plan.command = task_command(s, o);
  if (!s.options.secret.empty()) plan.command.insert(plan.command.end(), {"--secret-file", secret.string()});
  grade::Journals journals(plan.folder, print);
  const bool tty = isatty(2);
  const auto missing = [&] {
    journals.look();
    const auto there = size_t(
        std::count_if(keys.begin(), keys.end(), [&](const auto& k) { return journals.rows().count(k) > 0; }));
    if (tty) fmt::print(stderr, "\r\x1b[K{} of {}\r", there, keys.size());
    return keys.size() - there;
  };
  const size_t lost = grade::run_slurm(plan, grade::slurm_commands(), missing, s.options.stopped, say);
  if (interrupted()) throw Error("stopped; go on with --slurm --resume", 130);
  if (lost > 0)
    throw Error(
        fmt::format(
            "{} rows are missing after {} tries; the tasks' logs are in {}. Go on with --slurm --resume",
            lost, plan.tries, plan.folder.string()),
        71);
  for (const auto& note : grade::notes_of_plans(shared_folder(plan.folder, print))) say(note);
  std::vector<grade::Row> rows;
  for (const auto& k : keys) rows.push_back(journals.rows().at(k));
  s.options.course.sandbox = "on each node";
  fs::remove(secret, ec);
  return rows;
}

}  // namespace

int cmd_grade(const GradeCommand& o) {
  const bool doctest = o.format == "junit" || o.format == "console";
  const bool one_student = !doctest && grade::find_format(o.format).one_student;
  check_before_start(o, doctest);
  if (!o.tests.empty() && (o.slurm || !o.kubernetes.empty() || !o.collect.empty() || !o.shard.empty()))
    throw Error("--tests runs on this machine only: leave out the cluster's options, and use -j");
  Setup s;
  fill(s, o);
  const auto another = [&](const auto& x) { return x.student != s.submissions.front().student; };
  if (one_student && (std::any_of(s.submissions.begin(), s.submissions.end(), another) || !o.merge.empty()))
    throw Error("--format " + o.format + " is for one student's submission; here are " +
                std::to_string(s.submissions.size()) + ". For a class use csv, json, canvas or moodle");
  catch_interrupts();
  if (!o.kubernetes.empty()) return plan_kubernetes(s, o);
  if (!o.slurm && o.collect.empty()) choose_sandbox(s, o);
  if (!o.shard.empty()) return grade_shard(s, o);
  const std::string journal_file = (o.out.empty() ? "warpdojo-grades" : o.out) + ".rows.jsonl";
  // Read first: it may be the very file that this grading writes.
  std::vector<grade::Row> before, kept;
  if (!o.compare.empty()) before = grade::read_csv(read_whole(o.compare));
  if (!o.merge.empty()) kept = grade::read_json(read_whole(o.merge));
  std::optional<grade::OwnCases> own;
  if (!o.tests.empty()) own.emplace(o.tests, s.options.sandbox);
  std::vector<grade::Row> rows =
      !o.collect.empty() ? collect(s, o)
      : o.slurm
          ? grade_on_cluster(s, o)
          : grade_here(s, journal_file, o.resume, o.format == "csv" ? o.out : "", {}, own ? &*own : nullptr);
  const grade::Course steps = s.options.course;
  if (own) {
    if (o.merge.empty()) s.options.course.steps.clear();
    s.options.course.steps.push_back(own->course_step(steps));
  }
  // One order, whoever finished first and wherever a resume began.
  std::map<std::string, size_t> order;
  for (const auto& sub : s.submissions)
    for (const auto& c : s.options.course.steps) order.emplace(sub.student + "/" + c.step, order.size());
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const auto& a, const auto& b) { return order[a.key()] < order[b.key()]; });
  rows = grade::merge(std::move(kept), rows);
  s.options.course.roster = std::make_shared<grade::Roster>(s.roster);
  grade::apply_rules(s.options.course, s.roster, s.overrides, rows);
  if (!o.anonymous.empty()) {
    std::string names = "name,student\n";
    for (const auto& a : grade::anonymous_names(s.options.secret, rows)) {
      names += grade::csv_cell(a.name) + "," + grade::csv_cell(a.student) + "\n";
      for (auto& sub : s.submissions)
        if (sub.student == a.student) sub.student = a.name;
    }
    if (!run::write_atomically(o.anonymous, names)) throw Error("cannot write " + o.anonymous);
    s.options.course.roster = nullptr;
  }

  if (doctest) {
    std::string sorted;
    for (const auto& r : rows) sorted += grade::to_json(r) + '\n';
    const std::string rows_file = journal_file + ".sorted";
    if (!run::write_atomically(rows_file, sorted)) throw Error("cannot write " + rows_file);
    report_by_doctest(rows_file, o.format, o.out);
    std::error_code ec;
    fs::remove(rows_file, ec);
  } else {
    const std::string text = grade::export_text(grade::find_format(o.format), s.options.course, rows);
    if (o.out.empty())
      std::fwrite(text.data(), 1, text.size(), stdout);
    else if (!run::write_atomically(o.out, text))
      throw Error("cannot write " + o.out + "; the rows are in " + journal_file);
  }
  if (!o.report.empty() &&
      !run::write_atomically(
          o.report, grade::class_report(s.options.course, rows, alike(s.catalog, s.submissions, steps))))
    throw Error("cannot write " + o.report);
  if (!o.compare.empty()) fmt::print(stderr, "{}", grade::compare(before, rows));
  std::error_code ec;
  fs::remove(journal_file, ec);
  return 0;
}

int cmd_handout(const HandoutCommand& o) {
  const Catalog catalog = open_catalog();
  const auto made = grade::make_handout(catalog, o.folder, {o.course, o.stage, o.update});
  fmt::print("{}: {} labs, {} steps, references as PTX\n", o.folder, made.labs, made.steps);
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
  const auto packed = grade::pack_submission(catalog, course);
  const std::string out = o.out.empty() ? "submission.zip" : o.out;
  if (!run::write_atomically(out, packed.zip)) throw Error("cannot write " + out);
  fmt::print("{}: {} files\n", out, packed.files);
  for (const auto& n : packed.notes) say(n);
  return 0;
}

}  // namespace dojo::cli
