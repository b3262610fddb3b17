// bench grade: how many submissions a minute, on one core and with two workers.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "cli/benches/bench_grade.hpp"
#include "cli/cli.hpp"
#include "core/error.hpp"
#include "core/files/scratch_folder.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "grade/grader.hpp"
#include "run/bench.hpp"

namespace dojo::cli {
namespace {

/// A class whose students handed in the references of the core track (quick: of two steps), each a
/// submission.
struct Class {
  const ScratchFolder made{"bench"};
  const fs::path folder = made.path;
  grade::Course course;
  Class(const Catalog& catalog, int students, bool quick) {
    if (folder.empty()) throw Error("cannot make a folder for the class", 71);
    for (const Lab& lab : catalog.labs)
      for (const Step& step : lab.steps) {
        if (lab.order > 6) continue;  // the core track is labs 00 to 06
        if (quick && step.id() != "reduce/5-sequential" && step.id() != "conv1d/2-shared") continue;
        std::error_code ec;
        if (!fs::exists(catalog.reference_file(step), ec)) continue;
        course.steps.push_back({step.id(), 10, {}, false});
        for (int s = 0; s < students; ++s) {
          const fs::path to = folder / fmt::format("student-{}", s) / lab.folder.filename();
          fs::create_directories(to);
          // Each student's a program of its own: equal ones are run once (grade/pool/shared_rows.hpp).
          std::ofstream(to / step.file) << read_or_empty(catalog.reference_file(step))
                                        << fmt::format("\nconstexpr int student_{} = 0;\n", s);
        }
      }
  }
};

/// Seconds that this machine's Slurm cluster takes for the class, one processor a task; nothing where there
/// is none (tests/grade/slurm-loopback.sh makes one of two nodes).
std::optional<double> on_cluster(const Class& all, const run::BenchOptions& o) {
  if (std::system("sinfo --noheader >/dev/null 2>&1") != 0) return std::nullopt;
  const fs::path course = all.folder.string() + ".toml", out = all.folder.string() + ".csv";
  {
    std::ofstream text(course);
    for (const auto& s : all.course.steps) text << "[[step]]\nstep = \"" << s.step << "\"\n";
  }
  GradeCommand g;
  g.paths = {all.folder.string()};
  g.course = course.string();
  g.secret = "bench";
  g.out = out.string();
  g.slurm = true;
  g.slurm_poll_s = 0.2;
  if (o.say) o.say("on the cluster");
  const auto start = std::chrono::steady_clock::now();
  cmd_grade(g);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::error_code ec;
  for (const fs::path& p : {course, out, fs::path(out.string() + ".slurm")}) fs::remove_all(p, ec);
  return seconds;
}

/// Processor seconds of all children that have ended, and of theirs.
double processor_s() {
  rusage u{};
  getrusage(RUSAGE_CHILDREN, &u);
  const auto s = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return s(u.ru_utime) + s(u.ru_stime);
}

run::Figures bench_grade(const run::BenchOptions& o) {
  const Catalog catalog = open_catalog();
  const int students = o.quick ? 4 : 2;
  const Class all(catalog, students, o.quick);
  const auto submissions = grade::find_submissions({all.folder.string()}, catalog);
  grade::GradeOptions options;
  options.course = all.course;
  options.secret = "bench";
  options.sandbox = run::probe_sandbox(program_path().string(), run::whole_sandbox());
  auto seconds = [&](int jobs, size_t students = SIZE_MAX) {
    options.jobs = jobs;
    const std::vector<grade::Submission> some(
        submissions.begin(), submissions.begin() + long(std::min(students, submissions.size())));
    int passed = 0;
    options.row = [&](const grade::Row& r, int done, int count) {
      passed += r.status == grade::RowStatus::pass;
      if (o.say && (done % 20 == 0 || r.status != grade::RowStatus::pass))
        o.say(fmt::format("-j {}: {} of {}, {} {}", jobs, done, count, r.key(), to_string(r.status)));
    };
    const auto start = std::chrono::steady_clock::now();
    const auto rows = grade::grade_all(catalog, some, options);
    if (passed != int(rows.size()) && o.say)
      o.say(fmt::format("{} of {} references did not pass", rows.size() - size_t(passed), rows.size()));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  run::Figures f;
  const double count = double(students) * double(all.course.steps.size());
  // One worker process that runs on one thread: what a core does. The first figure fills the store of
  // reference reports, so that both meet the same.
  options.threads = 1;
  seconds(2);
  const double before = processor_s();
  seconds(1, 1);
  const double first = processor_s() - before;
  const double one = seconds(1), all_of_them = processor_s() - before - first;
  const double two = seconds(2);
  // Runs of the course's own files are in both, so that the difference is that of the other students.
  f["grade.processor_s_per_student"] = (all_of_them - first) / (students - 1);
  f["grade.processor_s_of_the_course"] = first - f["grade.processor_s_per_student"];
  f["grade.steps"] = double(all.course.steps.size());
  f["grade.submissions_per_minute"] = 60 * count / one;
  f["grade.two_worker_speedup"] = one / two;
  f["grade.submissions"] = count;
  if (const auto cluster = on_cluster(all, o)) {
    f["grade.cluster_submissions_per_minute"] = 60 * count / *cluster;
    f["grade.cluster_speedup"] = one / *cluster;
  }
  return f;
}

}  // namespace

void register_grade_bench() {
  run::register_bench({"grade", "submissions of the core track a minute, one core and two", bench_grade});
}

}  // namespace dojo::cli
