// warpdojo grade and handout.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "cli/cli.hpp"
#include "core/error.hpp"
#include "core/paths.hpp"
#include "grade/class_report.hpp"
#include "grade/formats.hpp"
#include "grade/grader.hpp"
#include "grade/handout.hpp"
#include "grade/journal.hpp"
#include "grade/references.hpp"
#include "grade/shared_work.hpp"
#include "grade/similarity.hpp"
#include "grade/slurm.hpp"
#include "run/reference_cache.hpp"
#include "simt/time/version.hpp"

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
  std::vector<grade::Pair> pairs;
  for (const auto& c : course.steps) {
    const Step& step = catalog.find(c.step);
    std::vector<std::pair<std::string, std::vector<uint64_t>>> prints;
    std::set<uint64_t> given;  // what the student's file and the reference have anyway
    for (const fs::path& f : {catalog.student_file(step), catalog.reference_file(step)})
      if (const auto text = run::read_file(f))
        for (uint64_t h : grade::fingerprints(*text)) given.insert(h);
    for (const auto& s : submissions) {
      const grade::HandedIn file = grade::read_handed_in(s, step, catalog.lab_of(step));
      if (!file.found) continue;
      auto print = grade::fingerprints(file.text);
      std::erase_if(print, [&](uint64_t h) { return given.count(h) > 0; });
      if (print.size() >= 12) prints.emplace_back(s.student, std::move(print));
    }
    for (size_t i = 0; i < prints.size(); ++i)
      for (size_t j = i + 1; j < prints.size(); ++j)
        if (const double share = grade::similarity(prints[i].second, prints[j].second); share >= 0.6)
          pairs.push_back({c.step, prints[i].first, prints[j].first, share});
  }
  return pairs;
}

/// What the command line asks for, read and checked.
struct Setup {
  Catalog catalog = open_catalog();
  grade::GradeOptions options;
  std::vector<grade::Submission> submissions;
};

void say(const std::string& line) { fmt::print(stderr, "{}\n", line); }

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
  if (const std::string& pinned = s.options.course.model_version; !pinned.empty()) {
    const std::string have = simt::model_version();
    if (have != pinned)
      throw Error("the course pins model version " + pinned + ", this WarpDojo has " + have +
                  ": grade with the version of the course, or change course.toml");
  }
  s.submissions = grade::find_submissions(o.paths, s.catalog);
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
                                   const std::map<std::string, grade::Row>& elsewhere = {}) {
  const std::string print = grade::fingerprint(s.options);
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
  std::vector<grade::Row> rows = grade::grade_all(s.catalog, s.submissions, s.options);
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
  // Some rows a task, so that starting tasks costs little.
  plan.tasks = o.slurm_tasks > 0 ? o.slurm_tasks : std::clamp(int(keys.size()) / 8, 1, 64);
  plan.workers = o.jobs;
  plan.options = o.slurm_options;
  plan.poll_s = o.slurm_poll_s;
  plan.cache = cache_folder().parent_path();
  const fs::path secret = plan.folder / "secret";
  run::write_atomically(secret, s.options.secret);
  fs::permissions(secret, fs::perms::owner_read | fs::perms::owner_write, ec);
  plan.command = {"env", "WARPDOJO_ROOT=" + s.catalog.root.string(), program_path().string(), "grade"};
  for (const auto& p : o.paths) plan.command.push_back(fs::absolute(p).string());
  if (!o.course.empty())
    plan.command.insert(plan.command.end(), {"--course", fs::absolute(o.course).string()});
  if (!o.device.empty()) plan.command.insert(plan.command.end(), {"--device", o.device});
  if (o.seeds > 0) plan.command.insert(plan.command.end(), {"--seeds", std::to_string(o.seeds)});
  if (!s.options.secret.empty()) plan.command.insert(plan.command.end(), {"--secret-file", secret.string()});
  if (o.no_sandbox) plan.command.push_back("--no-sandbox");
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
  if (!doctest) grade::find_format(o.format);
  Setup s;
  fill(s, o);
  catch_interrupts();
  if (!o.slurm) choose_sandbox(s, o);
  if (!o.shard.empty()) return grade_shard(s, o);
  const std::string journal_file = (o.out.empty() ? "warpdojo-grades" : o.out) + ".rows.jsonl";
  // Read first: it may be the very file that this grading writes.
  std::vector<grade::Row> before;
  if (!o.compare.empty()) before = grade::read_csv(read_whole(o.compare));
  std::vector<grade::Row> rows = o.slurm
                                     ? grade_on_cluster(s, o)
                                     : grade_here(s, journal_file, o.resume, o.format == "csv" ? o.out : "");
  // One order, whoever finished first and wherever a resume began.
  std::map<std::string, size_t> order;
  for (const auto& sub : s.submissions)
    for (const auto& c : s.options.course.steps) order.emplace(sub.student + "/" + c.step, order.size());
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const auto& a, const auto& b) { return order[a.key()] < order[b.key()]; });

  if (doctest) {
    std::string sorted;
    for (const auto& r : rows) sorted += grade::to_json(r) + '\n';
    const std::string rows_file = journal_file + ".sorted";
    if (!run::write_atomically(rows_file, sorted)) throw Error("cannot write " + rows_file);
    report_by_doctest(rows_file, o.format, o.out);
    std::error_code ec;
    fs::remove(rows_file, ec);
  } else {
    const std::string text = grade::find_format(o.format).text(s.options.course, rows);
    if (o.out.empty())
      std::fwrite(text.data(), 1, text.size(), stdout);
    else if (!run::write_atomically(o.out, text))
      throw Error("cannot write " + o.out + "; the rows are in " + journal_file);
  }
  if (!o.report.empty() &&
      !run::write_atomically(
          o.report,
          grade::class_report(s.options.course, rows, alike(s.catalog, s.submissions, s.options.course))))
    throw Error("cannot write " + o.report);
  if (!o.compare.empty()) fmt::print(stderr, "{}", grade::compare(before, rows));
  std::error_code ec;
  fs::remove(journal_file, ec);
  return 0;
}

int cmd_handout(const HandoutCommand& o) {
  const Catalog catalog = open_catalog();
  const auto made = grade::make_handout(catalog, o.folder, o.course);
  fmt::print("{}: {} labs, {} steps, references as PTX\n", o.folder, made.labs, made.steps);
  for (const auto& w : made.notes) say(w);
  return 0;
}

}  // namespace dojo::cli
