// warpdojo grade and handout.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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
#include "grade/similarity.hpp"
#include "run/reference_cache.hpp"
#include "simt/timing.hpp"

namespace dojo::cli {
namespace {

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("cannot read " + path);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

/// Rows that an interrupted grading left in its journal; a half-written last line is dropped.
std::vector<grade::Row> journal_rows(const std::string& path) {
  std::vector<grade::Row> rows;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    try {
      if (!line.empty()) rows.push_back(grade::row_from_json(line));
    } catch (const Error&) {
      break;
    }
  }
  return rows;
}

/// doctest's own reporters, by the verdicts program.
int report_by_doctest(const std::string& rows_file, const std::string& format, const std::string& out) {
  const std::string program = (program_path().parent_path() / "warpdojo-verdicts").string();
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
      const fs::path file = grade::file_of(s, step, catalog.lab_of(step));
      const auto text = file.empty() ? std::nullopt : run::read_file(file);
      if (!text) continue;
      auto print = grade::fingerprints(*text);
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

}  // namespace

int cmd_grade(const GradeCommand& o) {
  const Catalog catalog = open_catalog();
  const bool doctest = o.format == "junit" || o.format == "console";
  if (!doctest) grade::find_format(o.format);
  grade::GradeOptions options;
  options.course = o.course.empty() ? grade::whole_catalog(catalog) : grade::load_course(o.course, catalog);
  if (!o.device.empty()) options.course.device = o.device;
  options.secret = o.secret;
  options.seeds = o.seeds;
  options.jobs = o.jobs;
  if (!options.course.model_version.empty()) {
    const std::string have = simt::model_version();
    if (have != options.course.model_version)
      throw Error("the course pins model version " + options.course.model_version + ", this WarpDojo has " +
                  have + ": grade with the version of the course, or change course.toml");
  }
  const auto submissions = grade::find_submissions(o.paths, catalog);

  // Every row goes to a journal as soon as it is there: a grading that is killed goes on with --resume.
  const std::string journal_file = (o.out.empty() ? "warpdojo-grades" : o.out) + ".rows.jsonl";
  std::vector<grade::Row> old;
  if (o.resume) old = journal_rows(journal_file);
  std::set<std::string> have;
  std::ofstream journal(journal_file, std::ios::trunc);
  if (!journal) throw Error("cannot write " + journal_file);
  for (const auto& r : old) {
    have.insert(r.key());
    journal << grade::to_json(r) << '\n';
  }
  journal.flush();
  catch_interrupts();
  options.skip = [&](const std::string& key) { return have.count(key) > 0; };
  options.stopped = [] { return interrupted(); };
  const bool tty = isatty(2);
  options.row = [&](const grade::Row& r, int done, int all) {
    journal << grade::to_json(r) << std::endl;
    if (tty) fmt::print(stderr, "\r\x1b[K{} of {}: {} {}", done, all, r.key(), r.status);
  };
  std::vector<grade::Row> rows = grade::grade_all(catalog, submissions, options);
  if (tty) fmt::print(stderr, "\r\x1b[K");
  if (interrupted())
    throw Error("stopped; go on with --resume (rows so far are in " + journal_file + ")", 130);
  rows.insert(rows.begin(), old.begin(), old.end());
  // One order, whoever finished first and wherever a resume began.
  std::map<std::string, size_t> order;
  for (const auto& s : submissions)
    for (const auto& c : options.course.steps) order.emplace(s.student + "/" + c.step, order.size());
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const auto& a, const auto& b) { return order[a.key()] < order[b.key()]; });

  if (doctest) {
    journal.close();
    std::ofstream sorted(journal_file, std::ios::trunc);
    for (const auto& r : rows) sorted << grade::to_json(r) << '\n';
    sorted.close();
    report_by_doctest(journal_file, o.format, o.out);
  } else {
    const std::string text = grade::find_format(o.format).text(options.course, rows);
    if (o.out.empty())
      std::fwrite(text.data(), 1, text.size(), stdout);
    else if (!run::write_atomically(o.out, text))
      throw Error("cannot write " + o.out + "; the rows are in " + journal_file);
  }
  if (!o.report.empty() &&
      !run::write_atomically(
          o.report, grade::class_report(options.course, rows, alike(catalog, submissions, options.course))))
    throw Error("cannot write " + o.report);
  if (!o.compare.empty())
    fmt::print(stderr, "{}", grade::compare(grade::read_csv(read_whole(o.compare)), rows));
  std::error_code ec;
  fs::remove(journal_file, ec);
  return 0;
}

}  // namespace dojo::cli
